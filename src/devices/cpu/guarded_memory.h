#pragma once

#include <string_view>

#include "devices/cpu/memory.h"

/// Memory around which a kernel that leaves it is found (option QUERN_GUARD): pages before and
/// behind it fault, and what is left of its own pages must stay as it is.
namespace quern::cpu {

bool guardsMemory();

/// As `allocate`, for memory that is not the program's.
Result<Ref<device::Allocation>> allocateGuarded(uint64_t bytes, Ledger& ledger);

/// Says on standard error which bytes beside guarded memory have changed, and mends them. `kernel`
/// is what ran last. Thread-safe.
void checkGuards(std::string_view kernel);

} // namespace quern::cpu
