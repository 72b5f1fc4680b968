#pragma once

#include <llvm/ADT/STLFunctionalExtras.h>

#include "compiler/packets/no_wrap_speculation.h"
#include "compiler/packets/packet_part.h"
#include "compiler/target/target_model.h"

namespace quern::compiler {

/// Tests in a packet whether what was speculated of an access's address holds.
class SpeculationTest : PacketPart {
public:
  using Vectors = llvm::SmallVector<llvm::Value*, 16>;

  SpeculationTest(PacketValues& values, const NoWrapSpeculation& speculation)
      : PacketPart(values), speculation_(speculation) {}

  static double cost(const NoWrapSpeculation& speculation) {
    return 2 * TargetModel::scalar * static_cast<double>(speculation.conditions.size());
  }

  /// Whether the addresses lie next to each other, or are the same.
  llvm::Value* noneWraps();
  /// What a part of such an address (NoWrapSpeculation) is for the packet's first work-item, where
  /// the conditions hold; anything where they do not, and where it does not run this.
  llvm::Value* unwrapped(llvm::Value* value);
  /// What one of two ways makes, as many values in both; the first one is the rule. Neither may ask
  /// for values of the region: those that it made would be known afterwards.
  Vectors either(llvm::Value* condition, llvm::function_ref<Vectors()> ifTrue,
                 llvm::function_ref<Vectors()> ifFalse);

private:
  llvm::Value* staysInRange(const NoWrapSpeculation::Condition& condition);
  llvm::Value* staysInRow(const NoWrapSpeculation::Condition& condition);
  llvm::Value* staysWithin(const NoWrapSpeculation::Condition& condition);
  llvm::Value* staysInBits(const NoWrapSpeculation::Condition& condition);
  llvm::Value* staysWithinMask(llvm::Value* first, llvm::Value* mask, int64_t span);
  llvm::Value* holds(const NoWrapSpeculation::Condition& condition);
  llvm::Value* positive(llvm::Value* divisor);

  const NoWrapSpeculation& speculation_;
};

} // namespace quern::compiler
