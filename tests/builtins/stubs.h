// Controls what the library's calls to the compiler's functions return in the tests.
#pragma once

#include <cstddef>

namespace quern::builtins {

/// The work-item's local id in dimension 0.
extern std::size_t localId;
/// How often a barrier was reached.
extern int barrierCount;
/// The one address that is local memory and the one that is private; all others are global.
extern const void* localMemory;
extern const void* privateMemory;

} // namespace quern::builtins
