#include "runtime/work_now.h"

#include <atomic>

#include "base/sentence.h"

namespace quern::runtime {

namespace {

class WaitedFor final : public device::Command {
public:
  void started(uint64_t) override {}
  void finished(cl_int status, uint64_t) override {
    status_.store(status, std::memory_order_release);
    status_.notify_all();
    // Only now may the waiting thread destroy this.
    isLeft_.store(true, std::memory_order_release);
  }

  cl_int wait(device::Device& device, device::Queue& queue) {
    while (status_.load(std::memory_order_acquire) > CL_COMPLETE && device.help()) {
    }
    queue.flush();
    status_.wait(CL_QUEUED, std::memory_order_acquire);
    while (!isLeft_.load(std::memory_order_acquire)) {
    }
    return status_.load(std::memory_order_acquire);
  }

private:
  std::atomic<cl_int> status_{CL_QUEUED};
  std::atomic<bool> isLeft_{false};
};

} // namespace

Status doNow(device::Device& device, const device::Work& work) {
  QUERN_ASSIGN(const Ref<device::Queue> queue, device.createQueue({}));
  WaitedFor command;
  command.work = &work;
  queue->submit(command);
  const cl_int status = command.wait(device, *queue);
  if (status == CL_COMPLETE)
    return {};
  return Status::error(status, sentence("the device could not move data; it ended with ", status));
}

} // namespace quern::runtime
