#pragma once

#include <memory>
#include <vector>

#include "cluster/records.h"
#include "node/node_queue.h"

/// Commands that bring bytes to the node or away from it.
namespace quern::node {

/// A box and where it is.
struct PlacedBox {
  device::Place place;
  cluster::Box box;
};

/// Whether all of `box` is within an allocation of so many bytes.
bool isWithin(const cluster::Box& box, uint64_t allocationBytes);

/// A copy from box to box of one region.
device::Work copyWork(const PlacedBox& source, const PlacedBox& destination);

/// Where received bytes come from: `data`; the driver's data with `tag`; or `remote` of the node
/// `from`, which has to be asked.
struct Origin {
  int32_t from = 0, tag = 0;
  Bytes data;
  cluster::Spot remote;
};
std::unique_ptr<NodeCommand> makeReceive(uint64_t number, std::vector<Ref<RefCounted>> kept,
                                         const PlacedBox& destination, Origin origin);

/// `tag` 0: with the end.
std::unique_ptr<NodeCommand> makeSend(uint64_t number, std::vector<Ref<RefCounted>> kept,
                                      const PlacedBox& source, int32_t tag);

} // namespace quern::node
