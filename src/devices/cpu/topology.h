#pragma once

#include <array>
#include <cstdint>
#include <string>
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

/// Asks the kernel, by its files below /sys; takes milliseconds. `unitCount` units are spread over
/// `cpus`, of which there is at least one, in the order of the machine's tree, so that neighbours
/// share caches. `root` is put before /sys, for tests.
Topology readTopology(uint32_t unitCount, const std::vector<uint32_t>& cpus,
                      const std::string& root = {});

/// The CPUs that the process may use and that share `domain` with `unit`, as the operating system
/// numbers them, for binding threads.
std::vector<uint32_t> cpusOfGroup(const Unit& unit, Domain domain);

} // namespace quern::cpu
