#pragma once

#include <llvm/ADT/STLFunctionalExtras.h>
#include <llvm/IR/IRBuilder.h>

#include "compiler/il/collective_arithmetic.h"

namespace quern::compiler {

inline constexpr unsigned warpItems = 32;

/// Values of the threads of a warp that `mask` names, 32 bits, the first thread lowest. All of them
/// execute what is built here, and wait for each other.
class Warp {
public:
  /// `lane` is the thread's own number, of 32 bits; `capability` as computeCapability gives it.
  Warp(llvm::IRBuilder<>& builder, llvm::Value* mask, llvm::Value* lane, unsigned capability)
      : builder_(builder), mask_(mask), lane_(lane), capability_(capability) {}

  llvm::Value* mask() const { return mask_; }
  llvm::Value* lane() const { return lane_; }
  llvm::Value* firstLane();
  llvm::Value* lastLane();

  /// The value of the thread `lane`.
  llvm::Value* shuffle(llvm::Value* value, llvm::Value* lane);

  /// One of the intrinsics nvvm.vote.*.sync about whether `value` is not 0, as 32 bits.
  llvm::Value* vote(llvm::Intrinsic::ID kind, llvm::Value* value);

  /// Whether one instruction reduces values of `type`, whichever threads are there.
  bool reducesAtOnce(const CollectiveArithmetic& arithmetic, const llvm::Type* type) const;

  /// The result of all threads for `value`, an operand of a reduction. Where that takes more than
  /// one instruction, the threads must be the first ones of the warp.
  llvm::Value* reduced(const CollectiveArithmetic& arithmetic, llvm::Value* value);

  /// What joins the values up to the own one. The threads are the first ones of the warp.
  llvm::Value* scanned(const CollectiveArithmetic& arithmetic, llvm::Value* value);

  /// The value of the thread before this one, `first` for that of the lowest number.
  llvm::Value* fromBelow(llvm::Value* value, llvm::Constant* first);

  /// What joins the values of those `size` neighbours, a power of two, to which the thread belongs.
  /// All threads of the warp are there.
  llvm::Value* reducedAmong(const CollectiveArithmetic& arithmetic, llvm::Value* value,
                            uint64_t size);

private:
  llvm::Value* eachWord(llvm::Value* value,
                        llvm::function_ref<llvm::Value*(llvm::Value* word)> moved);
  /// The value of the thread that many below; the own one where there is none.
  llvm::Value* shuffleUp(llvm::Value* value, unsigned distance);
  llvm::Value* shuffleAcross(llvm::Value* value, unsigned distance);

  llvm::IRBuilder<>& builder_;
  llvm::Value *mask_, *lane_;
  const unsigned capability_;
};

} // namespace quern::compiler
