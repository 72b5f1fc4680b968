#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/mutex_protected.h"
#include "base/ref.h"
#include "base/result.h"
#include "device/memory.h"
#include "runtime/byte_ranges.h"
#include "runtime/context.h"
#include "runtime/device.h"

namespace quern::runtime {

/// What a command does with a range of bytes of a memory object: `Write` means each of them, so
/// that what they were does not matter.
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

/// The bytes of a buffer or an image, shared by those made of it: a copy for each memory that
/// devices of the context work in. Devices that work in the host's memory share one. It is known
/// which bytes of each copy are up to date. Commands that are about to run have those that they
/// need brought to where they need them, and no others. Thread-safe.
class Storage final : public RefCounted {
public:
  struct Request {
    uint64_t bytes = 0;
    /// The program's memory to be used (CL_MEM_USE_HOST_PTR), or null.
    std::byte* hostPointer = nullptr;
    /// What `hostPointer` is part of, or null.
    Ref<RefCounted> keep = nullptr;
    /// The only copy, of one device's memory from outside; or null.
    Ref<device::Allocation> onDevice = nullptr;
    /// `hostPointer` points into memory of clSVMAlloc, which all devices use where it is.
    bool usesSvm = false;
    /// What the bytes are at first, or null.
    const void* initial = nullptr;
    /// `initial` is only for so many of them, from the first on.
    uint64_t initialBytes = UINT64_MAX;
  };
  /// Fails with CL_MEM_OBJECT_ALLOCATION_FAILURE. Blocks while the first contents are brought to a
  /// device.
  static Result<Ref<Storage>> create(Context& context, const Request& request);

  /// What commands on a device of the context use.
  device::Allocation& allocationOn(const Device& device) const {
    return *copies_[copyOn(device)].allocation;
  }
  /// There is only one copy, so that the bytes are always where they are needed.
  bool isInOnePlace() const { return copies_.size() == 1; }
  /// The host sees what commands do without further ado.
  bool isUnified() const { return isInOnePlace() && hasHostCopy(); }
  /// One of the copies is in the host's memory: maps point there.
  bool hasHostCopy() const { return copies_.front().allocation->hostPointer() != nullptr; }

  /// Where maps of byte 0 point: the same in every call. Fails with
  /// CL_MEM_OBJECT_ALLOCATION_FAILURE.
  Result<std::byte*> hostMemory();

  /// Where a command of `device` needs the bytes; some need them in the host's memory, where there
  /// is a copy.
  uint32_t copyFor(const Device& device, bool isAboutHostCopy) const {
    return isAboutHostCopy && hasHostCopy() ? 0 : copyOn(device);
  }
  /// For a command whose dependencies are met: true when `bytes` can be accessed in `copy`; where
  /// it writes, they are out of date in the other copies from now on. Otherwise they are being
  /// brought there, and `waiting` is told, which then asks again.
  bool bring(uint32_t copy, Access access, ByteRange bytes, AwaitsMemory& waiting);

private:
  template <typename T, typename... Args> friend Ref<T> quern::makeRef(Args&&... args);
  class Move;

  struct Copy {
    Ref<device::Device> device; ///< the first that works in this memory
    Ref<device::Allocation> allocation;
  };
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
    /// For maps where neither a device's memory nor the program's will do.
    Ref<device::Allocation> mapped;
  };

  /// Bytes to be brought from a copy.
  struct Part {
    uint32_t from;
    ByteRange bytes;
  };

  enum class Contents : bool { Undefined, InFirstCopy };
  Storage(std::vector<Copy> copies, const Request& request, Contents contents);
  uint32_t copyOn(const Device& device) const;
  static void write(State& state, uint32_t copy, ByteRange bytes);
  static std::vector<Part> findMissing(State& state, uint32_t copy, ByteRange bytes);
  void move(const std::vector<Part>& parts, uint32_t to);
  void moved(uint32_t to, ByteRange bytes, cl_int status);

  /// The one in the host's memory comes first.
  const std::vector<Copy> copies_;
  std::byte* const hostPointer_;
  const Ref<RefCounted> kept_;
  MutexProtected<State> state_;
};

} // namespace quern::runtime
