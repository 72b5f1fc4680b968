#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/file_descriptor.h"
#include "base/ref.h"
#include "base/result.h"
#include "device/memory.h"
#include "runtime/device.h"

namespace quern::runtime {

/// Memory of another process or interface that a memory object is made of, by a file descriptor. It
/// is mapped where devices that work in the host's memory use it as it is; the others have copies,
/// which are brought there when the object is acquired and back when it is released. Where it
/// cannot be mapped, it is one device's own.
class ExternalMemory final : public RefCounted {
public:
  enum class Kind : uint8_t { OpaqueDescriptor, DmaBuf };

  struct Request {
    Kind kind;
    int file;       ///< stays the caller's
    uint64_t bytes; ///< from the first one on
    /// With which it is used: all of a context, or some.
    std::vector<Ref<Device>> devices;
    /// The context has but one device, so that the memory need not be mapped.
    bool mayBeOnDevice;
    /// Of a memory object of this kind that is larger than the memory.
    cl_int tooLarge;
  };
  /// Fails with CL_INVALID_PROPERTY when the descriptor is of no such memory, CL_INVALID_VALUE when
  /// it is not open.
  static Result<Ref<ExternalMemory>> import(Request request);

  /// Whether this machine can give out dma-bufs, which need drivers that most machines without a
  /// display have not.
  static bool hasDmaBufs();

  bool isFor(const Device& device) const;
  /// Null where the memory is a device's own.
  std::byte* data() const { return data_; }
  /// Null where the memory is mapped.
  const Ref<device::Allocation>& onDevice() const { return onDevice_; }

  /// Tells the driver of a dma-buf that processors are about to access it, or have done so. May
  /// block until other devices have ended what they do with it.
  Status beginAccess() const;
  Status endAccess() const;
  bool needsAccessCalls() const { return kind_ == Kind::DmaBuf; }

private:
  template <typename T, typename... Args> friend Ref<T> quern::makeRef(Args&&... args);
  ExternalMemory(Request request, FileDescriptor file, std::byte* data,
                 Ref<device::Allocation> onDevice);
  ~ExternalMemory() override;

  const Kind kind_;
  const FileDescriptor file_;
  const uint64_t bytes_;
  const std::vector<Ref<Device>> devices_;
  std::byte* const data_;
  const Ref<device::Allocation> onDevice_;
};

} // namespace quern::runtime
