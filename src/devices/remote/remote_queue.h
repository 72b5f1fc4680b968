#pragma once

#include <deque>
#include <memory>
#include <vector>

#include "base/mutex_protected.h"
#include "device/device.h"
#include "devices/remote/remote_node.h"
#include "devices/remote/transfer_plan.h"

namespace quern::remote {

/// A queue on a node, which runs its commands in their order without a word of the driver: it is
/// told of all as they come. Only what reads memory of the program that an earlier command still
/// writes is held back here, with all that follows it. Thread-safe.
class RemoteQueue final : public device::Queue {
public:
  static Result<Ref<device::Queue>> create(RemoteNode& node, uint64_t device,
                                           const device::QueueRequest& request);
  RemoteQueue(RemoteNode& node, uint64_t number, bool profiling)
      : Queue(/*keepsTheOrder=*/true), node_(node), number_(number), profiling_(profiling) {}
  ~RemoteQueue() override { node_.tell(cluster::Free{number_}); }

  void submit(device::Command& command) override;
  bool append(device::Command& command, const device::Work& work) override;
  void flush() override { node_.flush(); }
  void tend() override;

private:
  class QueuedPart;
  /// A command that the node has got, as parts.
  struct Running {
    device::Command* command = nullptr;
    uint32_t parts = 0; ///< that have not ended
    uint32_t given = 0;
    cl_int status = CL_COMPLETE;
    uint64_t issued = 0, started = UINT64_MAX, ended = 0; ///< this machine's nanoseconds
    bool isOnHost = false;
    std::vector<std::span<const std::byte>> written; ///< memory of the program
  };
  struct State {
    std::deque<device::Command*> held;
    std::deque<std::unique_ptr<Running>> running; ///< in their order
  };

  bool mustWait(const State& state, const device::Work& work) const;
  void issue(State& state, device::Command& command);
  void give(Running& running, const device::Work& work);
  void give(Running& running, TransferPlan plan);
  void send(Running& running, const ToNode& transfer);
  void receive(Running& running, const FromNode& transfer);
  void submitTo(Running& running, Part* part, cluster::WireWork work);
  void partEnded(Running& running, const cluster::Finished& finished);
  void conclude(const Running& running);
  void releaseHeld(State& state);

  RemoteNode& node_;
  const uint64_t number_;
  const bool profiling_;
  std::atomic<size_t> waitingBytes_{0}; ///< of records, at the last submission
  MutexProtected<State> state_;
};

} // namespace quern::remote
