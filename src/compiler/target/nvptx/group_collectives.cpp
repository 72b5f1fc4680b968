#include "compiler/target/nvptx/group_collectives.h"

#include <llvm/Analysis/CFG.h>
#include <llvm/IR/IntrinsicsNVPTX.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

#include "compiler/il/collective.h"
#include "compiler/target/nvptx/remap_address_spaces.h"
#include "compiler/target/nvptx/warp.h"
#include "compiler/target/nvptx/work_items.h"

namespace quern::compiler {
namespace {

using llvm::Value;
using Kind = CollectiveArithmetic::Kind;

/// Of a work-group of the largest size.
constexpr uint64_t maxWarps = 32;

class GroupCollective {
public:
  GroupCollective(llvm::CallInst& call, NvptxWorkItem& item, llvm::IRBuilder<>& builder,
                  unsigned capability)
      : call_(call), item_(item), builder_(builder), capability_(capability),
        own_(call.getArgOperand(1)) {}

  Value* run() {
    const llvm::StringRef name = combineName(call_);
    if (name == "all")
      return vote(llvm::Intrinsic::nvvm_barrier_cta_red_and_aligned_all);
    if (name == "any")
      return vote(llvm::Intrinsic::nvvm_barrier_cta_red_or_aligned_all);
    if (name.starts_with("broadcast_"))
      return broadcast();
    return combine(CollectiveArithmetic::parse(name).value());
  }

private:
  Value* vote(llvm::Intrinsic::ID barrier) {
    Value* result =
        builder_.CreateIntrinsic(barrier, {builder_.getInt32(0), builder_.CreateIsNotNull(own_)});
    return builder_.CreateZExt(result, call_.getType());
  }

  Value* broadcast() {
    llvm::GlobalVariable* shared = sharedArray(1);
    storeIf(builder_.CreateICmpEQ(item_.localLinearId(), call_.getArgOperand(2)), own_, shared);
    groupBarrier(builder_);
    Value* result = builder_.CreateLoad(own_->getType(), shared);
    keepUntilRead();
    return result;
  }

  /// Each warp for itself; then every thread joins what the warps before its own, or all, have.
  Value* combine(const CollectiveArithmetic& arithmetic) {
    llvm::Type* type = own_->getType();
    Value* number = item_.localLinearId();
    Value* count = item_.groupItems();
    Value* ownWarp = builder_.CreateUDiv(number, builder_.getInt64(warpItems));
    Value* warps =
        builder_.CreateUDiv(builder_.CreateNUWAdd(count, builder_.getInt64(warpItems - 1)),
                            builder_.getInt64(warpItems));
    // The last warp of a work-group need not be full.
    Value* missing = builder_.CreateTrunc(
        builder_.CreateSub(builder_.getInt64(warpItems), item_.subGroupItems()),
        builder_.getInt32Ty());
    Warp warp(builder_, builder_.CreateLShr(builder_.getInt32(~0u), missing), item_.lane(),
              capability_);

    Value* value = arithmetic.prepared(builder_, own_, nullptr);
    const bool isReduction = arithmetic.kind == Kind::Reduce;
    Value* upToOwn =
        isReduction ? warp.reduced(arithmetic, value) : warp.scanned(arithmetic, value);
    const auto* known = llvm::dyn_cast<llvm::ConstantInt>(warps);
    llvm::Constant* first = arithmetic.beforeFirst(type);
    if (known && known->isOne())
      return arithmetic.kind == Kind::ExclusiveScan ? warp.fromBelow(upToOwn, first) : upToOwn;

    llvm::GlobalVariable* totals = sharedArray(known ? known->getZExtValue() : maxWarps);
    storeIf(builder_.CreateICmpEQ(warp.lane(), warp.lastLane()), upToOwn,
            builder_.CreateInBoundsGEP(type, totals, ownWarp));
    groupBarrier(builder_);
    if (isReduction) {
      Value* result = reduced(arithmetic, warp, totals, warps);
      keepUntilRead();
      return result;
    }
    Value* others =
        joinedOf(arithmetic, totals, builder_.getInt64(0), ownWarp, builder_.getInt64(1), first);
    keepUntilRead();
    if (arithmetic.kind == Kind::ExclusiveScan)
      upToOwn = warp.fromBelow(upToOwn, arithmetic.nothing(type));
    return joined(builder_, arithmetic.operation, others, upToOwn);
  }

  /// What joins all `totals`, in each thread.
  Value* reduced(const CollectiveArithmetic& arithmetic, Warp& warp, Value* totals, Value* warps) {
    llvm::Constant* first = arithmetic.beforeFirst(own_->getType());
    if (!warp.reducesAtOnce(arithmetic, own_->getType()))
      return joinedOf(arithmetic, totals, builder_.getInt64(0), warps, builder_.getInt64(1), first);
    // Mostly each thread takes one at most; the last warp may have fewer threads than there are
    // warps.
    Value* lane = builder_.CreateZExt(warp.lane(), builder_.getInt64Ty());
    Value* threads = builder_.CreateZExt(builder_.CreateAdd(warp.lastLane(), builder_.getInt32(1)),
                                         builder_.getInt64Ty());
    Value* part =
        joinedOf(arithmetic, totals, lane, warps, threads, arithmetic.nothing(own_->getType()));
    return warp.reduced(arithmetic, part);
  }

  /// What joins `first` and the elements of `array` from `begin` up to `end`, each `step` apart.
  Value* joinedOf(const CollectiveArithmetic& arithmetic, Value* array, Value* begin, Value* end,
                  Value* step, Value* first) {
    llvm::BasicBlock* before = call_.getParent();
    llvm::BasicBlock* after = llvm::SplitBlock(before, &call_);
    auto* loop = llvm::BasicBlock::Create(call_.getContext(), "warps", before->getParent(), after);
    before->getTerminator()->eraseFromParent();
    builder_.SetInsertPoint(before);
    builder_.CreateCondBr(builder_.CreateICmpULT(begin, end), loop, after);
    builder_.SetInsertPoint(loop);
    llvm::PHINode* index = builder_.CreatePHI(builder_.getInt64Ty(), 2, "warp");
    llvm::PHINode* total = builder_.CreatePHI(first->getType(), 2, "total");
    Value* element = builder_.CreateLoad(
        first->getType(), builder_.CreateInBoundsGEP(first->getType(), array, index));
    Value* longer = joined(builder_, arithmetic.operation, total, element);
    Value* next = builder_.CreateNUWAdd(index, step);
    builder_.CreateCondBr(builder_.CreateICmpULT(next, end), loop, after);
    index->addIncoming(begin, before);
    index->addIncoming(next, loop);
    total->addIncoming(first, before);
    total->addIncoming(longer, loop);
    builder_.SetInsertPoint(&call_);
    llvm::PHINode* result = builder_.CreatePHI(first->getType(), 2);
    result->addIncoming(first, before);
    result->addIncoming(longer, loop);
    return result;
  }

  void storeIf(Value* condition, Value* value, Value* place) {
    builder_.SetInsertPoint(llvm::SplitBlockAndInsertIfThen(condition, &call_, false));
    builder_.CreateStore(value, place);
    builder_.SetInsertPoint(&call_);
  }

  /// Local memory of this call alone.
  llvm::GlobalVariable* sharedArray(uint64_t elements) {
    auto* type = llvm::ArrayType::get(own_->getType(), elements);
    return new llvm::GlobalVariable(*call_.getModule(), type, false,
                                    llvm::GlobalValue::InternalLinkage,
                                    llvm::PoisonValue::get(type), "quern_collective", nullptr,
                                    llvm::GlobalValue::NotThreadLocal, nvptx_space::shared);
  }

  /// Where the call comes again, nobody may write what others have yet to read.
  void keepUntilRead() {
    if (llvm::isPotentiallyReachable(call_.getNextNode(), &call_))
      groupBarrier(builder_);
  }

  llvm::CallInst& call_;
  NvptxWorkItem& item_;
  llvm::IRBuilder<>& builder_;
  const unsigned capability_;
  Value* const own_;
};

} // namespace

Value* combineInGroup(llvm::CallInst& call, NvptxWorkItem& item, llvm::IRBuilder<>& builder,
                      unsigned capability) {
  return GroupCollective(call, item, builder, capability).run();
}

void groupBarrier(llvm::IRBuilder<>& builder) {
  builder.CreateIntrinsic(llvm::Intrinsic::nvvm_barrier_cta_sync_aligned_all,
                          {builder.getInt32(0)});
}

} // namespace quern::compiler
