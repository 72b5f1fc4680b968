#pragma once

#include "abi/program_image.h"
#include "device/command.h"

namespace quern::device {

/// All that is known of `launch` for code that relies on it.
abi::LaunchFacts factsOf(const LaunchKernel& launch);

/// Whether code that relies on `facts` can run a launch of which `known` is true.
bool hold(const abi::LaunchFacts& facts, const abi::LaunchFacts& known);

} // namespace quern::device
