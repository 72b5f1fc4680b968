#pragma once

#include <functional>

#include <llvm/ADT/STLFunctionalExtras.h>

#include "compiler/packets/packet_part.h"

namespace quern::compiler {

/// Makes what the work-items of a packet do one after the other (each_item.h), and atomic
/// operations that they do as one.
class ItemLoops : PacketPart {
public:
  explicit ItemLoops(PacketValues& values) : PacketPart(values) {}

  void emit(llvm::Instruction& instruction);
  void emitCombined(llvm::AtomicRMWInst& atomic);

private:
  using OfItem = std::function<llvm::Value*(llvm::Value* item)>;
  OfItem operandOfItem(const llvm::Instruction& user, unsigned number, llvm::Value* operand);
  void emitAllItems(llvm::function_ref<llvm::Value*(llvm::Value*)> emitFor);
  void emitActiveItems(llvm::Instruction& instruction,
                       llvm::function_ref<llvm::Value*(llvm::Value*)> emitFor);
};

} // namespace quern::compiler
