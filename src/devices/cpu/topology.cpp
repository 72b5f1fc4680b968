#include "devices/cpu/topology.h"

#include <algorithm>
#include <hwloc.h>
#include <memory>

#include "base/log.h"

namespace quern::cpu {

namespace {

struct TopologyDeleter {
  void operator()(hwloc_topology* topology) const { hwloc_topology_destroy(topology); }
};
using TopologyHandle = std::unique_ptr<hwloc_topology, TopologyDeleter>;

TopologyHandle load() {
  hwloc_topology_t topology = nullptr;
  if (hwloc_topology_init(&topology) != 0)
    return nullptr;
  TopologyHandle handle(topology);
  // hwloc's OpenCL component would ask the loader for platforms, and so come back here.
  hwloc_topology_set_components(topology, HWLOC_TOPOLOGY_COMPONENTS_FLAG_BLACKLIST, "opencl");
  if (hwloc_topology_load(topology) != 0)
    return nullptr;
  return handle;
}

hwloc_obj_type_t typeOf(Domain domain) {
  switch (domain) {
  case Domain::Numa:
    return HWLOC_OBJ_NUMANODE;
  case Domain::L4:
    return HWLOC_OBJ_L4CACHE;
  case Domain::L3:
    return HWLOC_OBJ_L3CACHE;
  case Domain::L2:
    return HWLOC_OBJ_L2CACHE;
  case Domain::L1:
    break;
  }
  return HWLOC_OBJ_L1CACHE;
}

/// The object of `domain` that `pu` belongs to, or null. NUMA nodes hang beside the tree, so they
/// are found by their CPUs.
hwloc_obj_t objectOf(hwloc_topology_t topology, hwloc_obj_t pu, Domain domain) {
  if (domain != Domain::Numa)
    return hwloc_get_ancestor_obj_by_type(topology, typeOf(domain), pu);
  for (hwloc_obj_t node = nullptr;
       (node = hwloc_get_next_obj_by_type(topology, HWLOC_OBJ_NUMANODE, node));)
    if (hwloc_bitmap_isset(node->cpuset, pu->os_index))
      return node;
  return nullptr;
}

/// The process's CPUs in the order of the tree.
std::vector<hwloc_obj_t> usablePus(hwloc_topology_t topology) {
  hwloc_bitmap_t allowed = hwloc_bitmap_alloc();
  if (hwloc_get_cpubind(topology, allowed, HWLOC_CPUBIND_PROCESS) != 0)
    hwloc_bitmap_copy(allowed, hwloc_topology_get_topology_cpuset(topology));
  std::vector<hwloc_obj_t> pus;
  for (hwloc_obj_t pu = nullptr; (pu = hwloc_get_next_obj_by_type(topology, HWLOC_OBJ_PU, pu));)
    if (hwloc_bitmap_isset(allowed, pu->os_index))
      pus.push_back(pu);
  hwloc_bitmap_free(allowed);
  return pus;
}

void readCaches(hwloc_topology_t topology, Topology& result) {
  for (Domain domain : {Domain::L4, Domain::L3, Domain::L2, Domain::L1}) {
    uint64_t bytes = 0;
    for (hwloc_obj_t cache = nullptr;
         (cache = hwloc_get_next_obj_by_type(topology, typeOf(domain), cache));) {
      bytes += cache->attr->cache.size;
      if (cache->attr->cache.linesize > 0)
        result.cacheLineBytes = cache->attr->cache.linesize;
    }
    if (bytes > 0) {
      result.lastLevelCacheBytes = bytes;
      return;
    }
  }
}

} // namespace

Topology readTopology(uint32_t unitCount) {
  Topology result;
  result.units.resize(unitCount);
  const TopologyHandle handle = load();
  const std::vector<hwloc_obj_t> pus =
      handle ? usablePus(handle.get()) : std::vector<hwloc_obj_t>();
  if (pus.empty()) {
    log::warning("hwloc cannot read the machine's topology: devices cannot be split by affinity");
    return result;
  }
  readCaches(handle.get(), result);
  for (uint32_t i = 0; i < unitCount; ++i) {
    const hwloc_obj_t pu = pus[uint64_t(i) * pus.size() / unitCount];
    Unit& unit = result.units[i];
    unit.cpu = pu->os_index;
    for (Domain domain : allDomains) {
      const hwloc_obj_t object = objectOf(handle.get(), pu, domain);
      unit.group[static_cast<size_t>(domain)] =
          object ? static_cast<int32_t>(object->logical_index) : -1;
    }
  }
  return result;
}

std::vector<uint32_t> cpusOfGroup(const Unit& unit, Domain domain) {
  std::vector<uint32_t> cpus;
  const TopologyHandle handle = load();
  if (!handle)
    return cpus;
  const int32_t group = unit.group[static_cast<size_t>(domain)];
  for (hwloc_obj_t pu : usablePus(handle.get())) {
    const hwloc_obj_t object = objectOf(handle.get(), pu, domain);
    if (object && static_cast<int32_t>(object->logical_index) == group)
      cpus.push_back(pu->os_index);
  }
  return cpus;
}

} // namespace quern::cpu
