#include <memory>

#include "node/commands.h"
#include "node/transfers.h"

namespace quern::node {

namespace {

/// Brings the bytes to memory of the node and sends them from there. Deletes itself.
class PulledBytes final : public device::Command {
public:
  PulledBytes(const cluster::Pull& pull, int to, cluster::Link& link,
              const Ref<device::Allocation>& allocation)
      : tag_(pull.tag), to_(to), link_(link), allocation_(allocation), bytes_(pull.bytes) {
    work_ = device::Copy{.source = {.allocation = allocation_.get(), .offset = pull.offset},
                         .destination = {.host = bytes_.data()},
                         .bytes = pull.bytes};
    work = &work_;
  }
  void started(uint64_t) override {}
  void finished(cl_int status, uint64_t) override {
    // MPI calls back from the thread that looks, which this one need not be.
    const uint64_t bytes = status == CL_COMPLETE ? bytes_.size() : 0;
    link_.sendData(to_, tag_, bytes_.data(), bytes, [this](bool) { delete this; });
  }

private:
  const int32_t tag_;
  const int to_;
  cluster::Link& link_;
  const Ref<device::Allocation> allocation_;
  Bytes bytes_;
  device::Work work_;
};

} // namespace

void answer(const cluster::Pull& pull, int from, Connection& connection, const Objects& objects) {
  cluster::Link& link = connection.link;
  const Objects::Memory* const memory = find(objects.allocations, pull.allocation);
  const cluster::Box box = {.spot = {pull.allocation, pull.offset}, .region = {pull.bytes, 1, 1}};
  if (!memory || !isWithin(box, memory->allocation->bytes())) {
    link.sendData(from, pull.tag, nullptr, 0, {});
    return;
  }
  const Ref<device::Allocation>& allocation = memory->allocation;
  if (const std::byte* const host = allocation->hostPointer()) {
    link.sendData(from, pull.tag, host + pull.offset, pull.bytes, [keep = allocation](bool) {});
    return;
  }
  Result<Ref<device::Queue>> queue = memory->device->createQueue({});
  if (!queue.ok()) {
    link.sendData(from, pull.tag, nullptr, 0, {});
    return;
  }
  (*queue.value()).submit(*new PulledBytes(pull, from, link, allocation));
  (*queue.value()).flush();
}

} // namespace quern::node
