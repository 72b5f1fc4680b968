#include "devices/remote/transfer_plan.h"

#include "devices/remote/remote_executable.h"
#include "devices/remote/remote_memory.h"

namespace quern::remote {

namespace {

using Region = std::array<uint64_t, 3>;

/// A box of a command, on the host or on a node.
struct Side {
  const RemoteAllocation* memory = nullptr; ///< or the host's
  bool isForeign = false;                   ///< memory that this process cannot reach
  HostBox host;
  cluster::Box box;
};

Side sideOf(const device::Place& place, uint64_t rowPitch, uint64_t slicePitch,
            const Region& region) {
  Side side;
  std::byte* const host = place.allocation ? place.allocation->hostPointer() : place.host;
  side.host = {host + (host ? place.offset : 0), rowPitch, slicePitch, region};
  if (host)
    return side;
  side.memory = dynamic_cast<const RemoteAllocation*>(place.allocation);
  side.isForeign = !side.memory;
  if (side.memory)
    side.box = {{side.memory->number(), place.offset}, rowPitch, slicePitch, region};
  return side;
}

class Planner {
public:
  explicit Planner(const RemoteNode& node) : node_(node) {}

  TransferPlan plan(const device::LaunchKernel& launch) const {
    const auto& executable = static_cast<const RemoteExecutable&>(*launch.executable);
    return OnNode{cluster::recordOf(launch, executable.number())};
  }
  TransferPlan plan(const device::Copy& copy) const {
    const Region region = {copy.bytes, 1, 1};
    return planCopy(sideOf(copy.source, copy.bytes, copy.bytes, region),
                    sideOf(copy.destination, copy.bytes, copy.bytes, region));
  }
  TransferPlan plan(const device::CopyRect& copy) const {
    return planCopy(sideOf(copy.source, copy.sourceRowPitch, copy.sourceSlicePitch, copy.region),
                    sideOf(copy.destination, copy.destinationRowPitch, copy.destinationSlicePitch,
                           copy.region));
  }
  TransferPlan plan(const device::Fill& fill) const {
    return planFill(sideOf(fill.destination, fill.bytes, fill.bytes, {fill.bytes, 1, 1}),
                    {fill.pattern.data(), fill.patternBytes});
  }
  TransferPlan plan(const device::FillRect& fill) const {
    return planFill(sideOf(fill.destination, fill.rowPitch, fill.slicePitch, fill.region),
                    {fill.pattern.data(), fill.patternBytes});
  }
  template <typename Other> TransferPlan plan(const Other&) const {
    return OnNode{cluster::DoNothing()};
  }

private:
  bool isHere(const Side& side) const { return side.memory && &side.memory->node() == &node_; }

  TransferPlan planCopy(const Side& source, const Side& destination) const {
    if (source.host.isEmpty())
      return OnNode{cluster::DoNothing()};
    if (source.isForeign || destination.isForeign)
      return Refused();
    if (!source.memory && !destination.memory)
      return CopyOnHost{source.host, destination.host};
    if (!source.memory && isHere(destination))
      return ToNode{source.host, destination.box};
    if (!destination.memory && isHere(source))
      return FromNode{source.box, destination.host};
    if (isHere(source) && isHere(destination))
      return OnNode{cluster::CopyBox{source.box, destination.box}};
    // The device that gets the bytes asks the other for them.
    if (source.memory && isHere(destination) && source.box.isRow())
      return OnNode{cluster::Fetch{.node = source.memory->node().rank(),
                                   .source = source.box.spot,
                                   .destination = destination.box.spot,
                                   .bytes = source.box.bytes()}};
    return Refused();
  }

  TransferPlan planFill(const Side& destination, std::span<const std::byte> pattern) const {
    if (destination.host.isEmpty())
      return OnNode{cluster::DoNothing()};
    if (isHere(destination))
      return OnNode{cluster::FillBox{destination.box, Bytes(pattern.begin(), pattern.end())}};
    if (destination.memory || destination.isForeign)
      return Refused();
    return FillOnHost{destination.host, pattern};
  }

  const RemoteNode& node_;
};

} // namespace

TransferPlan planTransfer(const device::Work& work, const RemoteNode& node) {
  return std::visit([planner = Planner(node)](const auto& one) { return planner.plan(one); }, work);
}

std::span<const std::byte> hostSource(const TransferPlan& plan) {
  if (const auto* const toNode = std::get_if<ToNode>(&plan))
    return toNode->source.range();
  return {};
}

std::span<const std::byte> hostDestination(const TransferPlan& plan) {
  if (const auto* const fromNode = std::get_if<FromNode>(&plan))
    return fromNode->destination.range();
  return {};
}

bool isOnHost(const TransferPlan& plan) {
  return std::holds_alternative<CopyOnHost>(plan) || std::holds_alternative<FillOnHost>(plan);
}

} // namespace quern::remote
