#include "compiler/work_items/work_item_lowering.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/MDBuilder.h>
#include <llvm/IR/Module.h>

#include "abi/cpu_kernel.h"
#include "compiler/il/kernel_function.h"
#include "compiler/il/names.h"
#include "compiler/il/sub_group_form.h"
#include "compiler/il/work_item_functions.h"
#include "compiler/work_items/collective_lowering.h"
#include "compiler/work_items/sub_group_forms.h"

namespace quern::compiler {
namespace {

class WorkItemLowering {
public:
  explicit WorkItemLowering(llvm::Function& item)
      : item_(item), builder_(item.getContext()), int64_(builder_.getInt64Ty()) {}

  void run() {
    useRequiredSize();
    llvm::SmallVector<llvm::CallInst*> calls;
    for (llvm::Instruction& instruction : llvm::instructions(item_))
      if (auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction))
        calls.push_back(call);
    for (llvm::CallInst* call : calls)
      if (const llvm::Function* callee = call->getCalledFunction())
        lower(*call, callee->getName());
  }

private:
  /// With the attribute "uniform-work-group-size", every group has exactly the required size.
  void useRequiredSize() {
    required_ = requiredWorkGroupSize(item_);
    if (required_[0] == 0 || !hasUniformGroups(item_))
      return;
    for (unsigned dimension = 0; dimension < maxDimensions; ++dimension) {
      implicitArgument(item_, ImplicitArgument::Size, dimension)
          ->replaceAllUsesWith(llvm::ConstantInt::get(int64_, required_[dimension]));
      sizeIsKnown_ = true;
    }
  }

  void lower(llvm::CallInst& call, llvm::StringRef name) {
    // The step sub-groups lowers what depends on the form of the kernel.
    if (isSubGroupPlace(call) || isSubGroupOperation(call))
      return;
    builder_.SetInsertPoint(&call);
    if (const auto function = workItemFunction(name)) {
      call.replaceAllUsesWith(value(*function, call));
      call.eraseFromParent();
      return;
    }
    if (name == names::printer || name == names::groupScratch) {
      call.replaceAllUsesWith(implicitArgument(
          item_, name == names::printer ? ImplicitArgument::Launch : ImplicitArgument::Scratch));
      call.eraseFromParent();
    } else if (isBarrier(name))
      lowerGroupBarrier(call);
    else if (isSubGroupBarrier(name))
      lowerBarrier(call, names::subGroupBarrier, subGroupScope);
    else if (isLibraryCollective(call))
      lowerCollective(call);
  }

  /// A work-item that is alone waits for nobody.
  void lowerGroupBarrier(llvm::CallInst& call) {
    const auto* scope =
        call.arg_size() > 1 ? llvm::dyn_cast<llvm::ConstantInt>(call.getArgOperand(1)) : nullptr;
    const bool isOfGroup =
        call.arg_size() == 1 || (scope && (scope->getZExtValue() <= workGroupScope ||
                                           scope->getZExtValue() == subGroupScope));
    if (required_ == std::array<uint64_t, 3>{1, 1, 1} && isOfGroup)
      call.eraseFromParent();
    else
      lowerBarrier(call, names::barrier, workGroupScope);
  }

  llvm::Value* value(WorkItemFunction function, llvm::CallInst& call) {
    switch (function) {
    case WorkItemFunction::WorkDim:
      return builder_.CreateTrunc(load(offsetof(abi::LaunchInfo, workDim), 1, 4), call.getType(),
                                  "work.dim");
    case WorkItemFunction::GlobalLinearId:
      return globalLinearId(builder_, [&](WorkItemFunction asked, unsigned dimension) {
        return inDimension(asked, dimension);
      });
    case WorkItemFunction::LocalLinearId:
      return localLinearId();
    case WorkItemFunction::MaxSubGroupSize:
    case WorkItemFunction::NumSubGroups:
    case WorkItemFunction::EnqueuedNumSubGroups:
      return builder_.CreateTrunc(ofSubGroup(function), call.getType());
    default:
      return selectDimension(builder_, function, call.getArgOperand(0),
                             [&](unsigned dimension) { return inDimension(function, dimension); });
    }
  }

  llvm::Value* inDimension(WorkItemFunction function, unsigned dimension) {
    const uint64_t index = dimension * sizeof(uint64_t);
    switch (function) {
    case WorkItemFunction::GlobalSize:
      return load(offsetof(abi::LaunchInfo, globalSize) + index, 1, 0);
    case WorkItemFunction::GlobalId:
      return globalId(dimension);
    case WorkItemFunction::LocalSize:
      return localSize(dimension);
    case WorkItemFunction::EnqueuedLocalSize:
      return required_[0] != 0 ? llvm::ConstantInt::get(int64_, required_[dimension])
                               : load(offsetof(abi::LaunchInfo, localSize) + index, 1, 0);
    case WorkItemFunction::LocalId:
      return required_[dimension] == 1 ? llvm::cast<llvm::Value>(builder_.getInt64(0))
                                       : implicitArgument(item_, ImplicitArgument::Item, dimension);
    case WorkItemFunction::NumGroups:
      return load(offsetof(abi::LaunchInfo, groupCount) + index, 1, 0);
    case WorkItemFunction::GroupId:
      return implicitArgument(item_, ImplicitArgument::Group, dimension);
    case WorkItemFunction::GlobalOffset:
      if (hasZeroOffset(item_))
        return builder_.getInt64(0);
      return load(offsetof(abi::LaunchInfo, globalOffset) + index, 0, 0);
    default:
      llvm_unreachable("not a function of a dimension");
    }
  }

  llvm::Value* globalId(unsigned dimension) {
    return builder_.CreateNUWAdd(implicitArgument(item_, ImplicitArgument::First, dimension),
                                 implicitArgument(item_, ImplicitArgument::Item, dimension),
                                 "global.id");
  }

  llvm::Value* localSize(unsigned dimension) {
    return sizeIsKnown_
               ? llvm::cast<llvm::Value>(llvm::ConstantInt::get(int64_, required_[dimension]))
               : implicitArgument(item_, ImplicitArgument::Size, dimension);
  }

  llvm::Value* localLinearId() {
    llvm::Value* id = implicitArgument(item_, ImplicitArgument::Item, 2);
    for (unsigned dimension : {1u, 0u})
      id = builder_.CreateNUWAdd(builder_.CreateNUWMul(id, localSize(dimension)),
                                 implicitArgument(item_, ImplicitArgument::Item, dimension));
    return id;
  }

  /// What is the same for all sub-groups of a work-group.
  llvm::Value* ofSubGroup(WorkItemFunction function) {
    llvm::Value* full = llvm::ConstantInt::get(int64_, subGroupSize(item_));
    const auto least = [&](llvm::Value* a, llvm::Value* b) {
      return builder_.CreateBinaryIntrinsic(llvm::Intrinsic::umin, a, b);
    };
    const auto count = [&](llvm::Value* items) {
      llvm::Value* rest = builder_.CreateNUWAdd(items, builder_.getInt64(subGroupSize(item_) - 1));
      return builder_.CreateUDiv(rest, full);
    };
    switch (function) {
    case WorkItemFunction::MaxSubGroupSize:
      return least(groupItems(WorkItemFunction::EnqueuedLocalSize), full);
    case WorkItemFunction::NumSubGroups:
      return count(groupItems(WorkItemFunction::LocalSize));
    case WorkItemFunction::EnqueuedNumSubGroups:
      return count(groupItems(WorkItemFunction::EnqueuedLocalSize));
    default:
      llvm_unreachable("not a function of a sub-group");
    }
  }

  /// The number of work-items in a work-group with these sizes.
  llvm::Value* groupItems(WorkItemFunction size) {
    llvm::Value* items = inDimension(size, 0);
    for (unsigned dimension : {1u, 2u})
      items = builder_.CreateNUWMul(items, inDimension(size, dimension));
    return items;
  }

  /// A field of LaunchInfo, which does not change while the kernel runs; `low` and `high` bound its
  /// value (0: no bound).
  llvm::Value* load(uint64_t offset, uint64_t low, uint64_t high) {
    llvm::Value* address = builder_.CreateConstInBoundsGEP1_64(
        builder_.getInt8Ty(), implicitArgument(item_, ImplicitArgument::Launch), offset);
    llvm::LoadInst* value = builder_.CreateAlignedLoad(int64_, address, llvm::Align(8));
    llvm::LLVMContext& context = item_.getContext();
    value->setMetadata(llvm::LLVMContext::MD_invariant_load, llvm::MDNode::get(context, {}));
    value->setMetadata(llvm::LLVMContext::MD_noundef, llvm::MDNode::get(context, {}));
    if (low != high)
      value->setMetadata(
          llvm::LLVMContext::MD_range,
          llvm::MDBuilder(context).createRange(llvm::APInt(64, low), llvm::APInt(64, high)));
    return value;
  }

  llvm::Function& item_;
  llvm::IRBuilder<> builder_;
  llvm::Type* int64_;
  std::array<uint64_t, 3> required_ = {0, 0, 0};
  bool sizeIsKnown_ = false;
};

} // namespace

void lowerWorkItemFunctions(llvm::Function& item) {
  WorkItemLowering(item).run();
}

} // namespace quern::compiler
