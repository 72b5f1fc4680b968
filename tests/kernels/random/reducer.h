#pragma once

#include <functional>

#include "kernels/random/program.h"

namespace quern::tests::random {

/// Removes statements and simplifies expressions of `program` as long as `fails(program)` stays
/// true.
void reduce(Program& program, const std::function<bool(const Program&)>& fails);

} // namespace quern::tests::random
