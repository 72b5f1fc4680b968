#include "api/kernel_commands.h"

#include <algorithm>
#include <limits>
#include <optional>

#include "api/handle.h"
#include "api/wait_list.h"
#include "runtime/command_queue.h"
#include "runtime/kernel.h"
#include "runtime/kernel_launch.h"

namespace quern::api {

namespace {

using device::NdRange;
using runtime::CommandQueue;
using runtime::Kernel;
using runtime::KernelLaunch;

constexpr cl_uint maxWorkDim = 3;

/// What is launched, and where.
struct Launch {
  CommandQueue* queue;
  KernelLaunch kernel;

  const std::string& name() const { return kernel.kernel().description().name; }
  const abi::KernelDescription& description() const { return kernel.place().description(); }
};

Result<Launch> findLaunch(CommandQueue& queue, const Kernel& kernel) {
  const std::string& name = kernel.description().name;
  // The context of the queue and of the kernel differ. Before the next check, which would otherwise
  // find no executable.
  if (&queue.context() != &kernel.context())
    return Status::error(
        CL_INVALID_CONTEXT,
        sentence("the kernel '", name, "' belongs to another context than the queue"));
  QUERN_ASSIGN(const runtime::KernelOnDevice* place, kernel.on(queue.device()));
  // There is no executable for the device of the queue.
  if (!place)
    return Status::error(CL_INVALID_PROGRAM_EXECUTABLE,
                         sentence("the program of the kernel '", name,
                                  "' was not built for the device of the queue"));
  return Launch{&queue, KernelLaunch(kernel, queue.device(), *place)};
}

/// A kernel argument has not been set.
Status checkArguments(const Launch& launch) {
  const Kernel& kernel = launch.kernel.kernel();
  if (const std::optional<uint32_t> unset = kernel.firstUnsetArgument())
    return Status::error(CL_INVALID_KERNEL_ARGS, sentence("argument ", *unset, " of the kernel '",
                                                          launch.name(), "' is not set"));
  return {};
}

Result<Launch> parseLaunch(cl_command_queue queueHandle, cl_kernel kernelHandle) {
  QUERN_ASSIGN(CommandQueue * queue, fromHandle<CommandQueue>(queueHandle));
  QUERN_ASSIGN(Kernel * kernel, fromHandle<Kernel>(kernelHandle));
  QUERN_ASSIGN(const Launch launch, findLaunch(*queue, *kernel));
  QUERN_TRY(checkArguments(launch));
  return launch;
}

/// Dimensions, offset and global size. A global size of zero in a dimension, or none at all, is a
/// range without work-items.
Status parseGlobal(const RangeArguments& arguments, NdRange& range) {
  // work_dim is not from 1 to CL_DEVICE_MAX_WORK_ITEM_DIMENSIONS.
  if (arguments.workDim == 0 || arguments.workDim > maxWorkDim)
    return Status::error(
        CL_INVALID_WORK_DIMENSION,
        sentence("work_dim is ", arguments.workDim, "; it must be from 1 to ", maxWorkDim));
  range.workDim = arguments.workDim;
  for (cl_uint i = 0; i < arguments.workDim; ++i) {
    range.global[i] = arguments.global ? arguments.global[i] : 0;
    range.offset[i] = arguments.offset ? arguments.offset[i] : 0;
    // The sum of offset and size cannot be represented.
    if (range.offset[i] > std::numeric_limits<uint64_t>::max() - range.global[i])
      return Status::error(CL_INVALID_GLOBAL_OFFSET,
                           sentence("global_work_offset[", i, "] is ", range.offset[i],
                                    " and global_work_size[", i, "] is ", range.global[i],
                                    "; their sum does not fit into 64 bits"));
  }
  return {};
}

bool isEmpty(const NdRange& range) {
  return range.global[0] == 0 || range.global[1] == 0 || range.global[2] == 0;
}

Status invalidGroupSize(std::string text) {
  return Status::error(CL_INVALID_WORK_GROUP_SIZE, std::move(text));
}

/// The work-items of a work-group, or nothing when their number does not fit into 64 bits.
std::optional<uint64_t> itemsOf(const std::array<uint64_t, 3>& local) {
  uint64_t xy, xyz;
  if (__builtin_mul_overflow(local[0], local[1], &xy) || __builtin_mul_overflow(xy, local[2], &xyz))
    return std::nullopt;
  return xyz;
}

/// The global size is not divisible by the local size although work-groups must be uniform.
Status checkUniform(const Launch& launch, const NdRange& range) {
  if (launch.kernel.mayBeNonUniform())
    return {};
  for (uint32_t i = 0; i < range.workDim; ++i)
    if (range.global[i] % range.local[i] != 0)
      return invalidGroupSize(sentence("global_work_size[", i, "] is ", range.global[i],
                                       ", which is not a multiple of the work-group size ",
                                       range.local[i], "; the program of the kernel '",
                                       launch.name(),
                                       "' is not compiled for non-uniform work-groups"));
  return {};
}

/// Takes over the local size that the program gave.
Status parseLocal(const Launch& launch, const size_t* local, NdRange& range) {
  for (uint32_t i = 0; i < range.workDim; ++i)
    range.local[i] = local[i];
  const auto& required = launch.description().requiredWorkGroupSize;
  // The work-group has no work-items.
  if (std::ranges::count(range.local, 0u) != 0)
    return invalidGroupSize("local_work_size has a 0");
  QUERN_TRY(checkUniform(launch, range));
  const std::optional<uint64_t> items = itemsOf(range.local);
  // The work-group is larger than CL_KERNEL_WORK_GROUP_SIZE.
  if (!items || *items > launch.kernel.place().limits.maxWorkGroupSize)
    return invalidGroupSize(sentence("the work-group of ", range.local[0], " x ", range.local[1],
                                     " x ", range.local[2], " work-items is larger than the ",
                                     launch.kernel.place().limits.maxWorkGroupSize,
                                     " that the kernel '", launch.name(), "' allows"));
  // The local size is not the one that the kernel requires.
  if (required[0] != 0 && range.local != required)
    return invalidGroupSize(sentence("local_work_size is ", range.local[0], " x ", range.local[1],
                                     " x ", range.local[2], ", but the kernel '", launch.name(),
                                     "' requires ", required[0], " x ", required[1], " x ",
                                     required[2]));
  // A dimension exceeds CL_DEVICE_MAX_WORK_ITEM_SIZES.
  const auto& maxSizes = launch.queue->device().caps().maxWorkItemSizes;
  for (uint32_t i = 0; i < range.workDim; ++i)
    if (range.local[i] > maxSizes[i])
      return Status::error(CL_INVALID_WORK_ITEM_SIZE,
                           sentence("local_work_size[", i, "] is ", range.local[i],
                                    "; the device allows at most ", maxSizes[i]));
  return {};
}

/// The local size where the program gave none: the one that the kernel requires, or the device's
/// choice.
Status chooseLocal(const Launch& launch, NdRange& range) {
  const auto& required = launch.description().requiredWorkGroupSize;
  if (required[0] != 0) {
    range.local = required;
    return checkUniform(launch, range);
  }
  range.local = launch.kernel.chooseLocalSize(range);
  return {};
}

/// Fills `range` with all that the program gave, and what it left out. It may have no work-items.
Status parseRange(const Launch& launch, const RangeArguments& arguments, NdRange& range) {
  QUERN_TRY(parseGlobal(arguments, range));
  if (arguments.local)
    return parseLocal(launch, arguments.local, range);
  return isEmpty(range) ? Status() : chooseLocal(launch, range);
}

Result<Command> enqueueEmpty(const Launch& launch, cl_command_type type, WaitArguments wait) {
  QUERN_ASSIGN(const runtime::WaitList waitList,
               parseWaitList(launch.queue->context(), wait.count, wait.events));
  return launch.queue->enqueue(makeRef<runtime::RecordedCommand>(launch.queue->device(), type),
                               waitList);
}

Result<Command> enqueue(const Launch& launch, cl_command_type type, const NdRange& range,
                        WaitArguments wait) {
  if (wait.hasNoEvents()) {
    QUERN_TRY(launch.kernel.enqueueEventless(*launch.queue, range, type));
    return Command();
  }
  // A sub-buffer is misaligned for the device, or that has not the resources for the launch.
  QUERN_ASSIGN(runtime::Recorded command, launch.kernel.record(range, type));
  QUERN_ASSIGN(const runtime::WaitList waitList,
               parseWaitList(launch.queue->context(), wait.count, wait.events));
  return launch.queue->enqueue(std::move(command), waitList);
}

} // namespace

Result<Command> enqueueNdRangeKernel(cl_command_queue queueHandle, cl_kernel kernelHandle,
                                     const RangeArguments& arguments, WaitArguments wait) {
  QUERN_ASSIGN(const Launch launch, parseLaunch(queueHandle, kernelHandle));
  NdRange range;
  QUERN_TRY(parseRange(launch, arguments, range));
  if (isEmpty(range))
    return enqueueEmpty(launch, CL_COMMAND_NDRANGE_KERNEL, wait);
  return enqueue(launch, CL_COMMAND_NDRANGE_KERNEL, range, wait);
}

Result<runtime::Recorded> recordNdRangeKernel(CommandQueue& queue, const Kernel& kernel,
                                              const RangeArguments& arguments, LateArguments late) {
  QUERN_ASSIGN(const Launch launch, findLaunch(queue, kernel));
  if (late == LateArguments::Refused)
    QUERN_TRY(checkArguments(launch));
  NdRange range;
  QUERN_TRY(parseRange(launch, arguments, range));
  if (kernel.firstUnsetArgument())
    return runtime::Recorded();
  if (isEmpty(range))
    return runtime::Recorded(
        makeRef<runtime::RecordedCommand>(queue.device(), CL_COMMAND_NDRANGE_KERNEL));
  return launch.kernel.record(range, CL_COMMAND_NDRANGE_KERNEL);
}

Result<Command> enqueueTask(cl_command_queue queueHandle, cl_kernel kernelHandle,
                            WaitArguments wait) {
  QUERN_ASSIGN(const Launch launch, parseLaunch(queueHandle, kernelHandle));
  const size_t one = 1;
  NdRange range;
  // The kernel requires a work-group size that is not 1.
  QUERN_TRY(parseLocal(launch, &one, range));
  return enqueue(launch, CL_COMMAND_TASK, range, wait);
}

Status getKernelSuggestedLocalWorkSize(cl_command_queue queueHandle, cl_kernel kernelHandle,
                                       const RangeArguments& arguments, size_t* suggested) {
  QUERN_ASSIGN(const Launch launch, parseLaunch(queueHandle, kernelHandle));
  NdRange range;
  QUERN_TRY(parseGlobal(arguments, range));
  // global_work_size is NULL or has a zero.
  if (isEmpty(range))
    return Status::error(CL_INVALID_GLOBAL_WORK_SIZE, "global_work_size is NULL or has a 0");
  QUERN_TRY(launch.kernel.kernel().checkMemory(launch.queue->device()));
  if (!suggested)
    return Status::error(CL_INVALID_VALUE, "suggested_local_work_size is NULL");
  QUERN_TRY(chooseLocal(launch, range));
  for (uint32_t i = 0; i < range.workDim; ++i)
    suggested[i] = range.local[i];
  return {};
}

} // namespace quern::api
