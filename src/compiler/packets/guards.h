#pragma once

#include <llvm/IR/Function.h>
#include <llvm/IR/IRBuilder.h>

namespace quern::compiler {

/// Conditions at the start of a region that keep some work-items from doing anything, such as
/// `if (get_global_id(0) >= n) return`. In most tiles of packets they hold for all work-items.
///
/// Takes the branches on such conditions out of `region`: a call of names::packetGuard says instead
/// that what follows is only right where its argument is true for all work-items of a tile.
/// Nothing before a guard has an effect. `alignment` is that of PacketUniformity.
void takeOutGuards(llvm::Function& region, uint64_t alignment);

/// Makes such a call.
void addPacketGuard(llvm::IRBuilderBase& builder, llvm::Value* condition);

/// Whether `instruction` is such a call.
bool isPacketGuard(const llvm::Instruction& instruction);

/// Makes a call of names::packetAll, which tells whether `condition` holds for all work-items of a
/// tile.
llvm::Value* addPacketAll(llvm::IRBuilderBase& builder, llvm::Value* condition);

/// Whether `value` is such a call.
bool isPacketAll(const llvm::Value& value);

} // namespace quern::compiler
