#pragma once

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "base/ref.h"
#include "device/command.h"

namespace quern::device {

/// For each piece of work of a graph the earlier ones that it starts after: those that end before
/// it begins. All others may run at the same time, or in any order. The numbers rise.
using GraphOrder = std::vector<std::vector<uint32_t>>;

/// Work that is given once and run many times, in whole (RunGraph). Never changes. A device that
/// can prepare something for it derives from this (Device::createGraph).
class Graph : public RefCounted {
public:
  struct Node {
    const Work* work = nullptr; ///< never changes
    Ref<const RefCounted> owner;
  };

  Graph(std::vector<Node> work, std::shared_ptr<const GraphOrder> order)
      : work_(std::move(work)), order_(std::move(order)) {}

  size_t size() const { return work_.size(); }
  const std::vector<Node>& nodes() const { return work_; }
  const Work& work(size_t node) const { return *work_[node].work; }
  /// As long as `work`. In its order, one piece after the other, is a way to run the graph.
  const std::shared_ptr<const GraphOrder>& order() const { return order_; }

private:
  const std::vector<Node> work_;
  const std::shared_ptr<const GraphOrder> order_;
};

} // namespace quern::device
