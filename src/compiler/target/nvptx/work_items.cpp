#include "compiler/target/nvptx/work_items.h"

#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicsNVPTX.h>
#include <llvm/IR/Module.h>

#include "abi/nvptx_kernel.h"
#include "compiler/il/kernel_function.h"
#include "compiler/il/names.h"
#include "compiler/il/sub_group_form.h"
#include "compiler/il/work_item_functions.h"
#include "compiler/target/nvptx/group_collectives.h"
#include "compiler/target/nvptx/kernels.h"
#include "compiler/target/nvptx/printf.h"
#include "compiler/target/nvptx/sub_group_collectives.h"
#include "compiler/target/nvptx/warp.h"

namespace quern::compiler {
namespace {

using llvm::Intrinsic::ID;

constexpr uint64_t maxGroupItems = 1024, maxDepth = 64;
/// Work-groups of a grid in the first and in the other dimensions.
constexpr uint64_t maxGridWidth = 0x7fffffff, maxGridHeight = 0xffff;

ID inDirection(ID first, unsigned dimension) {
  return static_cast<ID>(first + dimension);
}
static_assert(llvm::Intrinsic::nvvm_read_ptx_sreg_tid_y ==
                  llvm::Intrinsic::nvvm_read_ptx_sreg_tid_x + 1 &&
              llvm::Intrinsic::nvvm_read_ptx_sreg_ctaid_z ==
                  llvm::Intrinsic::nvvm_read_ptx_sreg_ctaid_x + 2 &&
              llvm::Intrinsic::nvvm_read_ptx_sreg_ntid_z ==
                  llvm::Intrinsic::nvvm_read_ptx_sreg_ntid_x + 2);

class Lowering {
public:
  Lowering(llvm::Function& kernel, unsigned capability)
      : kernel_(kernel), capability_(capability), builder_(kernel.getContext()),
        item_(kernel, builder_) {}

  void run() {
    llvm::SmallVector<llvm::CallInst*> calls;
    for (llvm::Instruction& instruction : llvm::instructions(kernel_))
      if (auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction);
          call && call->getCalledFunction())
        calls.push_back(call);
    for (llvm::CallInst* call : calls)
      lower(*call, call->getCalledFunction()->getName());
  }

private:
  void lower(llvm::CallInst& call, llvm::StringRef name) {
    builder_.SetInsertPoint(&call);
    if (const auto function = workItemFunction(name)) {
      llvm::Value* result = value(*function, call);
      replace(call, builder_.CreateZExtOrTrunc(result, call.getType()));
    } else if (name == names::printer) {
      replace(call, printBuffer(kernel_, builder_));
    } else if (isBarrier(name)) {
      lowerGroupBarrier(call);
    } else if (isSubGroupBarrier(name)) {
      lowerSubGroupBarrier(call);
    } else if (isLibraryCollective(call)) {
      const bool isOfSubGroup = name.starts_with(names::subGroupCollectivePrefix);
      const auto combine = isOfSubGroup ? combineInSubGroup : combineInGroup;
      replace(call, combine(call, item_, builder_, capability_));
    }
  }

  static void replace(llvm::CallInst& call, llvm::Value* value) {
    call.replaceAllUsesWith(value);
    call.eraseFromParent();
  }

  /// A scope beyond the work-group needs a fence: the barrier orders memory for its threads only.
  bool hasWiderScope(const llvm::CallInst& call, unsigned scope) const {
    if (call.arg_size() < 2)
      return false;
    const auto* given = llvm::dyn_cast<llvm::ConstantInt>(call.getArgOperand(1));
    return !given || (given->getZExtValue() != scope && given->getZExtValue() != subGroupScope);
  }

  void fence() {
    builder_.CreateFence(llvm::AtomicOrdering::AcquireRelease,
                         kernel_.getContext().getOrInsertSyncScopeID("device"));
  }

  void lowerGroupBarrier(llvm::CallInst& call) {
    const bool isWide = hasWiderScope(call, workGroupScope);
    if (isWide)
      fence();
    groupBarrier(builder_);
    if (isWide)
      fence();
    call.eraseFromParent();
  }

  void lowerSubGroupBarrier(llvm::CallInst& call) {
    const bool isWide = hasWiderScope(call, subGroupScope);
    if (isWide)
      fence();
    llvm::Value* missing =
        builder_.CreateSub(builder_.getInt32(warpItems),
                           builder_.CreateTrunc(item_.subGroupItems(), builder_.getInt32Ty()));
    builder_.CreateIntrinsic(llvm::Intrinsic::nvvm_bar_warp_sync,
                             {builder_.CreateLShr(builder_.getInt32(~0u), missing)});
    if (isWide)
      fence();
    call.eraseFromParent();
  }

  llvm::Value* value(WorkItemFunction function, llvm::CallInst& call) {
    switch (function) {
    case WorkItemFunction::WorkDim:
      return item_.launchField(offsetof(abi::NvptxLaunch, workDim));
    case WorkItemFunction::GlobalLinearId:
      return globalLinearId(builder_, [&](WorkItemFunction asked, unsigned dimension) {
        return inDimension(asked, dimension);
      });
    case WorkItemFunction::LocalLinearId:
      return item_.localLinearId();
    case WorkItemFunction::SubGroupSize:
      return item_.subGroupItems();
    case WorkItemFunction::MaxSubGroupSize:
      return builder_.CreateBinaryIntrinsic(llvm::Intrinsic::umin, enqueuedItems(),
                                            builder_.getInt64(warpItems));
    case WorkItemFunction::NumSubGroups:
      return subGroupsOf(item_.groupItems());
    case WorkItemFunction::EnqueuedNumSubGroups:
      return subGroupsOf(enqueuedItems());
    case WorkItemFunction::SubGroupId:
      return builder_.CreateUDiv(item_.localLinearId(), builder_.getInt64(warpItems));
    case WorkItemFunction::SubGroupLocalId:
      return item_.lane();
    default:
      return selectDimension(builder_, function, call.getArgOperand(0),
                             [&](unsigned dimension) { return inDimension(function, dimension); });
    }
  }

  llvm::Value* subGroupsOf(llvm::Value* items) {
    return builder_.CreateUDiv(builder_.CreateNUWAdd(items, builder_.getInt64(warpItems - 1)),
                               builder_.getInt64(warpItems));
  }

  llvm::Value* enqueuedItems() {
    llvm::Value* items = item_.enqueuedSize(0);
    for (unsigned dimension : {1u, 2u})
      items = builder_.CreateNUWMul(items, item_.enqueuedSize(dimension));
    return items;
  }

  llvm::Value* inDimension(WorkItemFunction function, unsigned dimension) {
    const uint64_t index = dimension * sizeof(uint64_t);
    switch (function) {
    case WorkItemFunction::GlobalSize:
      return item_.launchField(offsetof(abi::NvptxLaunch, globalSize) + index);
    case WorkItemFunction::GlobalId:
      return item_.globalId(dimension);
    case WorkItemFunction::LocalSize:
      return item_.localSize(dimension);
    case WorkItemFunction::EnqueuedLocalSize:
      return item_.enqueuedSize(dimension);
    case WorkItemFunction::LocalId:
      return item_.localId(dimension);
    case WorkItemFunction::NumGroups:
      return item_.launchField(offsetof(abi::NvptxLaunch, groupCount) + index);
    case WorkItemFunction::GroupId:
      return item_.groupId(dimension);
    case WorkItemFunction::GlobalOffset:
      return item_.launchField(offsetof(abi::NvptxLaunch, globalOffset) + index);
    default:
      llvm_unreachable("not a function of a dimension");
    }
  }

  llvm::Function& kernel_;
  const unsigned capability_;
  llvm::IRBuilder<> builder_;
  NvptxWorkItem item_;
};

} // namespace

NvptxWorkItem::NvptxWorkItem(llvm::Function& kernel, llvm::IRBuilder<>& builder)
    : kernel_(kernel), builder_(builder), required_(requiredWorkGroupSize(kernel)),
      isUniform_(hasUniformGroups(kernel)), isFlat_(kernel.hasFnAttribute(names::blockAttribute)) {}

llvm::Value* NvptxWorkItem::special(llvm::Intrinsic::ID first, unsigned dimension, uint64_t low,
                                    uint64_t high) {
  llvm::CallInst* value = builder_.CreateIntrinsic(inDirection(first, dimension), {});
  value->addRangeRetAttr(llvm::ConstantRange(llvm::APInt(32, low), llvm::APInt(32, high)));
  return builder_.CreateZExt(value, builder_.getInt64Ty(), "", /*IsNonNeg=*/true);
}

llvm::Value* NvptxWorkItem::stride(unsigned dimension) {
  llvm::Value* items = builder_.getInt64(1);
  for (unsigned before = 0; before < dimension; ++before)
    items = builder_.CreateNUWMul(items, localSize(before));
  return items;
}

llvm::Value* NvptxWorkItem::localId(unsigned dimension) {
  if (isFlat_) {
    const auto narrow = [&](llvm::Value* value) {
      return builder_.CreateTrunc(value, builder_.getInt32Ty());
    };
    llvm::Value* id = builder_.CreateUDiv(narrow(localLinearId()), narrow(stride(dimension)));
    if (dimension != 2)
      id = builder_.CreateURem(id, narrow(localSize(dimension)));
    return builder_.CreateZExt(id, builder_.getInt64Ty());
  }
  const uint64_t limit = required_[0] != 0 ? required_[dimension]
                         : dimension == 2  ? maxDepth
                                           : maxGroupItems;
  return special(llvm::Intrinsic::nvvm_read_ptx_sreg_tid_x, dimension, 0, limit);
}

llvm::Value* NvptxWorkItem::localSize(unsigned dimension) {
  if (required_[0] != 0 && isUniform_)
    return builder_.getInt64(required_[dimension]);
  if (isFlat_) {
    llvm::Value* size = enqueuedSize(dimension);
    if (isUniform_)
      return size;
    llvm::Value* left = builder_.CreateNUWSub(
        launchField(offsetof(abi::NvptxLaunch, globalSize) + dimension * sizeof(uint64_t)),
        builder_.CreateNUWMul(groupId(dimension), size));
    return builder_.CreateBinaryIntrinsic(llvm::Intrinsic::umin, size, left);
  }
  return special(llvm::Intrinsic::nvvm_read_ptx_sreg_ntid_x, dimension, 1,
                 (dimension == 2 ? maxDepth : maxGroupItems) + 1);
}

llvm::Value* NvptxWorkItem::enqueuedSize(unsigned dimension) {
  if (required_[0] != 0)
    return builder_.getInt64(required_[dimension]);
  return launchField(offsetof(abi::NvptxLaunch, localSize) + dimension * sizeof(uint64_t));
}

llvm::Value* NvptxWorkItem::gridPosition(unsigned dimension) {
  return special(llvm::Intrinsic::nvvm_read_ptx_sreg_ctaid_x, dimension, 0,
                 dimension == 0 ? maxGridWidth : maxGridHeight);
}

llvm::Value* NvptxWorkItem::groupId(unsigned dimension) {
  return builder_.CreateNUWAdd(
      gridPosition(dimension),
      launchField(offsetof(abi::NvptxLaunch, firstGroup) + dimension * sizeof(uint64_t)));
}

llvm::Value* NvptxWorkItem::globalId(unsigned dimension) {
  // A launch of smaller work-groups has only one of them in that dimension.
  llvm::Value* first = builder_.CreateNUWMul(gridPosition(dimension), localSize(dimension));
  llvm::Value* relative = builder_.CreateNUWAdd(first, localId(dimension));
  return builder_.CreateNUWAdd(
      relative, launchField(offsetof(abi::NvptxLaunch, firstItem) + dimension * sizeof(uint64_t)),
      "global.id");
}

llvm::Value* NvptxWorkItem::launchField(uint64_t offset) {
  llvm::Value* address =
      builder_.CreateConstInBoundsGEP1_64(builder_.getInt8Ty(), &launchParameter(kernel_), offset);
  llvm::LoadInst* value =
      builder_.CreateAlignedLoad(builder_.getInt64Ty(), address, llvm::Align(8));
  value->setMetadata(llvm::LLVMContext::MD_invariant_load,
                     llvm::MDNode::get(kernel_.getContext(), {}));
  return value;
}

llvm::Value* NvptxWorkItem::localLinearId() {
  if (isFlat_)
    return special(llvm::Intrinsic::nvvm_read_ptx_sreg_tid_x, 0, 0, maxGroupItems);
  llvm::Value* id = localId(2);
  for (unsigned dimension : {1u, 0u})
    id = builder_.CreateNUWAdd(builder_.CreateNUWMul(id, localSize(dimension)), localId(dimension));
  return id;
}

llvm::Value* NvptxWorkItem::groupItems() {
  if (isFlat_)
    return special(llvm::Intrinsic::nvvm_read_ptx_sreg_ntid_x, 0, 1, maxGroupItems + 1);
  llvm::Value* items = localSize(0);
  for (unsigned dimension : {1u, 2u})
    items = builder_.CreateNUWMul(items, localSize(dimension));
  return items;
}

llvm::Value* NvptxWorkItem::subGroupItems() {
  llvm::Value* first =
      builder_.CreateAnd(localLinearId(), builder_.getInt64(~uint64_t{warpItems - 1}));
  return builder_.CreateBinaryIntrinsic(llvm::Intrinsic::umin,
                                        builder_.CreateNUWSub(groupItems(), first),
                                        builder_.getInt64(warpItems));
}

llvm::Value* NvptxWorkItem::lane() {
  llvm::CallInst* value = builder_.CreateIntrinsic(llvm::Intrinsic::nvvm_read_ptx_sreg_laneid, {});
  value->addRangeRetAttr(llvm::ConstantRange(llvm::APInt(32, 0), llvm::APInt(32, warpItems)));
  return value;
}

void lowerNvptxWorkItemFunctions(llvm::Function& kernel, unsigned capability) {
  Lowering(kernel, capability).run();
}

} // namespace quern::compiler
