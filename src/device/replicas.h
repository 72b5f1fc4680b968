#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/byte_ranges.h"
#include "base/mutex_protected.h"
#include "base/ref.h"
#include "device/device.h"

namespace quern::device {

/// What a command does with a range of bytes: `Write` means each of them, so that what they were
/// does not matter.
enum class Access : uint8_t { Read, Write, ReadWrite };

/// A command that waits for bytes to come to where it needs them.
class AwaitsMemory {
public:
  /// They are there, or `status` is the negative code that says why not. Called once for each wait,
  /// by any thread.
  virtual void memoryArrived(cl_int status) = 0;

protected:
  ~AwaitsMemory() = default;
};

/// The same bytes in several memories. It is known which bytes of each copy are up to date.
/// Commands that are about to run have those that they need brought to where they need them, and no
/// others. Thread-safe.
class Replicas final : public RefCounted {
public:
  struct Replica {
    Ref<Device> device; ///< that works in this memory
    Ref<Allocation> allocation;
    /// Of `device`, for bytes that come here or go from here; null: each time a new one.
    Ref<Queue> mover = nullptr;
  };
  /// Bytes of one copy.
  struct Part {
    uint32_t copy;
    ByteRange bytes;
  };

  /// What the bytes are at first: undefined contents are as good in one copy as in another.
  enum class Contents : bool { Undefined, InFirstCopy };
  Replicas(std::vector<Replica> copies, Contents contents);

  size_t size() const { return copies_.size(); }
  const Replica& copy(uint32_t index) const { return copies_[index]; }

  /// For a command whose dependencies are met: true when `bytes` can be accessed in `copy`; where
  /// it writes, they are out of date in the other copies from now on. Otherwise they are being
  /// brought there, and `waiting` is told, which then asks again.
  bool bring(uint32_t copy, Access access, ByteRange bytes, AwaitsMemory& waiting);

  /// Where `bytes` are up to date, as parts that together are all of them: in `preferred`, what is
  /// there.
  std::vector<Part> find(ByteRange bytes, uint32_t preferred) const;
  /// How many of `bytes` would have to be brought to `copy`.
  uint64_t missing(uint32_t copy, ByteRange bytes) const;

private:
  class Move;

  struct Waiting {
    AwaitsMemory* command;
    ByteRange bytes;
  };
  struct CopyState {
    ByteRanges valid;
    /// Being brought. What is written elsewhere meanwhile is no longer among them.
    ByteRanges onTheWay;
    std::vector<Waiting> waiting;
  };
  struct State {
    std::vector<CopyState> copies;
  };

  static void write(State& state, uint32_t copy, ByteRange bytes);
  static std::vector<Part> findMissing(State& state, uint32_t copy, ByteRange bytes);
  void move(const std::vector<Part>& parts, uint32_t to);
  void moveByWayOfHost(const Part& part, uint32_t to, const Copy& copy);
  static Result<Ref<Queue>> moverOf(const Replica& replica);
  void moved(uint32_t to, ByteRange bytes, cl_int status);

  const std::vector<Replica> copies_;
  mutable MutexProtected<State> state_;
};

} // namespace quern::device
