#pragma once

#include <llvm/ADT/ArrayRef.h>
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

/// The time that `blocks` take where one work-item, or iteration of their `loop`, runs after the
/// other on a processor that only waits: whose instructions begin when their operands are there, as
/// far as it looks ahead (TargetModel::window). `blocks` are in an order in which they may run;
/// null is no loop.
double timeOfDependences(llvm::ArrayRef<const llvm::BasicBlock*> blocks, const llvm::Loop* loop);

} // namespace quern::compiler
