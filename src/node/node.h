#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "cluster/link.h"
#include "cluster/outbox.h"
#include "cluster/records.h"
#include "device/address_range.h"
#include "node/node_queue.h"
#include "node/objects.h"
#include "node/printed_text.h"

namespace quern::node {

/// Serves the devices of this machine to the program, process 0 of the job.
class Node {
public:
  /// `secret` is what the program must know. `link` lives as long as the process.
  Node(cluster::Link& link, std::string secret);

  /// Until the program says that it ends.
  void serve();

private:
  void handle(int from, std::span<const std::byte> message);
  /// What the program says. False where it makes no sense.
  template <typename Record> bool on(Record&);
  /// What another node says.
  bool onPeer(int from, std::span<const std::byte> message);

  bool on(cluster::Hello& hello);
  bool on(cluster::Allocate& allocate);
  bool on(cluster::CreateImage& create);
  bool on(cluster::Load& load);
  bool on(cluster::CreateQueue& create);
  bool on(cluster::CheckLaunch& check);
  bool on(cluster::SuggestLocalSize& suggest);
  bool on(cluster::Partition& partition);
  bool on(cluster::AddSpecialisation& add);
  bool on(cluster::Store& store);
  bool on(cluster::SetHotnessTrigger& set);
  bool on(cluster::Free& free);
  bool on(cluster::Ping& ping);
  bool on(cluster::PeerGone& gone);
  bool on(cluster::Bye& bye);
  bool on(cluster::Submit& submit);

  cluster::DeviceEntry entryOf(uint64_t number, const device::Device& device) const;
  /// As the driver asks. Null where the addresses are not free.
  Ref<device::AddressLease> takeAddresses(const cluster::Allocate& allocate) const;
  template <typename Answer> void reply(uint64_t call, const Answer& answer);
  void fail(uint64_t call, const Status& status);
  /// Fails where the program names an object that it has not made.
  void failUnknown(uint64_t call);

  cluster::Link& link_;
  cluster::Outbox driver_;
  PrintedText printed_;
  Connection connection_;
  const std::string secret_;
  /// For shared virtual memory. Before the objects, of which some are there.
  std::vector<std::unique_ptr<device::AddressRange>> addresses_;
  Objects objects_;
  bool isTrusted_ = false; ///< the program has told the secret
  bool hasEnded_ = false;
};

} // namespace quern::node
