#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "base/mutex_protected.h"
#include "device/graph.h"
#include "devices/cuda/gpu.h"

namespace quern::cuda {

/// A graph of the driver's, which is launched as a whole. Launches of it change from one run to the
/// next where different graphs of ours, which differ in nothing else, share it.
class ExecutableGraph;

/// Work that is run many times: as a graph of the driver's where that can do all of it.
class Graph final : public device::Graph {
public:
  /// `gpu` is open, and `earlier` null or a graph of it in the same order.
  static Ref<device::Graph> create(const std::shared_ptr<Gpu>& gpu, std::vector<Node> nodes,
                                   std::shared_ptr<const device::GraphOrder> order,
                                   const Graph* earlier);
  Graph(std::vector<Node> nodes, std::shared_ptr<const device::GraphOrder> order);
  ~Graph() override;

  /// Launches all of it; nothing where its work has to be enqueued piece by piece. The GPU's
  /// context is current.
  std::optional<Error> launch(StreamHandle stream) const;
  /// Whether `launch` will do it.
  bool isWhole() const { return executable_ != nullptr; }
  /// Work that touches memory of the program, or what may be that.
  const std::vector<const device::Work*>& hostTransfers() const { return hostTransfers_; }

private:
  bool isLike(const Graph& earlier) const;

  std::shared_ptr<ExecutableGraph> executable_; ///< or null
  std::vector<const device::Work*> hostTransfers_;
};

} // namespace quern::cuda
