#include "devices/cpu/graph.h"

#include <algorithm>

namespace quern::cpu {

Graph::Graph(std::vector<Node> nodes, std::shared_ptr<const device::GraphOrder> order,
             const Graph* earlier)
    : device::Graph(nodes, std::move(order)) {
  prepared_.reserve(nodes.size());
  for (size_t i = 0; i < nodes.size(); ++i)
    if (earlier && nodes[i].work == &earlier->work(i))
      prepared_.push_back(earlier->prepared_[i]);
    else
      prepared_.push_back(makeRef<Prepared>(*nodes[i].work, std::move(nodes[i].owner)));
  if (earlier) {
    sorted_ = earlier->sorted_;
    levels_ = earlier->levels_;
    runs_ = earlier->runs_.load(std::memory_order_relaxed);
    noteTime(static_cast<uint64_t>(earlier->time()));
  } else {
    sortIntoLevels();
  }
  inOrder_.reserve(nodes.size());
  for (const uint32_t node : *sorted_)
    inOrder_.push_back(&prepared_[node]->run);
}

void Graph::sortIntoLevels() {
  std::vector<uint32_t> level(size(), 0);
  uint32_t count = 0;
  for (uint32_t node = 0; node < size(); ++node) {
    for (const uint32_t before : (*order())[node])
      level[node] = std::max(level[node], level[before] + 1);
    count = std::max(count, level[node] + 1);
  }
  std::vector<uint32_t> begins(count + 1, 0);
  for (const uint32_t number : level)
    ++begins[number + 1];
  for (uint32_t i = 0; i < count; ++i)
    begins[i + 1] += begins[i];
  std::vector<uint32_t> sorted(size()), next = begins;
  for (uint32_t node = 0; node < size(); ++node)
    sorted[next[level[node]]++] = node;
  sorted_ = std::make_shared<const std::vector<uint32_t>>(std::move(sorted));
  levels_ = std::make_shared<const std::vector<uint32_t>>(std::move(begins));
}

} // namespace quern::cpu
