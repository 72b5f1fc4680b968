#include "devices/cuda/graph.h"

#include <algorithm>
#include <ranges>

#include "devices/cuda/executable.h"
#include "devices/cuda/graph_capture.h"
#include "devices/cuda/grid.h"

namespace quern::cuda {

namespace {

const Executable& executableOf(const device::LaunchKernel& launch) {
  return static_cast<const Executable&>(*launch.executable);
}

/// Each run of a kernel that prints needs a buffer of its own.
bool prints(const device::Work& work) {
  const auto* const launch = std::get_if<device::LaunchKernel>(&work);
  return launch && executableOf(*launch).prints(launch->kernel);
}

bool touchesHost(const device::Work& work) {
  return std::visit(
      [](const auto& one) {
        bool any = false;
        if constexpr (requires { one.source; })
          any |= one.source.allocation == nullptr;
        if constexpr (requires { one.destination; })
          any |= one.destination.allocation == nullptr;
        return any;
      },
      work);
}

} // namespace

class ExecutableGraph {
public:
  ExecutableGraph(std::shared_ptr<Gpu> gpu, CapturedGraph graph,
                  std::vector<device::Graph::Node> work)
      : gpu_(std::move(gpu)), graph_(std::move(graph)) {
    *work_.lock() = std::move(work);
  }
  ~ExecutableGraph() {
    const CurrentContext current(*gpu_);
    gpu_->api.graphExecDestroy(graph_.executable);
    gpu_->api.graphDestroy(graph_.graph);
  }

  /// Whether launches at this node can change.
  bool canChange(size_t node) const { return graph_.kernels[node] != nullptr; }

  Error launch(const Graph& graph, const std::vector<device::Graph::Node>& nodes,
               StreamHandle stream) {
    // The driver's graphs are not thread-safe.
    auto work = work_.lock();
    if (latest_ != &graph)
      for (size_t node = 0; node < nodes.size(); ++node)
        if ((*work)[node].work != nodes[node].work) {
          const auto& launch = std::get<device::LaunchKernel>(*nodes[node].work);
          if (const Error error =
                  executableOf(launch).replace(launch, graph_.executable, graph_.kernels[node]);
              error != Error::Success)
            return error;
          (*work)[node] = nodes[node];
        }
    latest_ = &graph;
    return gpu_->api.graphLaunch(graph_.executable, stream);
  }

  /// `graph` is gone: another one may be where it was.
  void forget(const Graph& graph) {
    auto work = work_.lock();
    if (latest_ == &graph)
      latest_ = nullptr;
  }

private:
  const std::shared_ptr<Gpu> gpu_;
  const CapturedGraph graph_;
  /// What the nodes do now, and whose work that is; both under the lock.
  MutexProtected<std::vector<device::Graph::Node>> work_;
  const Graph* latest_ = nullptr;
};

Ref<device::Graph> Graph::create(const std::shared_ptr<Gpu>& gpu, std::vector<Node> nodes,
                                 std::shared_ptr<const device::GraphOrder> order,
                                 const Graph* earlier) {
  auto graph = makeRef<Graph>(std::move(nodes), std::move(order));
  const auto works =
      std::views::transform(graph->nodes(), [](const Node& node) -> auto& { return *node.work; });
  std::ranges::for_each(works, [&](const device::Work& work) {
    if (touchesHost(work))
      graph->hostTransfers_.push_back(&work);
  });
  if (earlier && graph->isLike(*earlier))
    graph->executable_ = earlier->executable_;
  else if (gpu->api.hasGraphs() && std::ranges::none_of(works, prints))
    if (std::optional<CapturedGraph> captured = capture(*gpu, *graph))
      graph->executable_ =
          std::make_shared<ExecutableGraph>(gpu, std::move(*captured), graph->nodes());
  return graph;
}

Graph::Graph(std::vector<Node> nodes, std::shared_ptr<const device::GraphOrder> order)
    : device::Graph(std::move(nodes), std::move(order)) {}

Graph::~Graph() {
  if (executable_)
    executable_->forget(*this);
}

/// Whether the driver's graph of `earlier` can become this one.
bool Graph::isLike(const Graph& earlier) const {
  if (!earlier.executable_)
    return false;
  for (size_t node = 0; node < size(); ++node) {
    if (&work(node) == &earlier.work(node))
      continue;
    const auto* const launch = std::get_if<device::LaunchKernel>(&work(node));
    if (!launch || !earlier.executable_->canChange(node) || prints(work(node)) ||
        !isOneGrid(*launch))
      return false;
  }
  return true;
}

std::optional<Error> Graph::launch(StreamHandle stream) const {
  if (!executable_)
    return std::nullopt;
  return executable_->launch(*this, nodes(), stream);
}

} // namespace quern::cuda
