#pragma once

#include <atomic>
#include <condition_variable>
#include <memory>
#include <thread>
#include <vector>

#include "base/mutex_protected.h"
#include "cluster/link.h"
#include "device/address_range.h"
#include "devices/remote/remote_node.h"

namespace quern::remote {

/// The nodes that serve the program. Made once, and never destroyed: commands may still run while
/// the process ends. A thread of its own looks for messages where no other does; it starts when
/// there is something to wait for. Thread-safe.
class Job {
public:
  /// Null where there are no nodes, and in a child of fork().
  static Job* get();

  const std::vector<std::unique_ptr<RemoteNode>>& nodes() const { return nodes_; }
  /// The nodes' devices, as they were at the start.
  const std::vector<std::pair<RemoteNode*, cluster::Greeting>>& greetings() const {
    return greetings_;
  }

  /// Addresses that this process and the nodes keep free for shared virtual memory; null where
  /// there are none.
  device::AddressRange* addresses() const { return addresses_; }
  /// Whether the node of this greeting does.
  bool hasAddresses(const cluster::Greeting& greeting) const;

  /// Handles what the nodes say. False where there was nothing, or another thread is about it.
  bool look();
  /// Sees to it that somebody looks for the end of what has been given.
  void watch();
  /// For Device::help.
  bool help();
  /// Gives a node up.
  void fail(RemoteNode& node);

private:
  explicit Job(cluster::Link& link);
  void greet();
  void reserveAddresses();
  void chooseAddresses();
  void handle(int from, std::span<const std::byte> message);
  bool isBusy() const;
  void askForLife();
  void run();
  void leave();

  struct Watch {
    bool hasThread = false, isSleeping = false, ends = false;
  };

  cluster::Link& link_;
  const pid_t process_;
  std::vector<std::unique_ptr<RemoteNode>> nodes_;
  std::vector<std::pair<RemoteNode*, cluster::Greeting>> greetings_;
  std::vector<std::unique_ptr<device::AddressRange>> reserved_;
  device::AddressRange* addresses_ = nullptr; ///< one of them
  const uint64_t lifeInterval_;               ///< nanoseconds between questions for life
  std::atomic<uint64_t> lastAsked_;
  std::atomic<uint64_t> helps_{0};
  std::atomic<bool> isAwake_{false}; ///< the thread looks
  std::thread thread_;
  MutexProtected<Watch> watch_;
  std::condition_variable_any condition_;
};

} // namespace quern::remote
