#include "runtime/kernel_launch.h"

#include "device/launch_facts.h"
#include "runtime/command_queue.h"

namespace quern::runtime {

namespace {

bool hasTooManyItems(const device::NdRange& range) {
  const auto& [x, y, z] = range.global;
  uint64_t xy, xyz;
  return __builtin_mul_overflow(x, y, &xy) || __builtin_mul_overflow(xy, z, &xyz);
}

} // namespace

bool KernelLaunch::mayBeNonUniform() const {
  return device_->caps().nonUniformWorkGroups && place_->binary->mayBeNonUniform;
}

std::array<uint64_t, 3> KernelLaunch::chooseLocalSize(const device::NdRange& range) const {
  return place_->executable->suggestLocalSize(place_->index, range, mayBeNonUniform());
}

Result<Recorded> KernelLaunch::record(const device::NdRange& range, cl_command_type type) const {
  auto command = makeRef<RecordedCommand>(*device_, type);
  auto& launch = command->work.emplace<device::LaunchKernel>();
  launch.kernel = place_->index;
  launch.range = range;
  QUERN_ASSIGN(const Kernel::Snapshot arguments, kernel_->snapshot(launch, *command));
  // The device has not the resources for it.
  if (hasTooManyItems(range))
    return Status::error(CL_OUT_OF_RESOURCES, "the NDRange has more than 2^64 work-items");
  launch.executable = place_->executable;
  if (place_->needsAnyRange(range)) [[unlikely]] {
    QUERN_ASSIGN(launch.executable, place_->anyRange->executable());
  }
  QUERN_TRY(launch.executable->checkLaunch(launch.kernel, range, arguments.localBytes));
  launch.facts = device::factsOf(launch, place_->description(), arguments.disjointMemory);
  place_->specialisations->prepare(launch);
  return Recorded(std::move(command));
}

Status KernelLaunch::enqueueEventless(CommandQueue& queue, const device::NdRange& range,
                                      cl_command_type type) const {
  if (queue.repeat(kernel_->version(), range))
    return {};
  QUERN_ASSIGN(Recorded command, record(range, type));
  queue.enqueueEventless(std::move(command));
  return {};
}

} // namespace quern::runtime
