#pragma once

#include <array>
#include <cstdint>

#include "base/ref.h"
#include "device/command.h"
#include "runtime/memory.h"

namespace quern::runtime {

class CommandQueue;

/// Commands in a row of one queue, for none of which the program wanted an event: to the device one
/// command, which grows (device::Queue::extend). What an event costs is paid once for all. Keeps
/// itself alive from its first command until it has ended. Guarded by the queue's lock for batches,
/// but for `finished`.
class Batch final : public RefCounted, public device::Command {
public:
  explicit Batch(Ref<CommandQueue> queue);
  ~Batch() override;

  /// There is room for no further command.
  bool isFull() const { return commands_ == maxCommands || used_ > uses_.size() / 2; }
  uint64_t commands() const { return commands_; }
  void countCommand() { ++commands_; }

  /// Keeps the memory object of `anchor` until the batch has ended. Null when the object is gone,
  /// when it can be in several places, or when the batch keeps too many already.
  MemoryObject* keep(WeakAnchor<MemoryObject>& anchor);
  /// Likewise. The first of a command's, so that there is room.
  void keep(RefCounted& object);

  /// The next command's, while it is made: kept for the memory of its arguments.
  device::Work next;

  // device::Command
  void started(uint64_t) override {}
  void finished(cl_int status, uint64_t time) override;

private:
  /// As many as the device takes before it tells how far it is, or they would all end late.
  static constexpr uint64_t maxCommands = 32;

  struct Use {
    const void* key = nullptr; ///< the anchor of a memory object, or the object
    Ref<RefCounted> object;
  };
  Use* find(const void* key);

  const Ref<CommandQueue> queue_;
  std::array<Use, 32> uses_;
  size_t used_ = 0;
  uint64_t commands_ = 0;
};

} // namespace quern::runtime
