#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/mutex_protected.h"
#include "base/ref.h"
#include "base/result.h"
#include "compiler/interface/compiler.h"
#include "device/device.h"
#include "runtime/context.h"
#include "runtime/device.h"
#include "runtime/object.h"
#include "runtime/program_binary.h"
#include "runtime/program_code.h"
#include "spirv/specialization.h"

namespace quern::runtime {

/// Source, SPIR-V or binaries, and for each device what the last build, compile or link made of
/// them. A build marks its devices (beginBuild), works without a lock and delivers (endBuild);
/// meanwhile everything can be queried.
class Program final : public Object {
public:
  enum class Origin { Source, Il, Binary, Link, BuiltInKernels };

  /// The last build of one device. A program made from binaries has `binary` from the start and
  /// `code` once built.
  struct DeviceBuild {
    cl_build_status status = CL_BUILD_NONE;
    std::string options;
    std::string log;
    std::shared_ptr<const ProgramBinary> binary;
    std::shared_ptr<ProgramCode> code; ///< of a binary that is an executable
  };

  /// `builds` has an element for each of `devices`.
  Program(Context& context, Origin origin, std::string source, std::vector<Ref<Device>> devices,
          std::vector<DeviceBuild> builds);
  /// Of Origin::Il.
  Program(Context& context, Bytes il, std::vector<spirv::SpecializationConstant> constants,
          std::vector<Ref<Device>> devices);

  Context& context() const { return *context_; }
  const Context* owningContext() const override { return context_.get(); }
  Origin origin() const { return origin_; }
  /// Empty unless made from source.
  const std::string& source() const { return source_; }
  /// Empty unless made from SPIR-V.
  const Bytes& il() const { return il_; }
  /// Those that `il` has.
  std::span<const spirv::SpecializationConstant> specializationConstants() const {
    return constants_;
  }
  /// For the builds to come; replaces what was set for the same SpecId.
  void setSpecialization(compiler::SpecializationValue value);
  std::vector<compiler::SpecializationValue> specialization() const;
  std::span<const Ref<Device>> devices() const { return devices_; }
  std::optional<size_t> indexOf(const Device& device) const;

  DeviceBuild buildOf(size_t device) const;

  /// Marks `devices` (indices) as being built with `options`; what was built before is gone.
  /// CL_INVALID_OPERATION when one is being built already or kernels are attached.
  Status beginBuild(std::span<const size_t> devices, const std::string& options);
  void endBuild(size_t device, DeviceBuild build);
  /// Ends a build for which there was no memory, as failed. Allocates none; what a program was made
  /// from stays.
  void abandonBuild(size_t device);

  // Both wait for builds under way: a program may give clBuildProgram a callback, and create its
  // kernels as if it had given none.

  /// The names of the kernels that can be created, in the order of the source.
  /// CL_INVALID_PROGRAM_EXECUTABLE when no device has an executable.
  Result<std::vector<std::string>> kernelNames() const;

  /// Where the kernel `name` can run, and attaches it: until `detachKernel` the program cannot be
  /// built again. CL_INVALID_PROGRAM_EXECUTABLE without any executable, CL_INVALID_KERNEL_NAME, or
  /// CL_INVALID_KERNEL_DEFINITION when two devices have different kernels of this name.
  Result<std::vector<KernelPlace>> attachKernel(const std::string& name);
  void detachKernel();

private:
  struct State {
    std::vector<DeviceBuild> builds;
    std::vector<compiler::SpecializationValue> specialization;
    size_t attachedKernels = 0;
  };
  MutexProtected<State>::Guard afterBuilds() const;
  Result<std::vector<KernelPlace>> findKernel(const State& state, const std::string& name) const;

  const Ref<Context> context_;
  const Origin origin_;
  const std::string source_;
  const Bytes il_;
  const std::vector<spirv::SpecializationConstant> constants_;
  const std::vector<Ref<Device>> devices_;
  mutable MutexProtected<State> state_;
  mutable std::condition_variable_any buildEnded_;
};

} // namespace quern::runtime
