#pragma once

#include <cstdint>
#include <string_view>

namespace quern::cpu {

/// The address of a function that compiled kernels may call in the host's process, or 0. The list
/// is closed: what code generation itself may call (memory, floating-point and wide-integer
/// helpers), nothing else of the process.
uint64_t hostSymbol(std::string_view name);

} // namespace quern::cpu
