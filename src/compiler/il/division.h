#pragma once

#include <llvm/IR/Instruction.h>

namespace quern::compiler {

/// Of the four integer divisions of LLVM's IR: which ones take numbers with a sign, and which ones
/// leave the remainder. False for other operations.
inline bool isSignedDivision(unsigned opcode) {
  return opcode == llvm::Instruction::SDiv || opcode == llvm::Instruction::SRem;
}
inline bool isRemainder(unsigned opcode) {
  return opcode == llvm::Instruction::URem || opcode == llvm::Instruction::SRem;
}

/// What does the same to numbers that are not negative.
inline llvm::Instruction::BinaryOps unsignedForm(unsigned opcode) {
  return isRemainder(opcode) ? llvm::Instruction::URem : llvm::Instruction::UDiv;
}

} // namespace quern::compiler
