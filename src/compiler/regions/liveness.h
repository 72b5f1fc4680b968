#pragma once

#include <vector>

#include <llvm/ADT/BitVector.h>
#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/SetVector.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/Instruction.h>

namespace quern::compiler {

/// Which values are needed after the start of a block: the classical backward data-flow problem,
/// over instructions that are used outside their block. Private variables are places, not values,
/// and are left out.
class Liveness {
public:
  explicit Liveness(llvm::Function& function);

  /// Values live where `block`, which has no phi, begins; in the order of the function.
  llvm::SetVector<llvm::Instruction*> atStart(const llvm::BasicBlock& block) const;

private:
  struct BlockSets {
    llvm::BitVector usedBeforeDefined, defined, usedBySuccessorPhis, liveIn;
  };
  void collect(llvm::BasicBlock& block);
  bool update(const llvm::BasicBlock& block);

  std::vector<llvm::Instruction*> values_;
  llvm::DenseMap<const llvm::Instruction*, unsigned> indices_;
  llvm::DenseMap<const llvm::BasicBlock*, BlockSets> blocks_;
};

} // namespace quern::compiler
