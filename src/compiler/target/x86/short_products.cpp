#include "compiler/target/x86/short_products.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/PatternMatch.h>

#include "compiler/il/preserved_analyses.h"

using namespace llvm::PatternMatch;

namespace quern::compiler {
namespace {

constexpr unsigned shortBits = 16;
constexpr unsigned productBits = 32;

bool isShiftedBeyondAShort(const llvm::Instruction& product) {
  return llvm::any_of(product.users(), [](const llvm::User* user) {
    const llvm::APInt* distance;
    return match(user, m_Shr(m_Value(), m_APInt(distance))) && distance->ugt(shortBits);
  });
}

bool isShortProduct(const llvm::Instruction& instruction) {
  if (instruction.getOpcode() != llvm::Instruction::Mul || !instruction.getType()->isVectorTy() ||
      instruction.getType()->getScalarSizeInBits() <= productBits)
    return false;
  return isShiftedBeyondAShort(instruction) &&
         llvm::all_of(instruction.operands(), [&instruction](const llvm::Use& factor) {
           return llvm::ComputeMaxSignificantBits(factor, instruction.getDataLayout()) <= shortBits;
         });
}

void multiplyInProductBits(llvm::Instruction& product) {
  llvm::IRBuilder<> builder(&product);
  llvm::Type* type = product.getType()->getWithNewBitWidth(productBits);
  llvm::Value* narrow = builder.CreateNSWMul(builder.CreateTrunc(product.getOperand(0), type),
                                             builder.CreateTrunc(product.getOperand(1), type));
  product.replaceAllUsesWith(builder.CreateSExt(narrow, product.getType()));
  product.eraseFromParent();
}

} // namespace

llvm::PreservedAnalyses ShortProductsPass::run(llvm::Function& function,
                                               llvm::FunctionAnalysisManager&) {
  bool changed = false;
  for (llvm::Instruction& instruction : llvm::make_early_inc_range(llvm::instructions(function)))
    if (isShortProduct(instruction)) {
      multiplyInProductBits(instruction);
      changed = true;
    }
  return preservedWithCfg(changed);
}

} // namespace quern::compiler
