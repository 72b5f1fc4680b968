#pragma once

#include <array>
#include <atomic>
#include <memory>

#include "base/mutex_protected.h"
#include "device/device.h"
#include "runtime/coalesced_commands.h"

namespace quern::runtime {

class Event;
class KernelLaunch;

/// Makes commands of one in-order queue, one behind the other, parts of the first of them
/// (device::Queue::append) where the program wants an event for none: what an event and a turn in
/// the order cost is paid once for all. One that is the same as an earlier one is not even recorded
/// again; nor is one that differs only in arguments, where the device needs no work once that has
/// been appended. Thread-safe.
class Coalescer {
public:
  explicit Coalescer(device::Queue& queue) : queue_(queue) {}
  ~Coalescer();

  /// From now on others are appended to the command of `event`, which may grow, as long as `event`
  /// is the last of its queue. Before it is enqueued.
  void begin(Event& event);
  /// Runs `launch` on `range` with its arguments as they are now, where one of the latest commands
  /// is the same or differs in nothing but arguments, and keeps all that it needs. False, and
  /// nothing done, otherwise. `last`, here and below: of the queue, if that has not ended.
  bool repeat(const KernelLaunch& launch, const device::NdRange& range, const Event* last);
  /// Appends `command`, work for the device that needs no bytes to be brought, and takes it. False,
  /// and nothing done, where it must have an event of its own.
  bool append(Recorded& command, const Event* last);
  /// `event` ends: nothing is appended to it any more, and what was is given up.
  void end(Event& event);

private:
  static constexpr size_t versions = 4;

  struct Growing {
    Event* event = nullptr; ///< null when there is none
    /// The latest launch that differed from another in arguments alone.
    device::Work work;
  };

  void note(uint64_t argumentsVersion);
  bool mayRepeat(uint64_t argumentsVersion) const;
  template <typename Wanted>
  static const RecordedCommand* findLatest(const Event& event, Wanted&& isWanted);
  static const device::Work* withOtherArguments(Growing& growing, const KernelLaunch& launch,
                                                const device::NdRange& range);
  std::unique_ptr<CoalescedCommands> takeSpare();
  void keepSpare(std::unique_ptr<CoalescedCommands> empty);

  device::Queue& queue_;
  /// Whose command others are appended to.
  MutexProtected<Growing> growing_;
  /// Of the latest launches. Without the lock: whether it is worth taking.
  std::array<std::atomic<uint64_t>, versions> latest_ = {};
  std::atomic<uint32_t> noted_{0};
  /// Not in use, or null.
  std::atomic<CoalescedCommands*> spare_{nullptr};
};

} // namespace quern::runtime
