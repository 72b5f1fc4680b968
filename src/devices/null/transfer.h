#pragma once

#include <cstdint>

#include "device/command.h"

namespace quern::null {

/// CLOCK_MONOTONIC in nanoseconds.
uint64_t timestamp();

/// Does what `work` asks for, one byte after the other and with no other aim than to be right.
/// Kernels do nothing.
void perform(const device::Work& work);

} // namespace quern::null
