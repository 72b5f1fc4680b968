#include "devices/united/united_queue.h"

#include <ctime>

#include "devices/united/command_run.h"

namespace quern::united {

uint64_t now() {
  timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return static_cast<uint64_t>(time.tv_sec) * 1'000'000'000 + static_cast<uint64_t>(time.tv_nsec);
}

UnitedQueue::UnitedQueue(Members& members, std::vector<Ref<device::Queue>> queues, bool profiling)
    : Queue(/*keepsTheOrder=*/false), members_(&members), queues_(std::move(queues)),
      profiling_(profiling) {}

Result<Ref<device::Queue>> UnitedQueue::create(Members& members,
                                               const device::QueueRequest& request) {
  std::vector<Ref<device::Queue>> queues;
  for (const Ref<device::Device>& member : members.devices()) {
    QUERN_ASSIGN(Ref<device::Queue> queue, member->createQueue(request));
    queues.push_back(std::move(queue));
  }
  return Ref<device::Queue>(makeRef<UnitedQueue>(members, std::move(queues), request.profiling));
}

uint64_t UnitedQueue::commonTime(uint32_t member, uint64_t time) const {
  return profiling_ ? now() - ((*members_)[member].timestamp() - time) : now();
}

void UnitedQueue::submit(device::Command& command) {
  CommandRun::start(*this, command);
}

void UnitedQueue::flush() {
  for (const Ref<device::Queue>& queue : queues_)
    queue->flush();
}

void UnitedQueue::tend() {
  for (const Ref<device::Queue>& queue : queues_)
    queue->tend();
}

} // namespace quern::united
