#pragma once

#include <deque>
#include <memory>
#include <vector>

#include "base/mutex_protected.h"
#include "base/ref.h"
#include "cluster/link.h"
#include "cluster/outbox.h"
#include "device/device.h"
#include "node/printed_text.h"

namespace quern::node {

class NodeQueue;

/// What all parts of a node use.
struct Connection {
  cluster::Link& link;
  cluster::Outbox& driver;
  PrintedText& printed;
};

/// A submitted command on its way through a queue.
class NodeCommand : public device::Command {
public:
  NodeCommand(uint64_t number, std::vector<Ref<RefCounted>> kept)
      : number_(number), kept_(std::move(kept)) {}

  /// Begins; `end` follows, perhaps before this returns.
  virtual void begin(NodeQueue& queue) = 0;
  /// Whether all that it does is a submission to the device's queue.
  virtual bool isPlain() const { return false; }
  uint64_t number() const { return number_; }

protected:
  Bytes data_; ///< goes to the driver with the end

private:
  friend NodeQueue;
  const uint64_t number_;
  const std::vector<Ref<RefCounted>> kept_; ///< what the work names
};

/// A queue of the driver: runs its commands one after the other and tells the driver when they have
/// ended. Thread-safe.
class NodeQueue final : public RefCounted {
public:
  NodeQueue(Connection& connection, Ref<device::Device> device, Ref<device::Queue> queue)
      : connection_(connection), device_(std::move(device)), queue_(std::move(queue)) {}

  Connection& connection() { return connection_; }
  device::Device& device() { return *device_; }
  device::Queue& queue() { return *queue_; }

  void add(std::unique_ptr<NodeCommand> command);
  /// By any thread, once for each command.
  void end(NodeCommand& command, cl_int status, uint64_t started, uint64_t ended);

private:
  struct State {
    std::deque<std::unique_ptr<NodeCommand>> waiting;
    std::vector<std::unique_ptr<NodeCommand>> running;
    bool isAdvancing = false; ///< a thread begins commands
  };
  static NodeCommand* takeNext(State& state, bool keepsOrder);
  void advance();

  Connection& connection_;
  const Ref<device::Device> device_;
  const Ref<device::Queue> queue_;
  MutexProtected<State> state_;
};

} // namespace quern::node
