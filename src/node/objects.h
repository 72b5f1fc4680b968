#pragma once

#include <cstdint>
#include <map>
#include <unordered_map>

#include "base/ref.h"
#include "device/device.h"
#include "node/node_queue.h"

namespace quern::node {

/// What the driver has made on this node, by the numbers that it gave.
struct Objects {
  struct Memory {
    Ref<device::Allocation> allocation;
    Ref<device::Device> device;
  };

  std::map<uint64_t, Ref<device::Device>> devices;
  std::unordered_map<uint64_t, Memory> allocations;
  std::unordered_map<uint64_t, Ref<device::Image>> images;
  std::unordered_map<uint64_t, Ref<device::Executable>> executables;
  /// How many kernels each has.
  std::unordered_map<uint64_t, uint32_t> kernelCounts;
  std::unordered_map<uint64_t, Ref<NodeQueue>> queues;

  void free(uint64_t object) {
    devices.erase(object);
    allocations.erase(object);
    images.erase(object);
    executables.erase(object);
    kernelCounts.erase(object);
    queues.erase(object);
  }
};

/// Null where there is none of that number.
template <typename Map>
auto find(const Map& map, uint64_t number) -> const typename Map::mapped_type* {
  const auto place = map.find(number);
  return place == map.end() ? nullptr : &place->second;
}

} // namespace quern::node
