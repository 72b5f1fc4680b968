#pragma once

#include "runtime/memory.h"

namespace quern::runtime {

/// A pipe: memory that kernels alone read and write, as abi/pipe.h lays it out.
class Pipe final : public MemoryObject {
public:
  /// `creation.bytes` is left to this. Fails with CL_MEM_OBJECT_ALLOCATION_FAILURE.
  static Result<Ref<Pipe>> create(Context& context, Creation creation, cl_uint packetBytes,
                                  cl_uint capacity);

  cl_uint packetBytes() const { return packetBytes_; }
  /// In packets.
  cl_uint capacity() const { return capacity_; }

  /// Pipes are never mapped.
  device::Work moveMapped(const Device&, const Mapping&, Direction) const override {
    return device::Nothing();
  }
  ByteRange bytesOf(const Mapping&) const override { return {}; }

private:
  template <typename T, typename... Args> friend Ref<T> quern::makeRef(Args&&... args);
  Pipe(Ref<Context> context, const Creation& creation, Ref<Storage> storage, cl_uint packetBytes,
       cl_uint capacity);
  ~Pipe() override;

  const cl_uint packetBytes_;
  const cl_uint capacity_;
};

} // namespace quern::runtime
