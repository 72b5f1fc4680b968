#include "compiler/target/x86/masked_accesses.h"

#include <optional>

#include <llvm/ADT/DenseMap.h>
#include <llvm/Analysis/TargetTransformInfo.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/MDBuilder.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

#include "base/pages.h"
#include "compiler/target/target_model.h"
#include "compiler/target/x86/masked_access.h"

namespace quern::compiler {
namespace {

using llvm::Value;

bool hasInstruction(const MaskedAccess& access, const llvm::TargetTransformInfo& target) {
  return access.isOfNeighbours()
             ? hasMaskedNeighbours(target, access.isLoad(), access.type(), access.alignment(),
                                   access.pointer()->getType()->getPointerAddressSpace())
             : hasMaskedAnywhere(target, access.isLoad(), access.type(), access.alignment());
}

/// The only element that a mask lets through, if there is one and only one.
std::optional<unsigned> onlyElement(const Value* mask) {
  const auto* constant = llvm::dyn_cast<llvm::Constant>(mask);
  if (!constant)
    return std::nullopt;
  std::optional<unsigned> only;
  const unsigned count = llvm::cast<llvm::FixedVectorType>(mask->getType())->getNumElements();
  for (unsigned i = 0; i < count; ++i) {
    const llvm::Constant* element = constant->getAggregateElement(i);
    if (!element || !element->isNullValue()) {
      if (only || !element || !element->isOneValue())
        return std::nullopt;
      only = i;
    }
  }
  return only;
}

void storeOnly(const MaskedAccess& store, unsigned only) {
  llvm::IRBuilder<> builder(&store.call());
  Value* element = builder.CreateExtractElement(store.stored(), only);
  Value* place = builder.CreateConstGEP1_64(element->getType(), store.pointer(), only);
  const uint64_t bytes = store.call().getDataLayout().getTypeStoreSize(element->getType());
  builder.CreateAlignedStore(element, place,
                             llvm::commonAlignment(store.alignment(), bytes * only));
  store.call().eraseFromParent();
}

/// Makes plain accesses of the masked ones of a function.
class Replacing {
public:
  explicit Replacing(llvm::Function& function) : function_(function) {}

  void replace(const MaskedAccess& access) {
    if (!access.isOfNeighbours()) {
      llvm::IRBuilder<> builder(&access.call());
      finish(access, makeEach(access, builder));
    } else if (access.isLoad()) {
      load(access);
    } else {
      store(access);
    }
  }

private:
  /// As one where no element is off.
  void store(const MaskedAccess& access) {
    llvm::IRBuilder<> builder(&access.call());
    llvm::Instruction *allEnd = nullptr, *someEnd = nullptr;
    llvm::SplitBlockAndInsertIfThenElse(builder.CreateAndReduce(access.mask()),
                                        access.call().getIterator(), &allEnd, &someEnd);
    builder.SetInsertPoint(allEnd);
    builder.CreateAlignedStore(access.stored(), access.pointer(), access.alignment());
    builder.SetInsertPoint(someEnd);
    makeEach(access, builder);
    finish(access, nullptr);
  }

  /// As one where all elements lie in a page of memory, of which one that is on may be read: then
  /// so may those that are off.
  void load(const MaskedAccess& access) {
    llvm::IRBuilder<> builder(&access.call());
    Value* bits =
        builder.CreateBitCast(access.mask(), builder.getIntNTy(access.type()->getNumElements()));
    Value* zero = llvm::Constant::getNullValue(bits->getType());
    Value* isWhole =
        builder.CreateAnd(builder.CreateICmpNE(bits, zero), liesInPage(access, builder));
    llvm::Instruction *wholeEnd = nullptr, *partsEnd = nullptr;
    llvm::SplitBlockAndInsertIfThenElse(
        isWhole, access.call().getIterator(), &wholeEnd, &partsEnd,
        llvm::MDBuilder(builder.getContext()).createLikelyBranchWeights());
    builder.SetInsertPoint(wholeEnd);
    Value* whole = builder.CreateAlignedLoad(access.type(), access.pointer(), access.alignment());
    Value* parts = loadActive(access, bits, partsEnd);
    builder.SetInsertPoint(&access.call());
    llvm::PHINode* loaded = builder.CreatePHI(access.type(), 2);
    loaded->addIncoming(whole, wholeEnd->getParent());
    loaded->addIncoming(parts, partsEnd->getParent());
    finish(access, llvm::isa<llvm::UndefValue>(access.otherwise())
                       ? loaded
                       : builder.CreateSelect(access.mask(), loaded, access.otherwise()));
  }

  static Value* liesInPage(const MaskedAccess& access, llvm::IRBuilder<>& builder) {
    const uint64_t bytes = access.call().getDataLayout().getTypeStoreSize(access.type());
    if (access.alignment().value() >= bytes)
      return builder.getTrue();
    // Where all elements are off, the address may be anything.
    Value* address =
        builder.CreateFreeze(builder.CreatePtrToInt(access.pointer(), builder.getInt64Ty()));
    return builder.CreateICmpULE(builder.CreateAnd(address, pageBytes - 1),
                                 builder.getInt64(pageBytes - bytes));
  }

  /// The elements that are on, one after the other; the block of `end` goes on behind them.
  Value* loadActive(const MaskedAccess& access, Value* bits, llvm::Instruction* end) {
    llvm::Type* element = access.type()->getElementType();
    llvm::AllocaInst*& memory = loaded_[access.type()];
    llvm::IRBuilder<> builder(&*function_.getEntryBlock().getFirstInsertionPt());
    if (!memory)
      memory = builder.CreateAlloca(access.type());
    llvm::BasicBlock* before = end->getParent();
    llvm::BasicBlock* done = before->splitBasicBlock(end, "elements.done");
    llvm::BasicBlock* each =
        llvm::BasicBlock::Create(builder.getContext(), "element", &function_, done);
    Value* zero = llvm::Constant::getNullValue(bits->getType());
    builder.SetInsertPoint(before->getTerminator());
    builder.CreateCondBr(builder.CreateICmpNE(bits, zero), each, done);
    before->getTerminator()->eraseFromParent();
    builder.SetInsertPoint(each);
    llvm::PHINode* left = builder.CreatePHI(bits->getType(), 2);
    Value* place = builder.CreateZExtOrTrunc(
        builder.CreateBinaryIntrinsic(llvm::Intrinsic::cttz, left, builder.getTrue()),
        builder.getInt64Ty());
    Value* loaded = builder.CreateAlignedLoad(
        element, builder.CreateGEP(element, access.pointer(), place), access.alignmentOfElements());
    builder.CreateStore(loaded, builder.CreateGEP(element, memory, place));
    Value* others = builder.CreateAnd(
        left, builder.CreateSub(left, llvm::ConstantInt::get(left->getType(), 1)));
    builder.CreateCondBr(builder.CreateICmpNE(others, zero), each, done);
    left->addIncoming(bits, before);
    left->addIncoming(others, each);
    builder.SetInsertPoint(end);
    return builder.CreateLoad(access.type(), memory);
  }

  /// Where elements that are off read or write. No load is of memory that a store wrote: it may be
  /// of more bytes, and would wait until that has left the store buffer.
  Value* unused(const MaskedAccess& access) {
    llvm::AllocaInst*& memory = access.isLoad() ? read_ : written_;
    if (!memory) {
      llvm::IRBuilder<> builder(&*function_.getEntryBlock().getFirstInsertionPt());
      memory = builder.CreateAlloca(builder.getInt64Ty());
    }
    memory->setAlignment(std::max(memory->getAlign(), access.alignmentOfElements()));
    return memory;
  }

  /// An access per element, in order: of elements that are stored at one address the last one
  /// stays.
  Value* makeEach(const MaskedAccess& access, llvm::IRBuilder<>& builder) {
    llvm::FixedVectorType* type = access.type();
    llvm::Type* element = type->getElementType();
    const unsigned count = type->getNumElements();
    Value* pointers = access.pointer();
    if (access.isOfNeighbours()) {
      llvm::SmallVector<llvm::Constant*, 64> indices;
      for (unsigned i = 0; i < count; ++i)
        indices.push_back(builder.getInt64(i));
      pointers = builder.CreateGEP(element, pointers, llvm::ConstantVector::get(indices));
    }
    Value* other =
        builder.CreateAddrSpaceCast(unused(access), pointers->getType()->getScalarType());
    pointers =
        builder.CreateSelect(access.mask(), pointers, builder.CreateVectorSplat(count, other));
    Value* loaded = llvm::PoisonValue::get(type);
    for (unsigned i = 0; i < count; ++i) {
      Value* pointer = builder.CreateExtractElement(pointers, i);
      if (access.isLoad())
        loaded = builder.CreateInsertElement(
            loaded, builder.CreateAlignedLoad(element, pointer, access.alignmentOfElements()), i);
      else
        builder.CreateAlignedStore(builder.CreateExtractElement(access.stored(), i), pointer,
                                   access.alignmentOfElements());
    }
    if (access.isLoad() && !llvm::isa<llvm::UndefValue>(access.otherwise()))
      loaded = builder.CreateSelect(access.mask(), loaded, access.otherwise());
    return loaded;
  }

  static void finish(const MaskedAccess& access, Value* loaded) {
    if (access.isLoad()) {
      loaded->takeName(&access.call());
      access.call().replaceAllUsesWith(loaded);
    }
    access.call().eraseFromParent();
  }

  llvm::Function& function_;
  llvm::AllocaInst *read_ = nullptr, *written_ = nullptr;
  llvm::SmallDenseMap<llvm::Type*, llvm::AllocaInst*, 4> loaded_; ///< of loads one by one
};

} // namespace

llvm::PreservedAnalyses MaskedAccessesPass::run(llvm::Function& function,
                                                llvm::FunctionAnalysisManager& analyses) {
  const auto& target = analyses.getResult<llvm::TargetIRAnalysis>(function);
  llvm::SmallVector<MaskedAccess> accesses;
  for (llvm::Instruction& instruction : llvm::instructions(function))
    if (const std::optional<MaskedAccess> access = MaskedAccess::of(instruction))
      accesses.push_back(*access);
  Replacing replacing(function);
  bool changed = false;
  for (const MaskedAccess& access : accesses) {
    const std::optional<unsigned> only =
        access.isLoad() || !access.isOfNeighbours() ? std::nullopt : onlyElement(access.mask());
    if (only)
      storeOnly(access, *only);
    else if (llvm::isa<llvm::Constant>(access.mask()) || hasInstruction(access, target))
      continue;
    else
      replacing.replace(access);
    changed = true;
  }
  return changed ? llvm::PreservedAnalyses::none() : llvm::PreservedAnalyses::all();
}

} // namespace quern::compiler
