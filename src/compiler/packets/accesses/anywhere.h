#pragma once

#include "compiler/packets/packet_values.h"

namespace quern::compiler {

/// Loads what lies anywhere. Each work-item's part of a whole vector (VectorForm) is read at once.
/// `pointers`: the work-items' addresses.
llvm::Value* loadAnywhere(PacketValues& values, const llvm::LoadInst& load, llvm::Value* pointers);
/// The same for a store of `stored`. Where work-items write to one place the last one stays, as if
/// each ran after the other.
void storeAnywhere(PacketValues& values, const llvm::StoreInst& store, llvm::Value* stored,
                   llvm::Value* pointers);

/// The number as large as what such an access moves for a work-item, where one instruction gathers
/// or scatters those of all; else null.
llvm::Type* gatheredType(llvm::Type* type);

} // namespace quern::compiler
