#include "compiler/program_limits.h"

#include <algorithm>

#include "base/sentence.h"
#include "compiler/il/address_space.h"
#include "compiler/il/argument_layout.h"
#include "compiler/il/kernel_function.h"

namespace quern::compiler {
namespace {

/// What devices load at most (devices/cpu/object_loader.cpp).
constexpr uint64_t maxVariableBytes = uint64_t{1} << 30;

Status failure(std::string text) {
  return Status::error(CL_BUILD_PROGRAM_FAILURE, std::move(text));
}

Status checkArguments(const llvm::Function& kernel) {
  uint64_t bytes = 0;
  for (const ArgumentPlace& place : layOutArguments(kernel, kernel.arg_size()).places)
    // Each at most, so that the sum cannot overflow.
    bytes += std::min(place.bytes, maxArgumentBytes + 1);
  if (bytes <= maxArgumentBytes)
    return {};
  return failure(sentence("the arguments of the kernel '", kernel.getName().str(),
                          "' have more than ", maxArgumentBytes, " bytes"));
}

} // namespace

Status checkProgramLimits(const llvm::Module& module) {
  uint64_t left = maxVariableBytes;
  for (const llvm::GlobalVariable& variable : module.globals()) {
    if (variable.getAddressSpace() == address_space::local || !variable.getValueType()->isSized())
      continue;
    const uint64_t bytes = module.getDataLayout().getTypeAllocSize(variable.getValueType());
    if (bytes > left)
      return failure(sentence("the variables of the program have more than ", maxVariableBytes,
                              " bytes, ", bytes, " of them '", variable.getName().str(), "'"));
    left -= bytes;
  }
  for (const llvm::Function& function : module)
    if (isClangKernel(function))
      QUERN_TRY(checkArguments(function));
  return {};
}

} // namespace quern::compiler
