#pragma once

#include <optional>

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/IRBuilder.h>

namespace quern::compiler {

/// A loop that goes on until a number is 0, from which each iteration takes the lowest bit that is
/// set (`x &= x - 1`, B. W. Kernighan and D. M. Ritchie: The C Programming Language, exercise 2-9),
/// or which it shifts right by one. ScalarEvolution does not know how often it runs.
class BitLoop {
public:
  /// Nothing for any other loop, and for one that does not have a preheader, one latch and one
  /// exiting block.
  static std::optional<BitLoop> of(const llvm::Loop& loop);

  /// The value that is 0 where the loop is left.
  const llvm::Value& number() const { return *number_; }
  /// How often the loop goes back to its header, as a number of the same type.
  llvm::Value* backedgeTakenCount(llvm::IRBuilderBase& builder) const;

private:
  enum class Step : uint8_t { ClearLowestBit, ShiftRight };

  BitLoop(llvm::Value& first, const llvm::Value& number, Step step, bool isLeftAtLatch)
      : first_(&first), number_(&number), step_(step), isLeftAtLatch_(isLeftAtLatch) {}

  llvm::Value* first_; ///< of the first iteration
  const llvm::Value* number_;
  Step step_;
  bool isLeftAtLatch_; ///< `number_` is that of the next iteration
};

} // namespace quern::compiler
