#pragma once

#include "kernels/random/program.h"

namespace quern::tests::random {

/// The shapes that a program is run with: 1 to 3 dimensions, several local sizes.
std::vector<Shape> shapes(const Program& program);
inline constexpr size_t maxGroupItems = 64;

/// Builds `program` with `options`, runs it on the device under test in every shape and compares
/// with the interpreter. Returns an empty text, or what differs. Throws when a call fails.
std::string compareWithDevice(const Program& program, const std::string& options);

} // namespace quern::tests::random
