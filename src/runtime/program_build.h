#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/ref.h"
#include "base/result.h"
#include "compiler/interface/compiler.h"
#include "runtime/build_options.h"
#include "runtime/program.h"

namespace quern::runtime {

/// One call of clBuildProgram, clCompileProgram or clLinkProgram after its arguments were checked.
struct ProgramBuild {
  using Inputs = std::vector<std::shared_ptr<const ProgramBinary>>;

  BuildStep step = BuildStep::Build;
  Ref<Program> program;
  std::vector<size_t> devices; ///< indices into the program's devices
  std::string optionsText;
  compiler::Options options;
  std::vector<compiler::Header> headers;                     ///< of Compile
  std::vector<compiler::SpecializationValue> specialization; ///< of a program made from SPIR-V
  /// Of Link: what to link for each of `devices`; nothing for a device that gets no executable.
  std::vector<Inputs> inputs;
  /// Of a program of built-in kernels; a device that has none of them gets no executable.
  std::vector<std::string> builtInKernels;
};

/// Runs a build that Program::beginBuild announced, and ends it for every device whatever happens.
/// Takes long; hold no lock. Fails with CL_BUILD_PROGRAM_FAILURE, CL_COMPILE_PROGRAM_FAILURE or
/// CL_LINK_PROGRAM_FAILURE when it did not succeed for every device; with CL_COMPILER_NOT_AVAILABLE
/// or CL_LINKER_NOT_AVAILABLE; for a program made from binaries with CL_INVALID_BINARY.
Status runBuild(const ProgramBuild& build);

/// A program of built-in kernels (clCreateProgramWithBuiltInKernels), built for those of `devices`
/// that have some of them. Takes long where the program cache does not have it. Fails with
/// CL_OUT_OF_RESOURCES where the compiler cannot make them.
Result<Ref<Program>> createBuiltInProgram(Context& context, std::vector<Ref<Device>> devices,
                                          std::vector<std::string> kernelNames);

/// The program's function that hears of the end of a build.
using BuildNotifyFunction = void(CL_CALLBACK*)(cl_program, void*);

/// Runs the build on a thread of its own and then calls `notify` on the callback thread, once,
/// however the build ended.
void startBuild(ProgramBuild build, BuildNotifyFunction notify, void* userData);

} // namespace quern::runtime
