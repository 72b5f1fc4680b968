#pragma once

#include <vector>

#include "compiler/regions/live_values.h"

namespace quern::compiler {

/// Which values that are kept in the context (Transport::Context) use the same slot: those that no
/// region is given together, for each work-item loads what a region is given before it stores what
/// the next one is given. A value shares with the one that it becomes when a loop goes on, if it
/// can: then nothing has to be moved. All of a slot are of one size and alignment.
std::vector<std::vector<llvm::Instruction*>> shareSlots(const LiveValues& values,
                                                        const llvm::DataLayout& layout);

} // namespace quern::compiler
