#pragma once

/// Numbers of the address spaces in our IR: those of the triple spir64. For NVIDIA devices the step
/// "retarget" changes them (target/nvptx/remap_address_spaces.h).
namespace quern::compiler::address_space {

inline constexpr unsigned privateMemory = 0;
inline constexpr unsigned global = 1;
inline constexpr unsigned constant = 2;
inline constexpr unsigned local = 3;
inline constexpr unsigned generic = 4;

} // namespace quern::compiler::address_space
