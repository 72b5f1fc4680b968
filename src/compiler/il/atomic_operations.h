#pragma once

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>

namespace quern::compiler {

/// Whether several operations of this kind on one integer are one such operation on what `joined`
/// makes of their operands, in any order.
bool isJoinable(const llvm::AtomicRMWInst& atomic);

/// What joins two operands, or vectors of them; for a subtraction their sum is subtracted.
llvm::Value* joined(llvm::IRBuilderBase& builder, llvm::AtomicRMWInst::BinOp operation,
                    llvm::Value* a, llvm::Value* b);

/// The operand, or vector of operands, that changes nothing.
llvm::Constant* neutral(llvm::AtomicRMWInst::BinOp operation, llvm::Type* type);

} // namespace quern::compiler
