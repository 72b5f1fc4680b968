#pragma once

#include <cstdint>
#include <string_view>

namespace quern::cpu {

/// Whether functions get names for perf and gdb (option QUERN_PERF).
bool namesFunctions();

/// Tells perf that `bytes` of code at `address` are the function `name`: a line of the file
/// /tmp/perf-PID.map, which perf reads when it makes a report. Thread-safe. What cannot be written
/// is left away.
void nameForPerf(uint64_t address, uint64_t bytes, std::string_view name);

} // namespace quern::cpu
