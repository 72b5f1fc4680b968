#include "node/commands.h"

#include <algorithm>
#include <cstring>

#include "node/transfers.h"

namespace quern::node {

namespace {

/// Work that the device does alone.
class PlainCommand final : public NodeCommand {
public:
  PlainCommand(uint64_t number, std::vector<Ref<RefCounted>> kept, device::Work newWork)
      : NodeCommand(number, std::move(kept)), own_(std::move(newWork)) {
    work = &own_;
  }
  bool isPlain() const override { return true; }
  void begin(NodeQueue& queue) override {
    queue_ = Ref<NodeQueue>(&queue);
    queue.queue().submit(*this);
  }
  void started(uint64_t time) override { started_ = time; }
  void finished(cl_int status, uint64_t time) override {
    const Ref<NodeQueue> queue = queue_;
    queue->end(*this, status, started_, time);
  }

private:
  const device::Work own_;
  Ref<NodeQueue> queue_;
  uint64_t started_ = 0;
};

/// Makes commands of one record.
class Maker {
public:
  Maker(uint64_t number, const Objects& objects) : number_(number), objects_(objects) {}

  std::unique_ptr<NodeCommand> make(cluster::DoNothing&) { return plain(device::Nothing()); }

  std::unique_ptr<NodeCommand> make(cluster::Launch& launch) {
    const Ref<device::Executable>* const executable = find(objects_.executables, launch.executable);
    if (!executable || launch.kernel >= *find(objects_.kernelCounts, launch.executable))
      return nullptr;
    return plain(cluster::launchOf(launch, *executable));
  }

  std::unique_ptr<NodeCommand> make(cluster::CopyBox& copy) {
    const device::Place source = place(copy.source), destination = place(copy.destination);
    if (!source.allocation || !destination.allocation ||
        copy.source.region != copy.destination.region)
      return nullptr;
    return plain(copyWork({source, copy.source}, {destination, copy.destination}));
  }

  std::unique_ptr<NodeCommand> make(cluster::FillBox& fill) {
    const device::Place destination = place(fill.destination);
    const size_t patternBytes = fill.pattern.size();
    device::Fill row = {.destination = destination, .bytes = fill.destination.region[0]};
    device::FillRect rows = {.destination = destination,
                             .rowPitch = fill.destination.rowPitch,
                             .slicePitch = fill.destination.slicePitch,
                             .region = fill.destination.region};
    const bool isRow = fill.destination.isRow();
    const size_t most = isRow ? row.pattern.size() : rows.pattern.size();
    if (!destination.allocation || patternBytes == 0 || patternBytes > most ||
        fill.destination.region[0] % patternBytes != 0)
      return nullptr;
    row.patternBytes = rows.patternBytes = static_cast<uint32_t>(patternBytes);
    std::ranges::copy(fill.pattern, isRow ? row.pattern.data() : rows.pattern.data());
    return isRow ? plain(row) : plain(rows);
  }

  std::unique_ptr<NodeCommand> make(cluster::Receive& receive) {
    const device::Place destination = place(receive.destination);
    if (!destination.allocation ||
        (receive.tag == 0 && receive.data.size() != receive.destination.bytes()))
      return nullptr;
    return makeReceive(number_, std::move(kept_), {destination, receive.destination},
                       {.tag = receive.tag, .data = std::move(receive.data)});
  }

  std::unique_ptr<NodeCommand> make(cluster::Send& send) {
    const device::Place source = place(send.source);
    if (!source.allocation)
      return nullptr;
    return makeSend(number_, std::move(kept_), {source, send.source}, send.tag);
  }

  std::unique_ptr<NodeCommand> make(cluster::Fetch& fetch) {
    const cluster::Box box = {.spot = fetch.destination, .region = {fetch.bytes, 1, 1}};
    const device::Place destination = place(box);
    if (!destination.allocation)
      return nullptr;
    return makeReceive(number_, std::move(kept_), {destination, box},
                       {.from = fetch.node, .remote = fetch.source});
  }

private:
  /// Without an allocation where the box is not within one.
  device::Place place(const cluster::Box& box) {
    const Objects::Memory* const memory = find(objects_.allocations, box.spot.allocation);
    if (!memory || !isWithin(box, memory->allocation->bytes()))
      return {};
    kept_.push_back(memory->allocation);
    return {.allocation = memory->allocation.get(), .offset = box.spot.offset};
  }
  template <typename Work> std::unique_ptr<NodeCommand> plain(Work work) {
    return std::make_unique<PlainCommand>(number_, std::move(kept_), std::move(work));
  }

  const uint64_t number_;
  const Objects& objects_;
  std::vector<Ref<RefCounted>> kept_;
};

} // namespace

std::unique_ptr<NodeCommand> makeCommand(cluster::Submit&& submit, const Objects& objects) {
  Maker maker(submit.command, objects);
  return std::visit([&](auto& work) { return maker.make(work); }, submit.work);
}

} // namespace quern::node
