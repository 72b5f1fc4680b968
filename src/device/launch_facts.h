#pragma once

#include <string>

#include "abi/program_image.h"
#include "device/command.h"

namespace quern::device {

/// All that is known of `launch` for code that relies on it.
abi::LaunchFacts factsOf(const LaunchKernel& launch);

/// Whether code that relies on `facts` can run a launch of which `known` is true.
bool hold(const abi::LaunchFacts& facts, const abi::LaunchFacts& known);

/// " for work-groups of 16 x 16 x 1, all whole, and disjoint buffers", for what is said of code
/// that relies on `facts`.
std::string describe(const abi::LaunchFacts& facts);

} // namespace quern::device
