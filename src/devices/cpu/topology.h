#pragma once

#include <array>
#include <cstdint>
#include <vector>

namespace quern::cpu {

/// The levels along which a device can be split, in the order in which OpenCL looks for the next
/// partitionable one.
enum class Domain { Numa, L4, L3, L2, L1 };
inline constexpr std::array allDomains = {Domain::Numa, Domain::L4, Domain::L3, Domain::L2,
                                          Domain::L1};

/// One compute unit: the logical CPU that stands for it, and the group it belongs to on each level.
struct Unit {
  uint32_t cpu = 0; ///< as the operating system numbers it
  /// Index of the NUMA node or cache, by Domain; units that share one have the same number. -1
  /// where there is no such level.
  std::array<int32_t, allDomains.size()> group = {};
};

/// The machine as far as the process may use it.
struct Topology {
  std::vector<Unit> units;
  uint32_t cacheLineBytes = 64;
  uint64_t lastLevelCacheBytes = 0; ///< of all last-level caches together
};

/// Asks hwloc; takes milliseconds. `units` units are spread over the CPUs that the process may use,
/// in the order of the machine's tree, so that neighbours share caches.
Topology readTopology(uint32_t units);

/// The CPUs that share `domain` with `unit`, as the operating system numbers them, for binding
/// threads.
std::vector<uint32_t> cpusOfGroup(const Unit& unit, Domain domain);

} // namespace quern::cpu
