#pragma once

#include <llvm/IR/Function.h>

namespace quern::compiler {

/// Makes numbers of small vectors, such as float2 and uchar4, that `region` only loads, chooses
/// among and stores. A packet then moves neighbouring ones as they lie in memory, and gathers each
/// with one access, instead of taking their elements apart and putting them together again.
/// Returns whether there was one.
bool moveVectorsWhole(llvm::Function& region);

/// Whether `value` is loaded or chosen, and nothing is computed from it: it is stored, perhaps
/// after another choice.
bool isOnlyMoved(const llvm::Instruction& value);

} // namespace quern::compiler
