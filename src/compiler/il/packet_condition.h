#pragma once

#include <llvm/IR/IRBuilder.h>

namespace quern::compiler {

/// Makes a call of names::packetGuard, which says that what follows is only right where `condition`
/// holds for all work-items of a tile of packets.
void addPacketGuard(llvm::IRBuilderBase& builder, llvm::Value* condition);

/// Whether `instruction` is such a call.
bool isPacketGuard(const llvm::Instruction& instruction);

/// Makes a call of names::packetAll, which tells whether `condition` holds for all work-items of a
/// tile.
llvm::Value* addPacketAll(llvm::IRBuilderBase& builder, llvm::Value* condition);

/// Whether `value` is such a call.
bool isPacketAll(const llvm::Value& value);

} // namespace quern::compiler
