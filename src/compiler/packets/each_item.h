#pragma once

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/Instruction.h>

namespace quern::compiler {

/// Whether all work-items of a packet can do it as one: an atomic operation, or a reservation in a
/// pipe, at the address that is the first operand.
bool isCombinable(const llvm::Instruction& instruction);

/// Whether work-items may wait in a loop of `region`, or of what it calls, for what others write:
/// how often it runs depends on an atomic or volatile access, or on a reservation. In a packet
/// those others might be waiting too.
bool mayWaitForOthers(llvm::Function& region, const llvm::LoopInfo& loops);

} // namespace quern::compiler
