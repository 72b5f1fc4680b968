#pragma once

#include "compiler/packets/packet_values.h"

namespace quern::compiler {

/// Loads elements that lie next to each other, upwards where `direction` is 1 and downwards where
/// it is -1. `first` is the address of the packet's first work-item.
llvm::Value* loadNeighbours(PacketValues& values, const llvm::LoadInst& load, llvm::Value* first,
                            int direction);
/// The same for a store of the vector `stored`.
void storeNeighbours(PacketValues& values, llvm::StoreInst& store, llvm::Value* stored,
                     llvm::Value* first, int direction);

} // namespace quern::compiler
