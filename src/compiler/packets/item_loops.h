#pragma once

#include <functional>

#include <llvm/ADT/STLFunctionalExtras.h>

#include "compiler/packets/packet_part.h"

namespace quern::compiler {

/// Makes what the work-items of a packet do one after the other, and what they do as one
/// (each_item.h).
class ItemLoops : PacketPart {
public:
  explicit ItemLoops(PacketValues& values) : PacketPart(values) {}

  void emit(llvm::Instruction& instruction);
  /// isCombinable holds for it, and the address that it uses is uniform.
  void emitCombined(llvm::Instruction& instruction);

private:
  using OfItem = std::function<llvm::Value*(llvm::Value* item)>;
  void emitCombinedAtomic(llvm::AtomicRMWInst& atomic);
  void emitCombinedReservation(llvm::CallInst& call);
  llvm::Value* emitOneByOne(llvm::Instruction& instruction);
  OfItem operandOfItem(const llvm::Instruction& user, unsigned number, llvm::Value* operand);
  void emitAllItems(llvm::function_ref<llvm::Value*(llvm::Value*)> emitFor);
  llvm::Value* emitActiveItems(llvm::Instruction& instruction,
                               llvm::function_ref<llvm::Value*(llvm::Value*)> emitFor);
};

} // namespace quern::compiler
