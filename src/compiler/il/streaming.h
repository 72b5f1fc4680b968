#pragma once

#include <llvm/IR/Instructions.h>

namespace quern::compiler {

/// Buffers that better are written past the caches, because these do not hold what the launch
/// stores: parameters of work-item bodies and regions with names::streamedAttribute. Whole vectors
/// that are stored there get LLVM's `!nontemporal`; smaller parts of a line would be slower past
/// the caches.

/// Whether `instruction` stores to such a buffer.
bool isStreamed(const llvm::Instruction& instruction);

/// Whether `instruction` stores past the caches.
bool isNontemporal(const llvm::Instruction& instruction);

/// Marks `vectors`, which stores what all of `stores` do, as nontemporal if they are streamed.
void streamLike(llvm::ArrayRef<llvm::Instruction*> stores, llvm::StoreInst& vectors);

} // namespace quern::compiler
