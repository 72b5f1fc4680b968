#pragma once

#include <optional>

#include <llvm/IR/DataLayout.h>
#include <llvm/IR/DerivedTypes.h>
#include <llvm/IR/IntrinsicInst.h>

namespace quern::compiler {

/// One call of llvm.masked.load, store, gather or scatter.
class MaskedAccess {
public:
  /// Nothing where `instruction` is none of these.
  static std::optional<MaskedAccess> of(llvm::Instruction& instruction) {
    auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
    if (!call)
      return std::nullopt;
    switch (call->getIntrinsicID()) {
    case llvm::Intrinsic::masked_load:
      return MaskedAccess(*call, true, true);
    case llvm::Intrinsic::masked_gather:
      return MaskedAccess(*call, true, false);
    case llvm::Intrinsic::masked_store:
      return MaskedAccess(*call, false, true);
    case llvm::Intrinsic::masked_scatter:
      return MaskedAccess(*call, false, false);
    default:
      return std::nullopt;
    }
  }

  llvm::IntrinsicInst& call() const { return *call_; }
  bool isLoad() const { return isLoad_; }
  /// Whether its elements are neighbours, and pointer() is that of the first; else each has its
  /// own.
  bool isOfNeighbours() const { return isOfNeighbours_; }
  llvm::FixedVectorType* type() const {
    return llvm::cast<llvm::FixedVectorType>(isLoad_ ? call_->getType() : stored()->getType());
  }
  llvm::Value* stored() const { return call_->getArgOperand(0); }
  llvm::Value* pointer() const { return call_->getArgOperand(pointerIndex()); }
  llvm::Value* mask() const { return call_->getArgOperand(pointerIndex() + 1); }
  /// What a load has where an element is off.
  llvm::Value* otherwise() const { return call_->getArgOperand(2); }
  llvm::Align alignment() const { return call_->getParamAlign(pointerIndex()).valueOrOne(); }
  llvm::Align alignmentOfElements() const {
    const uint64_t bytes = call_->getDataLayout().getTypeStoreSize(type()->getElementType());
    return isOfNeighbours_ ? llvm::commonAlignment(alignment(), bytes) : alignment();
  }

private:
  MaskedAccess(llvm::IntrinsicInst& call, bool isLoad, bool isOfNeighbours)
      : call_(&call), isLoad_(isLoad), isOfNeighbours_(isOfNeighbours) {}

  unsigned pointerIndex() const { return isLoad_ ? 0 : 1; }

  llvm::IntrinsicInst* call_;
  bool isLoad_, isOfNeighbours_;
};

} // namespace quern::compiler
