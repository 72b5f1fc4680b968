#pragma once

#include <string>

#include "abi/program_image.h"
#include "device/command.h"

namespace quern::device {

/// All that is known of `launch`, of the kernel `description`, for code that relies on it: its
/// `facts` but for `disjointMemory`, which whoever knows the buffers says.
abi::LaunchFacts factsOf(const LaunchKernel& launch, const abi::KernelDescription& description,
                         bool disjointMemory);

/// Whether code that relies on `facts` can run a launch of which `known` is true.
bool hold(const abi::LaunchFacts& facts, const abi::LaunchFacts& known);

/// Whether `facts` tell of launches all that `others` do, and more.
bool areMore(const abi::LaunchFacts& facts, const abi::LaunchFacts& others);

/// " for work-groups of 16 x 16 x 1, all whole, and disjoint buffers, and 7 as argument 2", for
/// what is said of code that relies on `facts`.
std::string describe(const abi::LaunchFacts& facts);

} // namespace quern::device
