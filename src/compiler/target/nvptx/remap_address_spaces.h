#pragma once

#include <llvm/IR/PassManager.h>

#include "compiler/passes/contract.h"

namespace quern::compiler {

/// Numbers of address spaces in IR for NVPTX, where private memory is part of the generic space.
namespace nvptx_space {
inline constexpr unsigned generic = 0;
inline constexpr unsigned global = 1;
inline constexpr unsigned shared = 3;
inline constexpr unsigned inferredPrivate = 5; ///< where LLVM has found out that it is that
} // namespace nvptx_space

/// Gives pointers NVPTX's address spaces. Constant memory becomes global memory that is only read:
/// a buffer cannot be moved into the machine's constant bank. Kernel arguments that point to it are
/// marked as read-only.
class RemapAddressSpacesPass : public llvm::PassInfoMixin<RemapAddressSpacesPass> {
public:
  static constexpr Contract contract = {.required = {Property::OpaqueTypesLowered},
                                        .set = {Property::NvptxAddressSpaces}};

  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager&);
  static bool isRequired() { return true; }
};

} // namespace quern::compiler
