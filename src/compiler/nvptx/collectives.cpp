#include "compiler/nvptx/collectives.h"

#include <llvm/IR/IntrinsicsNVPTX.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

#include "compiler/il/kernel_function.h"
#include "compiler/il/names.h"
#include "compiler/nvptx/remap_address_spaces.h"
#include "compiler/nvptx/work_items.h"

namespace quern::compiler {
namespace {

constexpr unsigned warpItems = 32;
constexpr uint64_t maxGroupItems = 1024;
constexpr unsigned wordBits = 32;

/// A collective function of a sub-group: of the threads of a warp that are there.
class SubGroupCollective {
public:
  SubGroupCollective(llvm::CallInst& call, NvptxWorkItem& item, llvm::IRBuilder<>& builder)
      : call_(call), item_(item), builder_(builder),
        combine_(llvm::cast<llvm::Function>(call.getArgOperand(0)->stripPointerCasts())),
        mask_(builder.CreateIntrinsic(llvm::Intrinsic::nvvm_activemask, {})) {}

  llvm::Value* run() {
    const llvm::StringRef name = combine_->getName();
    if (name.starts_with("pick_"))
      return shuffle(operand(0), pickedLane());
    if (name.starts_with("first_of"))
      return builder_.CreateZExt(builder_.CreateICmpEQ(item_.lane(), firstLane()), call_.getType());
    if (name.starts_with("first_"))
      return shuffle(operand(0), firstLane());
    if (name.starts_with("all_of"))
      return vote(llvm::Intrinsic::nvvm_vote_all_sync);
    if (name.starts_with("any_of"))
      return vote(llvm::Intrinsic::nvvm_vote_any_sync);
    if (name.starts_with("ballot"))
      return vote(llvm::Intrinsic::nvvm_vote_ballot_sync);
    return combineEverywhere();
  }

private:
  llvm::Value* operand(unsigned number) { return call_.getArgOperand(1 + number); }

  llvm::Value* firstLane() {
    return builder_.CreateBinaryIntrinsic(llvm::Intrinsic::cttz, mask_, builder_.getTrue());
  }

  /// An index that no work-item has gives the own value.
  llvm::Value* pickedLane() {
    llvm::Value* index = operand(1);
    return builder_.CreateSelect(builder_.CreateICmpULT(index, builder_.getInt32(warpItems)), index,
                                 item_.lane());
  }

  llvm::Value* vote(llvm::Intrinsic::ID kind) {
    llvm::Value* predicate = builder_.CreateIsNotNull(operand(0));
    llvm::Value* result = builder_.CreateIntrinsic(kind, {mask_, predicate});
    return builder_.CreateZExt(result, builder_.getInt32Ty());
  }

  llvm::Value* shuffleWord(llvm::Value* word, llvm::Value* lane) {
    return builder_.CreateIntrinsic(llvm::Intrinsic::nvvm_shfl_sync_idx_i32,
                                    {mask_, word, lane, builder_.getInt32(warpItems - 1)});
  }

  /// The value of the work-item `lane`.
  llvm::Value* shuffle(llvm::Value* value, llvm::Value* lane) {
    llvm::Type* type = value->getType();
    if (const auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(type)) {
      llvm::Value* result = llvm::PoisonValue::get(type);
      for (uint64_t i = 0; i < vector->getNumElements(); ++i)
        result = builder_.CreateInsertElement(
            result, shuffle(builder_.CreateExtractElement(value, i), lane), i);
      return result;
    }
    const unsigned bits = type->getScalarSizeInBits();
    llvm::Type* integer = builder_.getIntNTy(bits);
    value = builder_.CreateBitCast(value, integer);
    llvm::Value* result = llvm::ConstantInt::get(integer, 0);
    for (unsigned first = 0; first < bits; first += wordBits) {
      llvm::Value* word =
          builder_.CreateZExtOrTrunc(builder_.CreateLShr(value, first), builder_.getInt32Ty());
      llvm::Value* moved = builder_.CreateZExtOrTrunc(shuffleWord(word, lane), integer);
      result = builder_.CreateOr(result, builder_.CreateShl(moved, first));
    }
    return builder_.CreateBitCast(result, type);
  }

  llvm::AllocaInst* array(llvm::Type* element, const llvm::Twine& name) {
    llvm::BasicBlock& entry = call_.getFunction()->getEntryBlock();
    llvm::IRBuilder<> allocas(&entry, entry.begin());
    return allocas.CreateAlloca(llvm::ArrayType::get(element, warpItems), nullptr, name);
  }

  llvm::Value* elementOf(llvm::AllocaInst* array, llvm::Value* index) {
    return builder_.CreateInBoundsGEP(array->getAllocatedType(), array,
                                      {builder_.getInt32(0), index});
  }

  llvm::Value* gather(llvm::Value* value, const llvm::Twine& name) {
    llvm::AllocaInst* values = array(value->getType(), name);
    for (unsigned lane = 0; lane < warpItems; ++lane)
      builder_.CreateStore(shuffle(value, builder_.getInt32(lane)),
                           elementOf(values, builder_.getInt32(lane)));
    return values;
  }

  /// Every work-item gets the operands of all and makes all results.
  llvm::Value* combineEverywhere() {
    llvm::Value* operands = gather(operand(0), "operands");
    llvm::Value* others = call_.arg_size() > 2
                              ? gather(operand(1), "others")
                              : llvm::ConstantPointerNull::get(builder_.getPtrTy());
    llvm::AllocaInst* present = array(builder_.getInt32Ty(), "present");
    for (unsigned lane = 0; lane < warpItems; ++lane)
      builder_.CreateStore(builder_.CreateAnd(builder_.CreateLShr(mask_, lane), 1),
                           elementOf(present, builder_.getInt32(lane)));
    llvm::AllocaInst* results = array(call_.getType(), "results");
    builder_.CreateCall(combine_, {results, operands, others, item_.subGroupItems(), present,
                                   builder_.getInt32(1)});
    return builder_.CreateLoad(call_.getType(), elementOf(results, item_.lane()));
  }

  llvm::CallInst& call_;
  NvptxWorkItem& item_;
  llvm::IRBuilder<>& builder_;
  llvm::Function* const combine_;
  llvm::Value* const mask_;
};

/// Local memory with an element for each work-item of any work-group of `kernel`, shared by the
/// collective functions.
llvm::GlobalVariable* groupArray(llvm::Function& kernel, llvm::Type* element,
                                 llvm::StringRef role) {
  llvm::Module& module = *kernel.getParent();
  const auto required = requiredWorkGroupSize(kernel);
  const uint64_t items = required[0] != 0 ? required[0] * required[1] * required[2] : maxGroupItems;
  const uint64_t bytes = module.getDataLayout().getTypeAllocSize(element);
  const std::string name =
      ("quern_" + role + "_" + llvm::Twine(bytes) + "_" + llvm::Twine(items)).str();
  if (llvm::GlobalVariable* known = module.getGlobalVariable(name, /*AllowInternal=*/true))
    return known;
  auto* type = llvm::ArrayType::get(llvm::IntegerType::get(module.getContext(), bytes * 8), items);
  return new llvm::GlobalVariable(module, type, false, llvm::GlobalValue::InternalLinkage,
                                  llvm::PoisonValue::get(type), name, nullptr,
                                  llvm::GlobalValue::NotThreadLocal, nvptx_space::shared);
}

/// The first work-item makes the results of all.
llvm::Value* combineInGroup(llvm::CallInst& call, NvptxWorkItem& item, llvm::IRBuilder<>& builder) {
  llvm::Function& kernel = *call.getFunction();
  auto* combine = llvm::cast<llvm::Function>(call.getArgOperand(0)->stripPointerCasts());
  llvm::Type* pointer = builder.getPtrTy();
  llvm::Value* number = item.localLinearId();
  static constexpr llvm::StringLiteral roles[] = {"operands", "others"};
  llvm::Value* arrays[] = {nullptr, llvm::ConstantPointerNull::get(builder.getPtrTy())};
  for (unsigned i = 0; i + 1 < call.arg_size(); ++i) {
    llvm::Value* value = call.getArgOperand(i + 1);
    llvm::GlobalVariable* array = groupArray(kernel, value->getType(), roles[i]);
    builder.CreateStore(value, builder.CreateInBoundsGEP(value->getType(), array, number));
    arrays[i] = builder.CreateAddrSpaceCast(array, pointer);
  }
  llvm::GlobalVariable* results = groupArray(kernel, call.getType(), "results");
  groupBarrier(builder);
  llvm::Value* count = item.groupItems();
  llvm::Value* isFirst = builder.CreateICmpEQ(number, builder.getInt64(0));
  builder.SetInsertPoint(llvm::SplitBlockAndInsertIfThen(isFirst, &call, false));
  builder.CreateCall(combine,
                     {builder.CreateAddrSpaceCast(results, pointer), arrays[0], arrays[1], count,
                      llvm::ConstantPointerNull::get(builder.getPtrTy()), builder.getInt32(0)});
  builder.SetInsertPoint(&call);
  groupBarrier(builder);
  // Where all results are the same, there is only one.
  if (call.getCalledFunction()->getName().starts_with(names::uniformCollectivePrefix))
    number = builder.getInt64(0);
  return builder.CreateLoad(call.getType(),
                            builder.CreateInBoundsGEP(call.getType(), results, number));
}

} // namespace

llvm::Value* combineAcrossWorkItems(llvm::CallInst& call, NvptxWorkItem& item,
                                    llvm::IRBuilder<>& builder) {
  if (call.getCalledFunction()->getName().starts_with(names::subGroupCollectivePrefix))
    return SubGroupCollective(call, item, builder).run();
  return combineInGroup(call, item, builder);
}

void groupBarrier(llvm::IRBuilder<>& builder) {
  builder.CreateIntrinsic(llvm::Intrinsic::nvvm_barrier_cta_sync_aligned_all,
                          {builder.getInt32(0)});
}

} // namespace quern::compiler
