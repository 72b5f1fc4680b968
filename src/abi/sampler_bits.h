#pragma once

#include <cstdint>

/// A sampler argument is 8 bytes that hold these bits: the encoding that OpenCL C gives the CLK_
/// constants, so that samplers of the host and of kernels are alike.
namespace quern::abi {

inline constexpr uint64_t samplerNormalizedCoords = 0x1;
inline constexpr uint64_t samplerAddressNone = 0x0;
inline constexpr uint64_t samplerAddressClampToEdge = 0x2;
inline constexpr uint64_t samplerAddressClamp = 0x4;
inline constexpr uint64_t samplerAddressRepeat = 0x6;
inline constexpr uint64_t samplerAddressMirroredRepeat = 0x8;
inline constexpr uint64_t samplerFilterNearest = 0x10;
inline constexpr uint64_t samplerFilterLinear = 0x20;

} // namespace quern::abi
