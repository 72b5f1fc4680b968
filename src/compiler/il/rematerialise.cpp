#include "compiler/il/rematerialise.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/Analysis/InstructionSimplify.h>
#include <llvm/Analysis/ValueTracking.h>

namespace quern::compiler {
namespace {

using llvm::Value;

/// Instructions one behind the other.
constexpr unsigned maxDepth = 10;

class Copies {
public:
  Copies(llvm::IRBuilderBase& builder, llvm::function_ref<Value*(Value*)> known)
      : builder_(builder), known_(known),
        query_(builder.GetInsertBlock()->getModule()->getDataLayout(), nullptr, nullptr, nullptr,
               nullptr, /*UseInstrInfo=*/false) {}

  Value* of(Value* value) {
    const auto made = made_.find(value);
    return made != made_.end() ? made->second : made_[value] = make(value);
  }

private:
  Value* make(Value* value) {
    if (Value* known = known_(value))
      return known;
    auto* instruction = llvm::cast<llvm::Instruction>(value);
    llvm::SmallVector<Value*, 4> operands;
    for (Value* operand : instruction->operands())
      operands.push_back(of(operand));
    if (Value* simple = llvm::simplifyInstructionWithOperands(instruction, operands, query_))
      return simple;
    llvm::Instruction* copy = instruction->clone();
    for (unsigned i = 0; i < operands.size(); ++i)
      copy->setOperand(i, operands[i]);
    copy->dropPoisonGeneratingFlags();
    return builder_.Insert(copy);
  }

  llvm::IRBuilderBase& builder_;
  llvm::function_ref<Value*(Value*)> known_;
  llvm::SimplifyQuery query_;
  llvm::DenseMap<Value*, Value*> made_;
};

bool canCopy(const Value* value, llvm::function_ref<bool(const Value*)> isKnown, unsigned depth) {
  if (isKnown(value))
    return true;
  const auto* instruction = llvm::dyn_cast<llvm::Instruction>(value);
  return instruction && depth < maxDepth &&
         !llvm::isa<llvm::PHINode, llvm::FreezeInst>(instruction) &&
         !instruction->mayReadFromMemory() && llvm::isSafeToSpeculativelyExecute(instruction) &&
         llvm::all_of(
             instruction->operands(),
             [&](const llvm::Use& operand) { return canCopy(operand.get(), isKnown, depth + 1); });
}

} // namespace

Value* rematerialise(llvm::IRBuilderBase& builder, Value* value,
                     llvm::function_ref<Value*(Value*)> known) {
  return Copies(builder, known).of(value);
}

bool canRematerialise(const Value* value, llvm::function_ref<bool(const Value*)> isKnown) {
  return canCopy(value, isKnown, 0);
}

} // namespace quern::compiler
