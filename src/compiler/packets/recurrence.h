#pragma once

#include <llvm/Analysis/LoopInfo.h>

#include "compiler/packets/shapes.h"

namespace quern::compiler {

/// Whether packets make a vector of numbers for `value`.
bool isVector(const llvm::Value* value, const Shapes& shapes);

/// Vector instructions that an iteration of `loop` must wait for one after the other.
unsigned recurrenceOf(const llvm::Loop& loop, const Shapes& shapes);
/// The same of vectors of the program, where one work-item runs after the other.
unsigned recurrenceOfVectors(const llvm::Loop& loop);
/// The time of the longest such chain of numbers, where one work-item runs after the other.
double timeOfRecurrence(const llvm::Loop& loop);

} // namespace quern::compiler
