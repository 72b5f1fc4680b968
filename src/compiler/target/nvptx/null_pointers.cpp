#include "compiler/target/nvptx/null_pointers.h"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>

#include "compiler/il/preserved_analyses.h"
#include "compiler/target/nvptx/capability.h"
#include "compiler/target/nvptx/remap_address_spaces.h"

namespace quern::compiler {
namespace {

/// `constant` with null in place of conversions of null.
llvm::Constant* withoutConversions(llvm::Constant* constant) {
  auto* expression = llvm::dyn_cast<llvm::ConstantExpr>(constant);
  if (!expression)
    return constant;
  llvm::SmallVector<llvm::Constant*> operands;
  for (llvm::Use& operand : expression->operands())
    operands.push_back(withoutConversions(llvm::cast<llvm::Constant>(operand.get())));
  if (expression->getOpcode() == llvm::Instruction::AddrSpaceCast && operands[0]->isNullValue())
    return llvm::Constant::getNullValue(expression->getType());
  return expression->getWithOperands(operands);
}

bool replaceConstants(llvm::Instruction& instruction) {
  bool changed = false;
  for (llvm::Use& operand : instruction.operands()) {
    auto* constant = llvm::dyn_cast<llvm::ConstantExpr>(operand.get());
    llvm::Constant* replaced = constant ? withoutConversions(constant) : nullptr;
    if (replaced == constant)
      continue;
    operand.set(replaced);
    changed = true;
  }
  return changed;
}

bool hasWindow(unsigned space) {
  return space == nvptx_space::shared || space == nvptx_space::inferredPrivate;
}

/// Whether a conversion to or from a space that the generic one sees through a window may get a
/// null pointer.
bool mayConvertNull(const llvm::AddrSpaceCastInst& cast) {
  return (hasWindow(cast.getSrcAddressSpace()) || hasWindow(cast.getDestAddressSpace())) &&
         !llvm::isa<llvm::GlobalVariable, llvm::AllocaInst>(
             llvm::getUnderlyingObject(cast.getPointerOperand(), 0));
}

void keepNull(llvm::AddrSpaceCastInst& cast) {
  llvm::IRBuilder<> builder(cast.getNextNode());
  llvm::Value* isNull = builder.CreateIsNull(cast.getPointerOperand());
  auto* kept = llvm::cast<llvm::Instruction>(
      builder.CreateSelect(isNull, llvm::Constant::getNullValue(cast.getType()), &cast));
  cast.replaceUsesWithIf(kept, [&](const llvm::Use& use) { return use.getUser() != kept; });
}

} // namespace

NullPointersPass::NullPointersPass(const PassSettings& settings)
    : isNothingAtZero_(computeCapability(settings.machine) >= 80) {}

llvm::PreservedAnalyses NullPointersPass::run(llvm::Function& function,
                                              llvm::FunctionAnalysisManager&) {
  bool changed = false;
  for (llvm::Instruction& instruction : llvm::make_early_inc_range(llvm::instructions(function))) {
    changed |= replaceConstants(instruction);
    if (auto* cast = llvm::dyn_cast<llvm::AddrSpaceCastInst>(&instruction);
        cast && isNothingAtZero_ && mayConvertNull(*cast)) {
      keepNull(*cast);
      changed = true;
    }
  }
  return preservedWithCfg(changed);
}

} // namespace quern::compiler
