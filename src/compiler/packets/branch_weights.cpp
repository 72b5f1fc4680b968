#include "compiler/packets/branch_weights.h"

#include <utility>

#include <llvm/IR/ProfDataUtils.h>

#include "compiler/target/target_model.h"

namespace quern::compiler {

bool isUnlikely(const llvm::BranchInst& branch, bool condition) {
  uint64_t taken = 0, other = 0;
  if (!llvm::extractBranchWeights(branch, taken, other))
    return false;
  if (!condition)
    std::swap(taken, other);
  return static_cast<double>(taken) <=
         TargetModel::rare * (static_cast<double>(taken) + static_cast<double>(other));
}

bool isBiased(const llvm::BranchInst& branch) {
  return isUnlikely(branch, true) || isUnlikely(branch, false);
}

} // namespace quern::compiler
