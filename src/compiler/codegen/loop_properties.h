#pragma once

#include <llvm/IR/Function.h>
#include <llvm/IR/Metadata.h>

namespace quern::compiler {

/// What LLVM is told about a loop over the work-items of `region`: they are independent of each
/// other, so what is in the region's access group does not keep it from running several at once.
/// Where it cannot do that, unrolling by an unknown count only makes code.
llvm::MDNode* itemLoopProperties(const llvm::Function& region);

/// For loops over work-groups and packets, and for what replaces them: LLVM has nothing to add.
/// Only where their `count` is a constant may it be worth unrolling them. `repeats`: all iterations
/// are the same, as those over rows of a kernel that does not ask in which it is. Mostly there is
/// one, and what memory holds is not to lie in registers from one to the next.
llvm::MDNode* outerLoopProperties(const llvm::Value& count, bool repeats = false);

/// The property of loops over the work-items of one packet, for what they do one after the other.
inline constexpr llvm::StringRef packetItemsProperty = "quern.loop.packet_items";

/// For such a loop, of which LLVM makes `iterations` iterations one where that is not 0.
llvm::MDNode* packetItemsProperties(llvm::LLVMContext& context, unsigned iterations);

} // namespace quern::compiler
