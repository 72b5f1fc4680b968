#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "base/ref.h"
#include "base/result.h"
#include "device/graph.h"
#include "runtime/command_parts.h"
#include "runtime/context.h"
#include "runtime/recorded_command.h"

namespace quern::runtime {

/// A command of a command buffer, and the earlier ones that it starts after. Their numbers rise.
struct PlannedCommand {
  Recorded command;
  std::vector<uint32_t> after;
};

/// How the commands of a command buffer are run as one command: as a graph of a device or, where
/// they are for several devices or kernels among them enqueue others, in parts. Not thread-safe.
class CommandPlan {
public:
  /// All of `commands` have been recorded in full. Where they may be enqueued to queues of other
  /// devices than `device` (`spansDevices`), that must not matter. Fails with CL_OUT_OF_RESOURCES.
  static Result<std::unique_ptr<CommandPlan>> create(Context& context, const Device& device,
                                                     bool spansDevices,
                                                     const std::vector<PlannedCommand>& commands);

  /// From now on `command` is run in place of the one with this number.
  void replace(uint32_t number, Recorded command);

  /// What to enqueue. Fails with CL_OUT_OF_RESOURCES.
  Result<Recorded> command();

private:
  /// Commands of one device that it runs as a graph, or one that it cannot.
  struct Part {
    const Device* device = nullptr;
    bool isGraph = true;
    uint32_t stage = 0; ///< after all parts that it waits for
    std::vector<Recorded> commands;
    std::vector<uint32_t> after; ///< parts
    Ref<CommandQueue> queue;     ///< where there are several parts
    std::shared_ptr<device::GraphOrder> order = std::make_shared<device::GraphOrder>();
    Ref<device::Graph> graph;
    Recorded run; ///< null where a command has been replaced
  };
  /// Where a command is.
  struct Place {
    uint32_t part = 0;
    uint32_t number = 0; ///< in the part
  };

  CommandPlan(Context& context, const Device& device, bool spansDevices)
      : context_(context), device_(device), spansDevices_(spansDevices) {}

  void add(const PlannedCommand& planned);
  uint32_t partFor(const RecordedCommand& command, uint32_t stage);
  void sortParts();
  /// One graph is all there is.
  bool isGraph() const;
  Status addQueues();
  Status renew(Part& part);

  Context& context_;
  const Device& device_;
  const bool spansDevices_;
  std::vector<Place> places_;
  /// Once sorted, in an order in which they can be enqueued.
  std::vector<Part> parts_;
  Recorded command_; ///< null where a command has been replaced
};

} // namespace quern::runtime
