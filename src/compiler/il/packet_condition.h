#pragma once

#include <llvm/IR/IRBuilder.h>

namespace quern::compiler {

/// At the place of `builder` a call of names::packetGuard says that what follows is only right
/// where `holds` is true for all work-items of a tile of packets.
void addPacketGuard(llvm::IRBuilderBase& builder, llvm::Value* holds);

/// Takes `branch` out, which then goes where it goes if its condition is `wanted`, and adds such a
/// guard. Returns the block that is gone to.
llvm::BasicBlock* guardBranch(llvm::IRBuilderBase& builder, llvm::BranchInst& branch, bool wanted,
                              llvm::Value* holds);

/// Whether `instruction` is such a call.
bool isPacketGuard(const llvm::Instruction& instruction);

/// Makes a call of names::packetAll, which tells whether `condition` holds for all work-items of a
/// tile.
llvm::Value* addPacketAll(llvm::IRBuilderBase& builder, llvm::Value* condition);

/// Whether `value` is such a call.
bool isPacketAll(const llvm::Value& value);

} // namespace quern::compiler
