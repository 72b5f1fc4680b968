#include "node/transfers.h"

#include <cstring>

namespace quern::node {

namespace {

/// The bytes of a box row after row, in memory of the node.
PlacedBox packed(Bytes& bytes, const cluster::Box& box) {
  return {.place = {.host = bytes.data()},
          .box = {.rowPitch = box.region[0],
                  .slicePitch = box.region[0] * box.region[1],
                  .region = box.region}};
}

/// Where MPI and the node itself can read and write a box as it is; null where it must be packed.
std::byte* directly(const PlacedBox& where) {
  std::byte* const host = where.place.allocation->hostPointer();
  return host && where.box.isRow() ? host + where.place.offset : nullptr;
}

/// Does something itself, and something by the device.
class Transfer : public NodeCommand {
public:
  Transfer(uint64_t number, std::vector<Ref<RefCounted>> kept, const PlacedBox& where)
      : NodeCommand(number, std::move(kept)), where_(where) {}

  void begin(NodeQueue& queue) final {
    queue_ = Ref<NodeQueue>(&queue);
    started_ = queue.device().timestamp();
    transfer(queue.connection().link);
  }
  void started(uint64_t) final {}
  void finished(cl_int status, uint64_t) final {
    if (status == CL_COMPLETE)
      copied(queue_->connection().link);
    else
      conclude(status);
  }

protected:
  virtual void transfer(cluster::Link& link) = 0;
  /// The device's part is done.
  virtual void copied(cluster::Link& link) = 0;

  void copy(const PlacedBox& source, const PlacedBox& destination) {
    work_ = copyWork(source, destination);
    work = &work_;
    // This may end, and be gone, before `submit` returns.
    const Ref<NodeQueue> queue = queue_;
    queue->queue().submit(*this);
    queue->queue().flush();
  }
  void conclude(cl_int status) {
    const Ref<NodeQueue> queue = queue_;
    queue->end(*this, status, started_, queue->device().timestamp());
  }
  cluster::Link::Done concluding() {
    return [this](bool ok) { conclude(ok ? CL_COMPLETE : CL_DEVICE_NOT_AVAILABLE); };
  }

  const PlacedBox where_;
  Bytes staging_;

private:
  Ref<NodeQueue> queue_;
  device::Work work_;
  uint64_t started_ = 0;
};

class ReceiveCommand final : public Transfer {
public:
  ReceiveCommand(uint64_t number, std::vector<Ref<RefCounted>> kept, const PlacedBox& where,
                 Origin origin)
      : Transfer(number, std::move(kept), where), origin_(std::move(origin)) {}

private:
  void transfer(cluster::Link& link) override {
    std::byte* const target = directly(where_);
    const bool isHere = origin_.from == 0 && origin_.tag == 0;
    if (isHere && target) {
      std::memcpy(target, origin_.data.data(), origin_.data.size());
      conclude(CL_COMPLETE);
    } else if (isHere) {
      staging_ = std::move(origin_.data);
      unpack();
    } else {
      receive(link, target);
    }
  }
  void receive(cluster::Link& link, std::byte* target) {
    const uint64_t bytes = where_.box.bytes();
    if (!target)
      staging_.resize(bytes);
    int tag = origin_.tag;
    if (origin_.from != 0) {
      tag = link.newTag();
      FieldWriter message;
      write(message, cluster::Pull{tag, origin_.remote.allocation, origin_.remote.offset, bytes});
      link.send(origin_.from, message.take());
    }
    link.receiveData(
        origin_.from, tag, target ? target : staging_.data(), bytes,
        target ? concluding() : [this](bool ok) {
          if (ok)
            unpack();
          else
            conclude(CL_DEVICE_NOT_AVAILABLE);
        });
  }
  void unpack() { copy(packed(staging_, where_.box), where_); }
  void copied(cluster::Link&) override { conclude(CL_COMPLETE); }

  Origin origin_;
};

class SendCommand final : public Transfer {
public:
  SendCommand(uint64_t number, std::vector<Ref<RefCounted>> kept, const PlacedBox& where,
              int32_t tag)
      : Transfer(number, std::move(kept), where), tag_(tag) {}

private:
  void transfer(cluster::Link& link) override {
    if (std::byte* const source = directly(where_)) {
      send(link, source);
      return;
    }
    staging_.resize(where_.box.bytes());
    copy(where_, packed(staging_, where_.box));
  }
  void send(cluster::Link& link, const std::byte* source) {
    const uint64_t bytes = where_.box.bytes();
    if (tag_ != 0) {
      link.sendData(0, tag_, source, bytes, concluding());
      return;
    }
    data_.assign(source, source + bytes);
    conclude(CL_COMPLETE);
  }
  void copied(cluster::Link& link) override { send(link, staging_.data()); }

  const int32_t tag_;
};

} // namespace

bool isWithin(const cluster::Box& box, uint64_t allocationBytes) {
  uint64_t slices = 0, rows = 0, end = 0;
  const auto [width, height, depth] = box.region;
  return width != 0 && height != 0 && depth != 0 &&
         !__builtin_mul_overflow(depth - 1, box.slicePitch, &slices) &&
         !__builtin_mul_overflow(height - 1, box.rowPitch, &rows) &&
         !__builtin_add_overflow(box.spot.offset, slices, &end) &&
         !__builtin_add_overflow(end, rows, &end) && !__builtin_add_overflow(end, width, &end) &&
         end <= allocationBytes && height <= allocationBytes && depth <= allocationBytes &&
         box.bytes() <= allocationBytes;
}

device::Work copyWork(const PlacedBox& source, const PlacedBox& destination) {
  if (source.box.isRow())
    return device::Copy{source.place, destination.place, source.box.region[0]};
  return device::CopyRect{.source = source.place,
                          .destination = destination.place,
                          .sourceRowPitch = source.box.rowPitch,
                          .sourceSlicePitch = source.box.slicePitch,
                          .destinationRowPitch = destination.box.rowPitch,
                          .destinationSlicePitch = destination.box.slicePitch,
                          .region = source.box.region};
}

std::unique_ptr<NodeCommand> makeReceive(uint64_t number, std::vector<Ref<RefCounted>> kept,
                                         const PlacedBox& destination, Origin origin) {
  return std::make_unique<ReceiveCommand>(number, std::move(kept), destination, std::move(origin));
}

std::unique_ptr<NodeCommand> makeSend(uint64_t number, std::vector<Ref<RefCounted>> kept,
                                      const PlacedBox& source, int32_t tag) {
  return std::make_unique<SendCommand>(number, std::move(kept), source, tag);
}

} // namespace quern::node
