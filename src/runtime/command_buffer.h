#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include <CL/cl.h>
#include <CL/cl_ext.h>

#include "base/mutex_protected.h"
#include "base/ref.h"
#include "base/result.h"
#include "runtime/command_plan.h"
#include "runtime/command_queue.h"
#include "runtime/mutable_command.h"
#include "runtime/object.h"

namespace quern::runtime {

/// Commands that are recorded once and then enqueued together, any number of times and also while
/// earlier enqueues run (cl_khr_command_buffer). Thread-safe.
class CommandBuffer final : public Object {
public:
  struct Creation {
    std::vector<Ref<CommandQueue>> queues; ///< at least one, all of one context
    /// The program's zero-terminated list, empty when it gave none.
    std::vector<cl_properties> propertyList;
    bool isMutable = false;
    bool keepsGroupCount = false; ///< no launch gets more work-groups than it was recorded with
  };
  /// `Finalized` where a launch lacks arguments still.
  enum class State { Recording, Finalized, Executable };

  explicit CommandBuffer(Creation creation);

  const Context* owningContext() const override { return &context(); }
  Context& context() const { return creation_.queues.front()->context(); }
  const std::vector<Ref<CommandQueue>>& queues() const { return creation_.queues; }
  const std::vector<cl_properties>& propertyList() const { return creation_.propertyList; }
  bool isMutable() const { return creation_.isMutable; }
  bool keepsGroupCount() const { return creation_.keepsGroupCount; }

  State state() const;
  uint32_t commandCount() const;

  struct Addition {
    uint32_t queue = 0; ///< its index
    Recorded command;   ///< null for a launch that lacks arguments
    /// Commands that it starts after, beside those that an in-order queue and barriers add.
    std::vector<uint32_t> after;
    bool isBarrier = false;
    /// Of a launch.
    std::optional<MutableCommand::Creation> creation;
    MutableLaunch launch;
  };
  struct Added {
    uint32_t number = 0;
    MutableCommand* launch = nullptr; ///< of a launch; lives as long as this
  };
  /// CL_INVALID_OPERATION when it has been finalized.
  Result<Added> add(Addition addition);

  /// CL_INVALID_OPERATION when that has been done before; CL_OUT_OF_RESOURCES.
  Status finalize();

  /// Runs all commands once on `queues`, one for each of its own, as soon as `waitList` and the
  /// order of each of them allow. CL_INVALID_OPERATION when it is not executable;
  /// CL_OUT_OF_RESOURCES.
  Result<Ref<Event>> enqueue(std::span<CommandQueue* const> queues, const WaitList& waitList);
  /// The same for a single queue, when the program wants no event.
  Status enqueueEventless(CommandQueue& queue);

  /// What a launch is now.
  MutableLaunch launchOf(uint32_t number) const;
  CommandQueue& queueOf(uint32_t number) const;
  struct Change {
    uint32_t number = 0; ///< of a launch
    MutableLaunch launch;
    Recorded command; ///< null while arguments are missing
  };
  /// What is enqueued from now on has these launches.
  void change(std::vector<Change> changes);

  /// A command of this one, as a copy of it needs it.
  struct Copied {
    uint32_t queue = 0;
    Recorded command;
    std::vector<uint32_t> after;
    const MutableCommand* mutableCommand = nullptr; ///< of a launch
    MutableLaunch launch;
  };
  std::vector<Copied> copyCommands() const;
  /// Adds a command whose order is complete.
  Added addCopy(Addition addition);

private:
  struct Entry {
    uint32_t queue = 0;
    PlannedCommand planned;
    Ref<MutableCommand> mutableCommand; ///< null for what is not a launch
    MutableLaunch launch;
    bool isFollowed = false; ///< another command waits for it
  };
  struct Contents {
    bool isFinalized = false;
    std::vector<Entry> entries;
    std::vector<std::optional<uint32_t>> last; ///< of each in-order queue
    std::optional<uint32_t> barrier;           ///< the last one
    uint32_t unfilled = 0;                     ///< launches that lack arguments
    std::unique_ptr<CommandPlan> plan;         ///< null until it is executable
  };

  void addOrder(Contents& contents, const Addition& addition, std::vector<uint32_t>& after) const;
  Added append(Contents& contents, Addition addition, std::vector<uint32_t> after);
  Status makePlan(Contents& contents);
  Result<Recorded> commandToRun();

  const Creation creation_;
  mutable MutexProtected<Contents> contents_;
};

} // namespace quern::runtime
