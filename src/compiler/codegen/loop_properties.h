#pragma once

#include <llvm/IR/Function.h>
#include <llvm/IR/Metadata.h>

namespace quern::compiler {

/// What LLVM is told about a loop over the work-items of `region`: they are independent of each
/// other, so what is in the region's access group does not keep it from running several at once.
/// Where it cannot do that, unrolling by an unknown count only makes code.
llvm::MDNode* itemLoopProperties(const llvm::Function& region);

/// For loops over work-groups and packets, and for what replaces them: LLVM has nothing to add.
/// Only where their `count` is a constant may it be worth unrolling them.
llvm::MDNode* outerLoopProperties(const llvm::Value& count);

/// The property of loops over the work-items of one packet, for what they do one after the other.
inline constexpr llvm::StringRef packetItemsProperty = "quern.loop.packet_items";

/// For such a loop, of which LLVM makes `iterations` iterations one where that is not 0.
llvm::MDNode* packetItemsProperties(llvm::LLVMContext& context, unsigned iterations);

} // namespace quern::compiler
