#pragma once

#include "compiler/packets/packet_part.h"

namespace quern::compiler {

/// Divides the integers of a packet's work-items.
class PacketDivisions : PacketPart {
public:
  explicit PacketDivisions(PacketValues& values) : PacketPart(values) {}

  llvm::Value* emit(llvm::BinaryOperator& division);

private:
  llvm::Value* emitNarrow(llvm::BinaryOperator& division);
  llvm::Value* emitAsFloat(llvm::Value* dividend, llvm::Value* divisor, llvm::Value* uniformDivisor,
                           llvm::Instruction::BinaryOps opcode);
};

} // namespace quern::compiler
