#pragma once

#include <llvm/IR/Function.h>
#include <llvm/IR/PassManager.h>

namespace quern::compiler {

/// Packets run along dimension 0. Many a program counts the rows of its arrays there, and their
/// columns in dimension 1: then neighbours in a packet find their elements a row apart. A kernel of
/// one region, none of whose work-items can see in which order the others come, may as well run
/// with these dimensions exchanged.

/// Whether accesses of the region would be next to each other in dimension 1 that are not in
/// dimension 0, or there are too few work-items for packets in dimension 0. False where the region
/// looks at the order of the work-items.
bool mayGainByExchange(llvm::Function& region, llvm::FunctionAnalysisManager& analyses);

/// A copy of the region, before that has forms, whose implicit arguments for dimension 0 are those
/// for dimension 1 of the region, and the other way round.
llvm::Function& exchangeDimensions(llvm::Function& region);

} // namespace quern::compiler
