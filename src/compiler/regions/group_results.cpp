#include "compiler/regions/group_results.h"

#include <llvm/ADT/SetVector.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/PromoteMemToReg.h>

#include "compiler/il/boundary.h"
#include "compiler/il/collective.h"
#include "compiler/il/group_shape.h"
#include "compiler/il/kernel_function.h"
#include "compiler/il/names.h"

namespace quern::compiler {
namespace {

using llvm::Value;

class GroupResults {
public:
  explicit GroupResults(llvm::Function& item) : item_(item), builder_(item.getContext()) {}

  bool run() {
    llvm::SmallVector<llvm::CallInst*> calls;
    for (llvm::Instruction& instruction : llvm::instructions(item_)) {
      const std::optional<Boundary> boundary = boundaryOf(instruction);
      // Branches on what differs among work-items leave nothing uniform where sub-groups meet.
      if (boundary && isOfSubGroup(*boundary))
        return false;
      if (boundary == Boundary::GroupCollective &&
          hasUniformResult(llvm::cast<llvm::CallInst>(instruction)))
        calls.push_back(llvm::cast<llvm::CallInst>(&instruction));
    }
    for (llvm::CallInst* call : calls)
      store(*call);
    operands_.remove_if(
        [](const llvm::AllocaInst* variable) { return !llvm::isAllocaPromotable(variable); });
    if (operands_.empty())
      return false;
    llvm::DominatorTree dominators(item_);
    llvm::PromoteMemToReg(operands_.getArrayRef(), dominators);
    return true;
  }

private:
  void store(llvm::CallInst& call) {
    builder_.SetInsertPoint(&call);
    const llvm::StringRef name = combineName(call);
    auto* result = llvm::cast<llvm::AllocaInst>(call.getArgOperand(1)->stripPointerCasts());
    if (name.starts_with("broadcast_")) {
      Value* value = operand(call, 2);
      storeIf(builder_.CreateICmpEQ(linearId(), operand(call, 3)), value, *result, call);
    } else if (name == "any" || name == "all") {
      // A branch on a value that is not defined is worse than a vote on it.
      Value* holds = builder_.CreateIsNotNull(builder_.CreateFreeze(operand(call, 2)));
      if (name == "any")
        storeIf(holds, builder_.getInt32(1), *result, call);
      else
        storeIf(builder_.CreateNot(holds), builder_.getInt32(0), *result, call);
    }
  }

  Value* operand(llvm::CallInst& call, unsigned number) {
    auto* variable = llvm::cast<llvm::AllocaInst>(call.getArgOperand(number)->stripPointerCasts());
    operands_.insert(variable);
    call.removeParamAttr(number, llvm::Attribute::NonNull);
    call.setArgOperand(number, llvm::ConstantPointerNull::get(builder_.getPtrTy()));
    return builder_.CreateLoad(variable->getAllocatedType(), variable);
  }

  void storeIf(Value* condition, Value* value, llvm::AllocaInst& result, llvm::CallInst& call) {
    llvm::Instruction* end = llvm::SplitBlockAndInsertIfThen(condition, call.getIterator(), false);
    builder_.SetInsertPoint(end);
    builder_.CreateStore(value, &result);
  }

  /// In the dimensions in which work-items are counted, whose order is the program's.
  Value* linearId() {
    const bool isKnown = hasOwnShape(item_) || hasUniformGroups(item_);
    const std::array<uint64_t, 3> shape = groupShape(item_);
    Value* id = nullptr;
    for (unsigned dimension : {2u, 1u, 0u}) {
      if (isKnown && shape[dimension] == 1)
        continue;
      Value* size = isKnown && shape[dimension] != 0
                        ? llvm::cast<Value>(builder_.getInt64(shape[dimension]))
                        : implicitArgument(item_, ImplicitArgument::Size, dimension);
      Value* own = implicitArgument(item_, ImplicitArgument::Item, dimension);
      id = id ? builder_.CreateNUWAdd(builder_.CreateNUWMul(id, size), own) : own;
    }
    return id ? id : builder_.getInt64(0);
  }

  llvm::Function& item_;
  llvm::IRBuilder<> builder_;
  llvm::SmallSetVector<llvm::AllocaInst*, 8> operands_;
};

} // namespace

llvm::PreservedAnalyses GroupResultsPass::run(llvm::Function& function,
                                              llvm::FunctionAnalysisManager&) {
  if (!function.hasFnAttribute(names::kernelAttribute) || !GroupResults(function).run())
    return llvm::PreservedAnalyses::all();
  return llvm::PreservedAnalyses::none();
}

} // namespace quern::compiler
