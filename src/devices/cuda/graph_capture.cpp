#include "devices/cuda/graph_capture.h"

#include <algorithm>

#include "base/log.h"
#include "base/sentence.h"
#include "devices/cuda/executable.h"
#include "devices/cuda/grid.h"
#include "devices/cuda/transfer.h"

namespace quern::cuda {

namespace {

using Nodes = std::vector<GraphNodeHandle>;

/// One stream, captured while work is enqueued there.
class Capture {
public:
  Capture(const Gpu& gpu, const device::Graph& graph) : gpu_(gpu), graph_(graph) {}

  /// Fails with the driver's reason. `result` has what is to be destroyed then, too.
  Error run(Executable::Start start, CapturedGraph& result) {
    result.kernels.resize(graph_.size());
    if (const Error error =
            gpu_.api.streamCreateWithPriority(&stream_, streamNonBlocking, /*priority=*/0);
        error != Error::Success)
      return error;
    Error error = gpu_.api.streamBeginCapture(stream_, captureRelaxed);
    if (error == Error::Success) {
      error = addAll(start, result);
      const Error ended = gpu_.api.streamEndCapture(stream_, &result.graph);
      if (error == Error::Success)
        error = ended;
    }
    gpu_.api.streamDestroy(stream_);
    return error == Error::Success ? gpu_.api.graphInstantiate(&result.executable, result.graph, 0)
                                   : error;
  }

private:
  Error addAll(Executable::Start start, CapturedGraph& result) {
    ends_.resize(graph_.size());
    Nodes open;
    for (size_t number = 0; number < graph_.size(); ++number)
      if (const Error error = add(number, start, result); error != Error::Success)
        return error;
    // The stream has to have come together again.
    std::vector<bool> isFollowed(graph_.size(), false);
    for (const std::vector<uint32_t>& after : *graph_.order())
      for (const uint32_t before : after)
        isFollowed[before] = true;
    for (size_t number = 0; number < graph_.size(); ++number)
      if (!isFollowed[number])
        open.insert(open.end(), ends_[number].begin(), ends_[number].end());
    return dependOn(open);
  }

  Error dependOn(Nodes& nodes) {
    std::ranges::sort(nodes);
    const auto rest = std::ranges::unique(nodes);
    nodes.erase(rest.begin(), rest.end());
    return gpu_.api.streamUpdateCaptureDependencies(stream_, nodes.data(), nodes.size(),
                                                    setCaptureDependencies);
  }

  /// What work becomes depends on where the work ends that it starts after.
  Error add(size_t number, Executable::Start start, CapturedGraph& result) {
    Nodes before;
    bool isAfterKernel = true;
    for (const uint32_t earlier : (*graph_.order())[number]) {
      before.insert(before.end(), ends_[earlier].begin(), ends_[earlier].end());
      isAfterKernel &= result.kernels[earlier] != nullptr;
    }
    if (const Error error = dependOn(before); error != Error::Success)
      return error;
    const device::Work& work = graph_.work(number);
    if (std::holds_alternative<device::Nothing>(work)) {
      ends_[number] = std::move(before);
      return Error::Success;
    }
    const bool mayStartEarly = before.size() == 1 && isAfterKernel;
    if (const Error error = enqueue(work, mayStartEarly ? start : Executable::Start::Late);
        error != Error::Success)
      return error;
    int status = 0;
    const GraphNodeHandle* ends = nullptr;
    size_t count = 0;
    if (const Error error =
            gpu_.api.streamGetCaptureInfo(stream_, &status, nullptr, nullptr, &ends, &count);
        error != Error::Success)
      return error;
    ends_[number].assign(ends, ends + count);
    const auto* const launch = std::get_if<device::LaunchKernel>(&work);
    if (launch && count == 1 && isOneGrid(*launch))
      result.kernels[number] = ends_[number].front();
    return Error::Success;
  }

  Error enqueue(const device::Work& work, Executable::Start start) {
    if (const auto* const launch = std::get_if<device::LaunchKernel>(&work))
      return static_cast<const Executable&>(*launch->executable)
          .enqueue(*launch, stream_, /*printBuffer=*/0, start);
    if (const auto* const copy = std::get_if<device::Copy>(&work))
      return cuda::enqueue(gpu_, stream_, *copy);
    if (const auto* const rect = std::get_if<device::CopyRect>(&work))
      return cuda::enqueue(gpu_, stream_, *rect);
    if (const auto* const fill = std::get_if<device::Fill>(&work))
      return cuda::enqueue(gpu_, stream_, *fill);
    return cuda::enqueue(gpu_, stream_, std::get<device::FillRect>(work));
  }

  const Gpu& gpu_;
  const device::Graph& graph_;
  StreamHandle stream_ = nullptr;
  std::vector<Nodes> ends_; ///< for each piece of work the nodes that nothing of it follows
};

} // namespace

std::optional<CapturedGraph> capture(const Gpu& gpu, const device::Graph& graph) {
  const CurrentContext current(gpu);
  // Kernels that start while those before them end save the time between the two, where the driver
  // can express that.
  for (const Executable::Start start : {Executable::Start::Early, Executable::Start::Late}) {
    CapturedGraph result;
    const Error error = Capture(gpu, graph).run(start, result);
    if (error == Error::Success)
      return result;
    if (result.graph)
      gpu.api.graphDestroy(result.graph);
    log::debug(sentence("the driver makes no graph of the work: ", static_cast<int>(error)));
  }
  return std::nullopt;
}

} // namespace quern::cuda
