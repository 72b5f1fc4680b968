#include "compiler/target/x86/byte_shuffles.h"

#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>

#include "compiler/codegen/machine.h"
#include "compiler/il/preserved_analyses.h"

namespace quern::compiler {
namespace {

/// Of a register of AVX-512.
constexpr int registerBytes = 64;

/// Takes the element that has the same place, where none is asked for.
bool complete(llvm::ShuffleVectorInst& shuffle) {
  const auto* from = llvm::dyn_cast<llvm::FixedVectorType>(shuffle.getOperand(0)->getType());
  llvm::SmallVector<int, registerBytes> mask(shuffle.getShuffleMask());
  if (!from || !from->getElementType()->isIntegerTy(8) ||
      mask.size() < static_cast<size_t>(registerBytes) ||
      !llvm::is_contained(mask, llvm::PoisonMaskElem))
    return false;
  const auto elements = static_cast<int>(from->getNumElements());
  for (int place = 0; int& element : mask) {
    if (element == llvm::PoisonMaskElem)
      element = place % elements;
    ++place;
  }
  shuffle.setShuffleMask(mask);
  return true;
}

} // namespace

ByteShufflesPass::ByteShufflesPass(const PassSettings& settings)
    : hasPermutations_(hasFeature(settings.machine, "avx512vbmi")) {}

llvm::PreservedAnalyses ByteShufflesPass::run(llvm::Function& function,
                                              llvm::FunctionAnalysisManager&) {
  bool changed = false;
  if (hasPermutations_)
    for (llvm::Instruction& instruction : llvm::instructions(function))
      if (auto* shuffle = llvm::dyn_cast<llvm::ShuffleVectorInst>(&instruction))
        changed |= complete(*shuffle);
  return preservedWithCfg(changed);
}

} // namespace quern::compiler
