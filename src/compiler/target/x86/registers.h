#pragma once

namespace quern::compiler {

/// Bits of the narrowest and of the widest vector register.
inline constexpr unsigned leastRegisterBits = 128, mostRegisterBits = 512;

} // namespace quern::compiler
