#pragma once

#include <optional>
#include <variant>

#include "cluster/records.h"
#include "device/command.h"
#include "devices/remote/host_box.h"
#include "devices/remote/remote_node.h"

/// What is to be done where for a piece of work.
namespace quern::remote {

/// All on the node.
struct OnNode {
  cluster::WireWork work;
};
/// Bytes of the program go to the node, or come from there.
struct ToNode {
  HostBox source;
  cluster::Box destination;
};
struct FromNode {
  cluster::Box source;
  HostBox destination;
};
/// All in the program's memory.
struct CopyOnHost {
  HostBox source, destination;
};
struct FillOnHost {
  HostBox destination;
  std::span<const std::byte> pattern;
};
/// Not possible on this device.
struct Refused {};

using TransferPlan = std::variant<OnNode, ToNode, FromNode, CopyOnHost, FillOnHost, Refused>;

/// For anything but graphs. Points into `work`.
TransferPlan planTransfer(const device::Work& work, const RemoteNode& node);

/// The program's memory that it reads or writes; empty where it does not.
std::span<const std::byte> hostSource(const TransferPlan& plan);
std::span<const std::byte> hostDestination(const TransferPlan& plan);
/// Whether the program's process does it itself.
bool isOnHost(const TransferPlan& plan);

} // namespace quern::remote
