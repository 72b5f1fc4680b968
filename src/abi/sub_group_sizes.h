#pragma once

#include <array>
#include <cstdint>

namespace quern::abi {

/// What kernels for CPUs may require of their sub-groups (intel_reqd_sub_group_size). Elsewhere it
/// is the one size that the target has.
inline constexpr std::array<uint32_t, 4> cpuSubGroupSizes = {4, 8, 16, 32};

} // namespace quern::abi
