#pragma once

#include <optional>

#include <llvm/IR/Instructions.h>

#include "compiler/il/associative.h"

namespace quern::compiler {

/// What joins the operands of several atomic operations of this kind on one integer to that of one
/// such operation; for a subtraction their sum is subtracted. Nothing where there is no such thing.
std::optional<Associative> joiningOf(llvm::AtomicRMWInst::BinOp operation);

/// Whether there is, and `atomic` changes an integer.
bool isJoinable(const llvm::AtomicRMWInst& atomic);

} // namespace quern::compiler
