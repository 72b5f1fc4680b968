#include "runtime/kernel_launch.h"

#include "device/launch_facts.h"
#include "runtime/command_queue.h"
#include "runtime/device_enqueue.h"
#include "runtime/device_queue.h"

namespace quern::runtime {

namespace {

bool hasTooManyItems(const device::NdRange& range) {
  const auto& [x, y, z] = range.global;
  uint64_t xy, xyz;
  return __builtin_mul_overflow(x, y, &xy) || __builtin_mul_overflow(xy, z, &xyz);
}

} // namespace

Status prepareLaunch(RecordedCommand& command, const KernelOnDevice& kernel,
                     const device::NdRange& range, uint64_t localBytes, bool disjointMemory) {
  auto& launch = std::get<device::LaunchKernel>(command.work);
  launch.kernel = kernel.index;
  command.kernelName = kernel.name;
  command.packetWidth = kernel.description().packetWidth;
  launch.range = range;
  // The device has not the resources for it.
  if (hasTooManyItems(range))
    return Status::error(CL_OUT_OF_RESOURCES, "the NDRange has more than 2^64 work-items");
  launch.executable = kernel.executable;
  if (kernel.needsAnyRange(range)) [[unlikely]] {
    QUERN_ASSIGN(launch.executable, kernel.anyRange->executable());
  }
  QUERN_TRY(launch.executable->checkLaunch(launch.kernel, range, localBytes));
  if (kernel.description().isFirstVersion) {
    launch.facts = device::factsOf(launch, kernel.description(), disjointMemory);
    kernel.specialisations->prepare(launch);
  }
  if (kernel.description().enqueues)
    command.enqueuer = std::make_shared<const KernelOnDevice>(kernel);
  return {};
}

bool KernelLaunch::mayBeNonUniform() const {
  return device_->caps().nonUniformWorkGroups && place_->binary->mayBeNonUniform;
}

std::array<uint64_t, 3> KernelLaunch::chooseLocalSize(const device::NdRange& range) const {
  MutexProtected<Kernel::LocalSizeChoice>& last = kernel_->lastLocalSize();
  if (auto known = last.lock();
      known->place == place_ && known->workDim == range.workDim && known->global == range.global)
    return known->local;
  const std::array<uint64_t, 3> local =
      place_->executable->suggestLocalSize(place_->index, range, mayBeNonUniform());
  *last.lock() = {
      .place = place_, .workDim = range.workDim, .global = range.global, .local = local};
  return local;
}

Result<Recorded> KernelLaunch::record(const device::NdRange& range, cl_command_type type) const {
  auto command = makeRef<RecordedCommand>(*device_, type);
  auto& launch = command->work.emplace<device::LaunchKernel>();
  QUERN_ASSIGN(const Kernel::Snapshot arguments, kernel_->snapshot(launch, *command));
  QUERN_TRY(
      prepareLaunch(*command, *place_, range, arguments.localBytes, arguments.disjointMemory));
  // The program may release the queues before the kernel, or what it enqueues, has used them.
  if (command->enqueuer)
    for (Ref<DeviceQueue>& queue : kernel_->context().deviceEnqueue().queues())
      command->use(std::move(queue));
  return Recorded(std::move(command));
}

bool KernelLaunch::takeArguments(device::LaunchKernel& work, const CommandUses& kept) const {
  const std::optional<uint64_t> localBytes = kernel_->snapshot(work, *device_, kept);
  return localBytes && work.executable->checkLaunch(work.kernel, work.range, *localBytes).ok();
}

Status KernelLaunch::enqueueEventless(CommandQueue& queue, const device::NdRange& range,
                                      cl_command_type type) const {
  if (queue.repeat(*this, range))
    return {};
  QUERN_ASSIGN(Recorded command, record(range, type));
  queue.enqueueEventless(std::move(command));
  return {};
}

} // namespace quern::runtime
