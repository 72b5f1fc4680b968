#pragma once

#include "abi/checks.h"

namespace quern::cpu {

/// What QUERN_CHECK asks for. The same for the whole life of the process.
abi::CheckSet configuredChecks();

} // namespace quern::cpu
