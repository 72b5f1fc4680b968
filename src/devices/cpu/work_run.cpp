#include "devices/cpu/work_run.h"

#include <ctime>
#include <new>

#include "devices/cpu/float_environment.h"
#include "devices/cpu/graph.h"
#include "trace/trace.h"

namespace quern::cpu {

namespace {

template <typename... Handlers> struct Overloaded : Handlers... {
  using Handlers::operator()...;
};

/// A host function, or a work-item whose kernel has never run: anything from nothing to for ever.
constexpr double unknownCost = 1e9;
/// Copies and fills within the caches run at about this many bytes for each nanosecond.
constexpr double transferRate = 40;

double itemCost(const Kernel& kernel) {
  return kernel.itemCost.load(std::memory_order_relaxed);
}

double itemCost(const device::LaunchKernel& launch) {
  const auto& executable = static_cast<const Executable&>(*launch.executable);
  const double known = itemCost(executable.kernel(launch.kernel));
  return known > 0 ? known : unknownCost;
}

double costOf(const device::RunGraph& run) {
  const double known = static_cast<const Graph&>(*run.graph).time();
  return known > 0 ? known : unknownCost;
}

Tiling tilingOf(const device::LaunchKernel& launch) {
  return static_cast<const Executable&>(*launch.executable).tilingOf(launch);
}

} // namespace

uint64_t now() {
  timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return static_cast<uint64_t>(time.tv_sec) * 1'000'000'000 + static_cast<uint64_t>(time.tv_nsec);
}

WorkRun::WorkRun(const device::Work& work) {
  try {
    std::visit(
        Overloaded{
            [](const device::Nothing&) {},
            [](const device::UseSemaphores&) {},
            [&](const device::LaunchKernel& launch) {
              pieces_ = run_.emplace<KernelRun>(launch).pieces();
            },
            [&](const device::CallHost& call) { run_ = &call; },
            [&](const device::RunGraph& run) {
              run_.emplace<GraphRun>(static_cast<const Graph&>(*run.graph));
            },
            [&](const auto& transfer) { pieces_ = run_.emplace<TransferRun>(transfer).pieces(); },
        },
        work);
  } catch (const std::bad_alloc&) {
    run_ = std::monostate();
    isPrepared_ = false;
  }
}

uint64_t WorkRun::items() const {
  const auto* kernel = std::get_if<KernelRun>(&run_);
  return kernel ? kernel->items() : 0;
}

double WorkRun::pieceCost() const {
  if (const auto* kernel = std::get_if<KernelRun>(&run_))
    return itemCost(kernel->kernel()) * static_cast<double>(kernel->itemsOfPiece());
  if (const auto* graph = std::get_if<GraphRun>(&run_))
    return graph->pieceCost();
  return std::holds_alternative<TransferRun>(run_) ? TransferRun::pieceBytes / transferRate : 0;
}

double WorkRun::cost() const {
  if (std::holds_alternative<std::monostate>(run_))
    return 0;
  const double piece = pieceCost();
  return piece > 0 ? piece * static_cast<double>(pieces_) : unknownCost;
}

bool WorkRun::advance(cl_int& status) {
  auto* const graph = std::get_if<GraphRun>(&run_);
  const bool isMore = graph && graph->advance(status);
  if (graph) {
    isInStages_ = true;
    pieces_ = graph->pieces();
  }
  return isMore;
}

bool WorkRun::prefersLongRanges() const {
  const auto* kernel = std::get_if<KernelRun>(&run_);
  return kernel && kernel->countsApart();
}

cl_int WorkRun::run(uint64_t begin, uint64_t end, TimeLimit& limit) {
  return std::visit(
      Overloaded{
          [&](std::monostate) { return isPrepared_ ? CL_SUCCESS : CL_OUT_OF_RESOURCES; },
          [&](KernelRun& kernel) { return kernel.run(begin, end, limit); },
          [&](TransferRun& transfer) {
            transfer.run(begin, end);
            return CL_SUCCESS;
          },
          [&](GraphRun& graph) { return isInStages_ ? graph.run(begin, end) : graph.runAlone(); },
          [](const device::CallHost* call) {
            call->function();
            FloatEnvironment::restore();
            return CL_SUCCESS;
          },
      },
      run_);
}

void WorkRun::endUnmeasured() {
  if (auto* const kernel = std::get_if<KernelRun>(&run_))
    kernel->endUnmeasured();
}

void WorkRun::end(uint64_t nanoseconds, uint64_t times, uint64_t others) {
  if (auto* const graph = std::get_if<GraphRun>(&run_))
    graph->end(nanoseconds / times);
  auto* const kernel = std::get_if<KernelRun>(&run_);
  if (!kernel)
    return;
  kernel->end(nanoseconds);
  if (pieces_ == 0)
    return;
  const double items = static_cast<double>(kernel->items()) * static_cast<double>(times) +
                       static_cast<double>(others);
  const double measured = static_cast<double>(nanoseconds) / items;
  const double known = itemCost(kernel->kernel());
  // A launch that was interrupted must not count for much, nor for long.
  const double weight = measured < known ? 0.5 : 0.25;
  const double next = known == 0 ? measured : known + (measured - known) * weight;
  kernel->kernel().itemCost.store(static_cast<float>(next), std::memory_order_relaxed);
}

namespace {

struct WorkNames {
  const trace::Name marker = trace::nameOf("marker");
  const trace::Name semaphores = trace::nameOf("semaphores");
  const trace::Name nativeKernel = trace::nameOf("native kernel");
  const trace::Name commandBuffer = trace::nameOf("command buffer");
  const trace::Name copy = trace::nameOf("copy");
  const trace::Name copyBox = trace::nameOf("copy box");
  const trace::Name fill = trace::nameOf("fill");
};

} // namespace

bool areOfOneKernel(const device::Work& work, const device::Work& other) {
  const auto* first = std::get_if<device::LaunchKernel>(&work);
  const auto* second = std::get_if<device::LaunchKernel>(&other);
  return first && second && first->executable == second->executable &&
         first->kernel == second->kernel;
}

trace::Name nameOf(const device::Work& work) {
  static const WorkNames names;
  return std::visit(Overloaded{
                        [](const device::Nothing&) { return names.marker; },
                        [](const device::UseSemaphores&) { return names.semaphores; },
                        [](const device::LaunchKernel& launch) {
                          const auto& executable =
                              static_cast<const Executable&>(*launch.executable);
                          return executable.kernel(launch.kernel).name;
                        },
                        [](const device::CallHost&) { return names.nativeKernel; },
                        [](const device::RunGraph&) { return names.commandBuffer; },
                        [](const device::Copy&) { return names.copy; },
                        [](const device::CopyRect&) { return names.copyBox; },
                        [](const auto&) { return names.fill; },
                    },
                    work);
}

double estimatePieceCost(const device::Work& work) {
  return std::visit(Overloaded{
                        [](const device::Nothing&) { return 0.0; },
                        [](const device::UseSemaphores&) { return 0.0; },
                        [](const device::LaunchKernel& launch) {
                          return itemCost(launch) *
                                 static_cast<double>(tilingOf(launch).itemsOfTile());
                        },
                        [](const device::CallHost&) { return unknownCost; },
                        [](const device::RunGraph& run) { return costOf(run); },
                        [](const auto&) { return TransferRun::pieceBytes / transferRate; },
                    },
                    work);
}

double estimateCost(const device::Work& work) {
  const auto launchCost = [](const device::LaunchKernel& launch) {
    return itemCost(launch) * static_cast<double>(itemsOf(launch));
  };
  const auto transfer = [](uint64_t bytes) { return static_cast<double>(bytes) / transferRate; };
  return std::visit(Overloaded{
                        [](const device::Nothing&) { return 0.0; },
                        [](const device::UseSemaphores&) { return 0.0; },
                        [&](const device::LaunchKernel& launch) { return launchCost(launch); },
                        [](const device::CallHost&) { return unknownCost; },
                        [](const device::RunGraph& run) { return costOf(run); },
                        [&](const device::Copy& copy) { return transfer(copy.bytes); },
                        [&](const device::Fill& fill) { return transfer(fill.bytes); },
                        [&](const auto& rect) {
                          return transfer(rect.region[0] * rect.region[1] * rect.region[2]);
                        },
                    },
                    work);
}

std::optional<uint64_t> estimateSmallTime(const device::Work& work) {
  const double cost = estimateCost(work);
  return cost < costWorthSharing ? std::optional(static_cast<uint64_t>(cost)) : std::nullopt;
}

bool isWorthSharing(const device::Work& work, double cost) {
  if (cost < costWorthSharing)
    return false;
  const auto* launch = std::get_if<device::LaunchKernel>(&work);
  return launch ? !tilingOf(*launch).isOneTile() : !std::holds_alternative<device::CallHost>(work);
}

} // namespace quern::cpu
