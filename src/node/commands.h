#pragma once

#include <memory>

#include "cluster/records.h"
#include "node/node_queue.h"
#include "node/objects.h"

namespace quern::node {

/// The command that does what `submit` says, for `queue`. Null where that names objects that do not
/// exist or bytes outside of them.
std::unique_ptr<NodeCommand> makeCommand(cluster::Submit&& submit, const Objects& objects);

/// Answers another node. What it asks for wrongly it gets too few bytes of.
void answer(const cluster::Pull& pull, int from, Connection& connection, const Objects& objects);

} // namespace quern::node
