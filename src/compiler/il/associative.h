#pragma once

#include <llvm/IR/IRBuilder.h>

namespace quern::compiler {

/// Operations whose operands may be taken in any order, of integers or floating-point numbers.
enum class Associative : uint8_t { Add, Mul, Min, Max, UMin, UMax, And, Or, Xor };

/// What joins two operands, or vectors of them. A minimum or maximum is `a` where `b` is no number.
llvm::Value* joined(llvm::IRBuilderBase& builder, Associative operation, llvm::Value* a,
                    llvm::Value* b);

/// The operand, or vector of operands, that changes nothing.
llvm::Constant* neutral(Associative operation, llvm::Type* type);

/// Each element of a vector moved `lanes` places up; the lowest ones are those of `nothing`.
llvm::Value* movedUp(llvm::IRBuilderBase& builder, llvm::Value* values, unsigned lanes,
                     llvm::Constant* nothing);

/// In each element of a vector, what joins all up to and with it. Each step joins twice as many.
/// `nothing` is a neutral operand.
llvm::Value* joinedUpTo(llvm::IRBuilderBase& builder, Associative operation, llvm::Value* values,
                        llvm::Constant* nothing);

/// In each element of a vector, what joins all of those `count` neighbours, a power of two, to
/// which it belongs.
llvm::Value* joinedAmong(llvm::IRBuilderBase& builder, Associative operation, llvm::Value* values,
                         uint64_t count);

} // namespace quern::compiler
