#include "compiler/il/rematerialise.h"

#include <llvm/Analysis/InstructionSimplify.h>
#include <llvm/Analysis/ValueTracking.h>

namespace quern::compiler {
namespace {

using llvm::Value;

/// Instructions one behind the other.
constexpr unsigned maxRecomputedDepth = 10;

bool canCopy(const Value* value, llvm::function_ref<bool(const Value*)> isKnown, unsigned depth) {
  if (isKnown(value))
    return true;
  const auto* instruction = llvm::dyn_cast<llvm::Instruction>(value);
  return instruction && depth < maxRecomputedDepth &&
         !llvm::isa<llvm::PHINode, llvm::FreezeInst>(instruction) &&
         !instruction->mayReadFromMemory() && llvm::isSafeToSpeculativelyExecute(instruction) &&
         llvm::all_of(
             instruction->operands(),
             [&](const llvm::Use& operand) { return canCopy(operand.get(), isKnown, depth + 1); });
}

} // namespace

Rematerialiser::Rematerialiser(llvm::IRBuilderBase& builder, Known known, Promises promises)
    : builder_(builder), known_(std::move(known)), promises_(promises) {}

Value* Rematerialiser::of(Value* value) {
  if (llvm::isa<llvm::Constant>(value))
    return value;
  const auto made = made_.find(value);
  return made != made_.end() ? made->second : made_[value] = make(value);
}

Value* Rematerialiser::make(Value* value) {
  if (Value* known = known_(value))
    return known;
  auto* instruction = llvm::cast<llvm::Instruction>(value);
  llvm::SmallVector<Value*, 4> operands;
  for (Value* operand : instruction->operands())
    operands.push_back(of(operand));
  const llvm::SimplifyQuery query(instruction->getDataLayout(), nullptr, nullptr, nullptr, nullptr,
                                  /*UseInstrInfo=*/false);
  if (Value* simple = llvm::simplifyInstructionWithOperands(instruction, operands, query))
    return simple;
  llvm::Instruction* copy = instruction->clone();
  for (unsigned i = 0; i < operands.size(); ++i)
    copy->setOperand(i, operands[i]);
  if (promises_ == Promises::None)
    copy->dropPoisonGeneratingFlags();
  return builder_.Insert(copy, instruction->getName());
}

Value* rematerialise(llvm::IRBuilderBase& builder, Value* value, Rematerialiser::Known known) {
  return Rematerialiser(builder, std::move(known)).of(value);
}

bool canRematerialise(const Value* value, llvm::function_ref<bool(const Value*)> isKnown) {
  return canCopy(value, isKnown, 0);
}

} // namespace quern::compiler
