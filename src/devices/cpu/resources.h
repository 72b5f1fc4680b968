#pragma once

#include <cstdint>
#include <string>
#include <vector>

/// What the operating system lets this process have: affinity mask, cgroup limits (versions 1 and
/// 2), resource limits.
namespace quern::cpu {

/// The CPUs of the affinity mask, as the operating system numbers them, in ascending order; at
/// least one.
std::vector<uint32_t> affinityCpus();

/// CPUs' worth of time that the process may use, rounded up: the smaller of the affinity mask's
/// size and the cgroup's quota, or the option QUERN_THREADS where it is set. At least 1.
uint32_t computeUnits();

/// Bytes of memory that the process may have: the smallest of the machine's memory, the cgroup's
/// limit and RLIMIT_AS.
uint64_t memoryBytes();

/// Where cgroup files are looked for. `root` is put before /proc and /sys, for tests; empty means
/// the real ones. Both return 0 when there is no limit.
uint32_t cgroupCpuQuota(const std::string& root);
uint64_t cgroupMemoryLimit(const std::string& root);

} // namespace quern::cpu
