#pragma once

#include <optional>
#include <vector>

#include "device/graph.h"
#include "devices/cuda/gpu.h"

namespace quern::cuda {

/// A graph of the driver's that does what one of ours does. Whoever has it destroys both.
struct CapturedGraph {
  GraphHandle graph = nullptr;
  GraphExecHandle executable = nullptr;
  /// For each piece of work its node, if it is a launch of one grid; null otherwise.
  std::vector<GraphNodeHandle> kernels;
};

/// Makes a graph of the driver's of what enqueueing each piece of work in `graph` gives to a
/// stream, with the dependencies that its order has. Nothing where the driver cannot do that. `gpu`
/// is open and has the functions.
std::optional<CapturedGraph> capture(const Gpu& gpu, const device::Graph& graph);

} // namespace quern::cuda
