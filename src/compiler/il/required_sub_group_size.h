#pragma once

#include <llvm/IR/Constants.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/Metadata.h>

namespace quern::compiler {

/// What intel_reqd_sub_group_size asks of a kernel, or 0.
inline uint64_t requiredSubGroupSize(const llvm::Function& kernel) {
  const llvm::MDNode* node = kernel.getMetadata("intel_reqd_sub_group_size");
  if (!node || node->getNumOperands() == 0)
    return 0;
  return llvm::mdconst::extract<llvm::ConstantInt>(node->getOperand(0))->getZExtValue();
}

} // namespace quern::compiler
