#include "compiler/target/nvptx/sub_group_collectives.h"

#include <llvm/IR/IntrinsicsNVPTX.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

#include "compiler/il/collective.h"
#include "compiler/target/nvptx/warp.h"
#include "compiler/target/nvptx/work_items.h"

namespace quern::compiler {
namespace {

using llvm::Value;
using Kind = CollectiveArithmetic::Kind;

class SubGroupCollective {
public:
  SubGroupCollective(llvm::CallInst& call, NvptxWorkItem& item, llvm::IRBuilder<>& builder,
                     unsigned capability)
      : call_(call), builder_(builder),
        warp_(builder, builder.CreateIntrinsic(llvm::Intrinsic::nvvm_activemask, {}), item.lane(),
              capability) {}

  Value* run() {
    const llvm::StringRef name = combineName(call_);
    if (isOfPlace(name))
      return warp_.shuffle(operand(0), operand(1)); // which is taken modulo the warp's size
    if (name == "first_of")
      return builder_.CreateZExt(builder_.CreateICmpEQ(warp_.lane(), warp_.firstLane()),
                                 call_.getType());
    if (isOfFirst(name))
      return warp_.shuffle(operand(0), warp_.firstLane());
    if (name.starts_with("all_of"))
      return warp_.vote(llvm::Intrinsic::nvvm_vote_all_sync, operand(0));
    if (name.starts_with("any_of"))
      return warp_.vote(llvm::Intrinsic::nvvm_vote_any_sync, operand(0));
    if (name.starts_with("ballot"))
      return warp_.vote(llvm::Intrinsic::nvvm_vote_ballot_sync, operand(0));
    if (name.starts_with("equal_"))
      return warp_.vote(llvm::Intrinsic::nvvm_vote_all_sync, equalsFirst());
    return combine(CollectiveArithmetic::parse(name).value());
  }

private:
  Value* operand(unsigned number) { return call_.getArgOperand(1 + number); }

  Value* equalsFirst() {
    Value* first = warp_.shuffle(operand(0), warp_.firstLane());
    return first->getType()->isFloatingPointTy() ? builder_.CreateFCmpOEQ(operand(0), first)
                                                 : builder_.CreateICmpEQ(operand(0), first);
  }

  /// Which threads are there is only known when the kernel runs: all, the first ones, as at the end
  /// of a work-group, or any.
  Value* combine(const CollectiveArithmetic& arithmetic) {
    Value* value = arithmetic.prepared(builder_, operand(0), nullptr);
    if (arithmetic.kind == Kind::Reduce && warp_.reducesAtOnce(arithmetic, value->getType()))
      return warp_.reduced(arithmetic, value);
    const bool inClusters = arithmetic.kind == Kind::ClusteredReduce;
    const auto* size = inClusters ? llvm::dyn_cast<llvm::ConstantInt>(operand(1)) : nullptr;
    if (inClusters && (!size || !size->getValue().isPowerOf2()))
      return oneByOne(arithmetic, value, &call_);
    Value* next = builder_.CreateAdd(warp_.mask(), builder_.getInt32(1));
    Value* isUsual = builder_.CreateIsNull(
        inClusters ? next : builder_.CreateAnd(next, warp_.mask()), "is.usual");
    llvm::Instruction *usualEnd, *otherEnd;
    llvm::SplitBlockAndInsertIfThenElse(isUsual, &call_, &usualEnd, &otherEnd);
    builder_.SetInsertPoint(usualEnd);
    Value* usual = atOnce(arithmetic, value, size);
    Value* other = oneByOne(arithmetic, value, otherEnd);
    builder_.SetInsertPoint(&call_);
    llvm::PHINode* result = builder_.CreatePHI(call_.getType(), 2);
    result->addIncoming(usual, usualEnd->getParent());
    result->addIncoming(other, otherEnd->getParent());
    return result;
  }

  Value* atOnce(const CollectiveArithmetic& arithmetic, Value* value,
                const llvm::ConstantInt* size) {
    switch (arithmetic.kind) {
    case Kind::Reduce:
      return warp_.reduced(arithmetic, value);
    case Kind::InclusiveScan:
      return warp_.scanned(arithmetic, value);
    case Kind::ExclusiveScan:
      return warp_.fromBelow(warp_.scanned(arithmetic, value),
                             arithmetic.beforeFirst(value->getType()));
    case Kind::ClusteredReduce:
      return warp_.reducedAmong(arithmetic, value, size->getZExtValue());
    }
    llvm_unreachable("a kind without results");
  }

  /// A loop over the threads that are there, before `end`, which it leaves at the end of a block.
  Value* oneByOne(const CollectiveArithmetic& arithmetic, Value* value, llvm::Instruction* end) {
    llvm::BasicBlock* before = end->getParent();
    llvm::BasicBlock* after = llvm::SplitBlock(before, end);
    auto* loop =
        llvm::BasicBlock::Create(call_.getContext(), "one.by.one", before->getParent(), after);
    before->getTerminator()->setSuccessor(0, loop);
    builder_.SetInsertPoint(loop);
    llvm::PHINode* rest = builder_.CreatePHI(builder_.getInt32Ty(), 2, "rest");
    llvm::PHINode* total = builder_.CreatePHI(value->getType(), 2, "total");
    Value* from = builder_.CreateBinaryIntrinsic(llvm::Intrinsic::cttz, rest, builder_.getTrue());
    Value* both = joined(builder_, arithmetic.operation, total, warp_.shuffle(value, from));
    Value* longer = builder_.CreateSelect(takes(arithmetic, from), both, total);
    Value* others = builder_.CreateAnd(rest, builder_.CreateSub(rest, builder_.getInt32(1)));
    builder_.CreateCondBr(builder_.CreateIsNull(others), after, loop);
    rest->addIncoming(warp_.mask(), before);
    rest->addIncoming(others, loop);
    total->addIncoming(arithmetic.kind == Kind::ExclusiveScan
                           ? arithmetic.beforeFirst(value->getType())
                           : arithmetic.nothing(value->getType()),
                       before);
    total->addIncoming(longer, loop);
    builder_.SetInsertPoint(end);
    return longer;
  }

  /// Whether the value of the thread `from` belongs to the own result.
  Value* takes(const CollectiveArithmetic& arithmetic, Value* from) {
    switch (arithmetic.kind) {
    case Kind::Reduce:
      return builder_.getTrue();
    case Kind::InclusiveScan:
      return builder_.CreateICmpULE(from, warp_.lane());
    case Kind::ExclusiveScan:
      return builder_.CreateICmpULT(from, warp_.lane());
    case Kind::ClusteredReduce: {
      Value* size =
          builder_.CreateBinaryIntrinsic(llvm::Intrinsic::umax, operand(1), builder_.getInt32(1));
      return builder_.CreateICmpEQ(builder_.CreateUDiv(from, size),
                                   builder_.CreateUDiv(warp_.lane(), size));
    }
    }
    llvm_unreachable("a kind without results");
  }

  llvm::CallInst& call_;
  llvm::IRBuilder<>& builder_;
  Warp warp_;
};

} // namespace

Value* combineInSubGroup(llvm::CallInst& call, NvptxWorkItem& item, llvm::IRBuilder<>& builder,
                         unsigned capability) {
  return SubGroupCollective(call, item, builder, capability).run();
}

} // namespace quern::compiler
