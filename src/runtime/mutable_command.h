#pragma once

#include <array>
#include <vector>

#include <CL/cl.h>
#include <CL/cl_ext.h>

#include "base/ref.h"
#include "runtime/kernel.h"
#include "runtime/object.h"

namespace quern::runtime {

class CommandBuffer;

/// The sizes of an NDRange as the program gave them.
struct GivenRange {
  cl_uint workDim = 0;
  std::array<size_t, 3> offset = {0, 0, 0};
  std::array<size_t, 3> global = {0, 0, 0};
  std::array<size_t, 3> local = {0, 0, 0};
  bool hasLocal = false; ///< otherwise the driver chooses
};

/// A kernel launch in a command buffer, as the program knows it. Lives as long as the command
/// buffer, of which it is a part, and which knows what of it may change.
class MutableCommand final : public Object {
public:
  struct Creation {
    Ref<Kernel> kernel; ///< as the program named it
    /// The program's zero-terminated list, empty when it gave none.
    std::vector<cl_properties> propertyList;
    cl_bitfield fields = 0; ///< CL_MUTABLE_DISPATCH_xxx_KHR: what may change
  };

  MutableCommand(CommandBuffer& buffer, uint32_t number, Creation creation)
      : Object(ObjectKind::MutableCommand), buffer_(buffer), number_(number),
        creation_(std::move(creation)) {}

  const Context* owningContext() const override { return &creation_.kernel->context(); }
  CommandBuffer& buffer() const { return buffer_; }
  /// Of the command in the buffer.
  uint32_t number() const { return number_; }
  Kernel& kernel() const { return *creation_.kernel; }
  const std::vector<cl_properties>& propertyList() const { return creation_.propertyList; }
  cl_bitfield fields() const { return creation_.fields; }

private:
  CommandBuffer& buffer_;
  const uint32_t number_;
  const Creation creation_;
};

/// What of a launch in a command buffer may change.
struct MutableLaunch {
  Ref<Kernel> arguments; ///< with the arguments of the launch; nobody changes them
  GivenRange range;
};

} // namespace quern::runtime
