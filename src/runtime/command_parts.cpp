#include "runtime/command_parts.h"

#include <memory>

#include "runtime/command_queue.h"
#include "runtime/dependency.h"
#include "runtime/event.h"

namespace quern::runtime {

namespace {

/// One run of parts, which deletes itself when that has ended.
class PartsRun final : private DependencyNode {
public:
  explicit PartsRun(HostWork::Done ended) : ended_(std::move(ended)) {}

  void begin(const std::vector<CommandPart>& parts) {
    reserveDependencies(parts.size());
    for (const CommandPart& part : parts) {
      WaitList waitList;
      for (const uint32_t earlier : part.after)
        waitList.push_back(events_[earlier].get());
      events_.push_back(part.queue->enqueue(part.command, waitList));
      dependOn(*events_.back(), Carries::Failure);
    }
    for (const Ref<Event>& event : events_)
      event->flush();
    arm();
  }

private:
  void ready(bool, Path) override {
    const std::unique_ptr<PartsRun> own(this);
    cl_int status = CL_COMPLETE;
    // What waited for a part that failed has failed, too.
    for (const Ref<Event>& event : events_)
      if (status == CL_COMPLETE)
        status = event->status();
    ended_(status);
  }

  const HostWork::Done ended_;
  std::vector<Ref<Event>> events_;
};

} // namespace

HostWork runParts(std::vector<CommandPart> parts) {
  HostWork work;
  work.begin = [parts = std::move(parts)](const HostWork::Done& ended) {
    auto* const run = new PartsRun(ended);
    run->begin(parts);
  };
  return work;
}

} // namespace quern::runtime
