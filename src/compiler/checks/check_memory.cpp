#include "compiler/checks/check_memory.h"

#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/MDBuilder.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Operator.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

#include "compiler/checks/accesses.h"
#include "compiler/checks/fault.h"
#include "compiler/checks/objects.h"
#include "compiler/il/kernel_function.h"
#include "compiler/il/names.h"

namespace quern::compiler {
namespace {

using abi::Fault;
using abi::ObjectKind;

/// Checks the accesses of one work-item body.
class MemoryChecker {
public:
  explicit MemoryChecker(llvm::Function& body) : objects_(body), layout_(body.getDataLayout()) {}

  void check(const CheckedAccess& access) {
    const Object object = objects_.of(access.pointer, access.isOfProgram);
    if (object.kind == ObjectKind::None)
      return;
    checkArrays(access, object);
    if (isKnownInside(access))
      return;
    llvm::IRBuilder<> builder(access.instruction);
    llvm::Value* offset =
        builder.CreateSub(addressOf(builder, access.pointer), object.begin, "offset");
    llvm::Value* isOutside = outside(builder, access, object, offset);
    llvm::Value* isMisaligned = misaligned(builder, access, object, offset);
    llvm::Value* isFaulty =
        isMisaligned ? builder.CreateOr(isOutside, isMisaligned, "faulty") : isOutside;
    reportWhere(isFaulty, access, object, access.isWrite ? Fault::Write : Fault::Read, offset,
                object.bytes);
  }

private:
  /// Where `access` is not made, because of `isFaulty`, `fault` is reported with these values.
  void reportWhere(llvm::Value* isFaulty, const CheckedAccess& access, const Object& object,
                   Fault fault, llvm::Value* first, llvm::Value* second) {
    replaceByBranch(access, isFaulty);
    const abi::CheckSite site = {.fault = fault,
                                 .object = object.kind,
                                 .argument = object.argument,
                                 .name = object.name.str(),
                                 .bytes = access.bytes};
    llvm::IRBuilder<> report(faultEnd_);
    reportFault(report, site, *access.instruction, first, second);
    if (!access.isWrite)
      clearCopy(report, access);
  }

  /// The arrays, members of structures or of other arrays, that the pointer of `access` steps into
  /// by a number that only the kernel knows, or that is too large. What it points at must be one of
  /// their elements, even where what lies behind them is part of the same object. An array of one
  /// element may be there for as many as follow.
  void checkArrays(const CheckedAccess& access, const Object& object) {
    for (llvm::Value* pointer = access.pointer;;) {
      pointer = pointer->stripPointerCasts();
      auto* address = llvm::dyn_cast<llvm::GEPOperator>(pointer);
      if (!address)
        return;
      llvm::Type* type = address->getSourceElementType();
      for (llvm::Value* index : llvm::drop_begin(address->indices())) {
        if (const auto* array = llvm::dyn_cast<llvm::ArrayType>(type);
            array && array->getNumElements() > 1)
          checkElement(access, object, index, array->getNumElements());
        type = llvm::GetElementPtrInst::getTypeAtIndex(type, index);
      }
      // Behind a step to another element of what the pointer points at, nothing is known of where
      // it came from.
      const auto* first = llvm::dyn_cast<llvm::ConstantInt>(*address->idx_begin());
      if (!first || !first->isZero())
        return;
      pointer = address->getPointerOperand();
    }
  }

  void checkElement(const CheckedAccess& access, const Object& object, llvm::Value* index,
                    uint64_t count) {
    llvm::IRBuilder<> builder(access.instruction);
    llvm::Value* element = builder.CreateSExtOrTrunc(index, builder.getInt64Ty());
    llvm::Value* isOutside = builder.CreateICmpUGE(element, builder.getInt64(count), "outside");
    if (const auto* known = llvm::dyn_cast<llvm::ConstantInt>(isOutside); known && known->isZero())
      return;
    reportWhere(isOutside, access, object,
                access.isWrite ? Fault::ElementWrite : Fault::ElementRead, element,
                builder.getInt64(count));
  }

  /// In a variable, at a place that is known; SROA then still makes values of it.
  bool isKnownInside(const CheckedAccess& access) const {
    if (access.length)
      return false;
    llvm::APInt offset(64, 0);
    const llvm::Value* base = access.pointer->stripAndAccumulateConstantOffsets(
        layout_, offset, /*AllowNonInbounds=*/true);
    uint64_t bytes = 0;
    if (const auto* variable = llvm::dyn_cast<llvm::AllocaInst>(base)) {
      const auto size = variable->getAllocationSize(layout_);
      bytes = size ? size->getFixedValue() : 0;
    } else if (const auto* global = llvm::dyn_cast<llvm::GlobalVariable>(base)) {
      bytes = layout_.getTypeAllocSize(global->getValueType());
    }
    return !offset.isNegative() && access.bytes <= bytes &&
           offset.getZExtValue() <= bytes - access.bytes;
  }

  /// A variable into which nothing was copied has zeros, too.
  void clearCopy(llvm::IRBuilder<>& builder, const CheckedAccess& access) const {
    auto* copy = llvm::dyn_cast<llvm::MemTransferInst>(access.instruction);
    if (copy &&
        isKnownInside(
            {.pointer = copy->getRawDest(), .bytes = access.bytes, .length = access.length}))
      builder.CreateMemSet(copy->getRawDest(), builder.getInt8(0), access.bytes,
                           copy->getDestAlign());
  }

  static llvm::Value* outside(llvm::IRBuilder<>& builder, const CheckedAccess& access,
                              const Object& object, llvm::Value* offset) {
    if (!access.length) {
      llvm::Value* end = builder.CreateBinaryIntrinsic(llvm::Intrinsic::usub_sat, object.bytes,
                                                       builder.getInt64(access.bytes - 1));
      return builder.CreateICmpUGE(offset, end, "outside");
    }
    llvm::Value* room =
        builder.CreateBinaryIntrinsic(llvm::Intrinsic::usub_sat, object.bytes, offset);
    return builder.CreateICmpUGT(access.length, room, "outside");
  }

  static llvm::Value* misaligned(llvm::IRBuilder<>& builder, const CheckedAccess& access,
                                 const Object& object, llvm::Value* offset) {
    if (access.alignment <= 1)
      return nullptr;
    llvm::Value* address = offset;
    if (object.kind == ObjectKind::Argument || object.kind == ObjectKind::Memory)
      address = builder.CreateOr(offset, object.begin);
    return builder.CreateICmpNE(builder.CreateAnd(address, access.alignment - 1),
                                builder.getInt64(0), "misaligned");
  }

  /// Makes the access only where it is not faulty; where it is, the code of `faultEnd_` runs, and
  /// its result is 0.
  void replaceByBranch(const CheckedAccess& access, llvm::Value* isFaulty) {
    llvm::Instruction* made = nullptr;
    llvm::SplitBlockAndInsertIfThenElse(
        isFaulty, access.instruction->getIterator(), &faultEnd_, &made,
        llvm::MDBuilder(isFaulty->getContext()).createUnlikelyBranchWeights());
    markAsOfChecks(faultEnd_->getParent()->getSinglePredecessor()->getTerminator());
    llvm::BasicBlock* join = access.instruction->getParent();
    access.instruction->moveBefore(made->getIterator());
    if (access.instruction->getType()->isVoidTy())
      return;
    llvm::IRBuilder<> builder(join, join->begin());
    llvm::PHINode* result = builder.CreatePHI(access.instruction->getType(), 2);
    access.instruction->replaceAllUsesWith(result);
    result->addIncoming(llvm::Constant::getNullValue(access.instruction->getType()),
                        faultEnd_->getParent());
    result->addIncoming(access.instruction, made->getParent());
  }

  Objects objects_;
  const llvm::DataLayout& layout_;
  llvm::Instruction* faultEnd_ = nullptr;
};

} // namespace

llvm::PreservedAnalyses CheckMemoryPass::run(llvm::Module& module, llvm::ModuleAnalysisManager&) {
  for (llvm::Function* body : kernelFunctions(module)) {
    gatherVariables(*body);
    MemoryChecker checker(*body);
    for (const CheckedAccess& access : checkedAccesses(*body))
      checker.check(access);
  }
  return llvm::PreservedAnalyses::none();
}

} // namespace quern::compiler
