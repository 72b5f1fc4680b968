#include "runtime/child_launches.h"

#include <algorithm>
#include <cstring>
#include <span>

#include "base/sentence.h"
#include "runtime/device_enqueue.h"
#include "runtime/device_queue.h"
#include "runtime/execution.h"
#include "runtime/kernel_launch.h"
#include "runtime/program.h"

namespace quern::runtime {

namespace {

using abi::ChildCommand;
using abi::ChildRecord;
using abi::ChildRecordKind;

/// What a command has behind its fields.
struct Appendix {
  explicit Appendix(const ChildCommand& child)
      : waits(reinterpret_cast<const uint64_t*>(&child + 1)), locals(waits + child.waitCount),
        literal(reinterpret_cast<const std::byte*>(locals + child.localCount)) {}

  const uint64_t* waits;
  const uint64_t* locals;
  const std::byte* literal;
};

/// The launch of a block's kernel, but for its code.
uint64_t fillArguments(const abi::KernelDescription& description, const ChildCommand& child,
                       device::LaunchKernel& launch) {
  const Appendix appendix(child);
  Bytes block(description.argumentBlockBytes);
  uint64_t localBytes = 0;
  uint32_t local = 0;
  for (const abi::KernelArgument& argument : description.arguments)
    if (argument.kind == abi::ArgumentKind::Local && local < child.localCount) {
      localBytes += appendix.locals[local];
      std::memcpy(block.data() + argument.offset, &appendix.locals[local++], sizeof(uint64_t));
    } else if (argument.kind == abi::ArgumentKind::Value) {
      std::memcpy(block.data() + argument.offset, appendix.literal,
                  std::min(argument.bytes, child.literalBytes));
    }
  launch.arguments.assign(block);
  return localBytes;
}

device::NdRange rangeOf(const ChildCommand& child) {
  device::NdRange range;
  range.workDim = child.workDim;
  for (size_t i = 0; i < child.workDim; ++i) {
    range.offset[i] = child.offset[i];
    range.global[i] = child.global[i];
    range.local[i] = child.local[i];
  }
  return range;
}

bool isEmpty(const device::NdRange& range) {
  return std::ranges::count(range.global, uint64_t{0}) != 0;
}

} // namespace

/// Writes the times of a command when it has ended.
class ChildLaunches::TimesCapture final : public DependencyNode {
public:
  TimesCapture(Ref<Event> event, uint64_t address) : event_(std::move(event)), address_(address) {
    reserveDependencies(1);
    dependOn(*event_, Carries::OrderOnly);
  }

private:
  void ready(bool, Path) override {
    const ProfilingTimes& times = event_->times();
    const uint64_t values[2] = {times.ended - times.started, times.completed - times.started};
    event_->queue()->device().backend().store(address_, std::as_bytes(std::span(values)));
    releaseDependents(false);
  }

  const Ref<Event> event_;
  const uint64_t address_;
};

Result<std::unique_ptr<ChildLaunches>>
ChildLaunches::prepare(DeviceEnqueue& context, const Device& device, const KernelOnDevice& kernel,
                       const device::Work& work, AwaitsMemory& waiting) {
  // What is done with events needs room, too.
  const uint64_t bytes = sizeof(abi::ChildRecords) +
                         kernel.binary->image.kernels.size() * sizeof(abi::BlockLimits) +
                         2 * std::max<uint64_t>(context.largestQueue(),
                                                device.caps().enqueueLimits.preferredQueueBytes);
  QUERN_ASSIGN(RecordMemory::Piece memory, context.memory().take(device, bytes, waiting));
  if (!memory.records)
    return std::unique_ptr<ChildLaunches>();
  return std::unique_ptr<ChildLaunches>(
      new ChildLaunches(context, device, kernel, work, std::move(memory)));
}

ChildLaunches::ChildLaunches(DeviceEnqueue& context, const Device& device,
                             const KernelOnDevice& kernel, const device::Work& work,
                             RecordMemory::Piece memory)
    : context_(context), device_(device), kernel_(kernel),
      areTimesAskedFor_(std::ranges::count(kernel.binary->image.kernels, true,
                                           &abi::KernelDescription::asksForTimes) != 0),
      work_(work), memory_(std::move(memory)) {
  fillHead();
  auto& launch = std::get<device::LaunchKernel>(work_);
  const uint64_t address = memory_.records->address();
  std::memcpy(launch.arguments.data() + kernel.description().childrenOffset, &address,
              sizeof(address));
}

ChildLaunches::~ChildLaunches() {
  giveMemoryBack();
}

void ChildLaunches::giveMemoryBack() {
  if (memory_.records)
    context_.memory().giveBack(device_, std::move(memory_.records));
}

void ChildLaunches::fillHead() {
  std::byte* at = memory_.records->hostPointer();
  const auto& kernels = kernel_.binary->image.kernels;
  const Ref<DeviceQueue> queue = context_.defaultOf(device_);
  const auto blocks =
      static_cast<uint32_t>(std::ranges::count(kernels, true, &abi::KernelDescription::isBlock));
  const uint64_t head = sizeof(abi::ChildRecords) + blocks * sizeof(abi::BlockLimits);
  const uint64_t capacity = memory_.records->bytes() - head;
  abi::ChildRecords records = {
      .launch = {.defaultQueue = queue ? queue->bits() : 0,
                 .eventTimes = memory_.eventTimes,
                 .firstEvent = context_.takeEventNumbers(capacity / sizeof(ChildRecord)),
                 .capacity = capacity,
                 .localMemBytes = device_.caps().localMemBytes,
                 .blockCount = blocks,
                 .maxWorkGroupSizeOfAll = UINT32_MAX,
                 .wholeGroups = !kernel_.binary->mayBeNonUniform,
                 .reserved = 0},
      .used = 0};
  at += sizeof(records);
  for (uint32_t i = 0; i < kernels.size(); ++i) {
    if (!kernels[i].isBlock)
      continue;
    const device::KernelLimits limits = kernel_.executable->limits(i);
    const abi::BlockLimits block = {
        .id = abi::blockId(kernels[i].name),
        .maxWorkGroupSize = static_cast<uint32_t>(limits.maxWorkGroupSize),
        .preferredWorkGroupMultiple = static_cast<uint32_t>(limits.preferredWorkGroupMultiple),
        .subGroupSize = kernels[i].subGroupSize,
        .reserved = 0};
    std::memcpy(at, &block, sizeof(block));
    at += sizeof(block);
    uint32_t& least = records.launch.maxWorkGroupSizeOfAll;
    least = std::min(least, block.maxWorkGroupSize);
  }
  std::memcpy(memory_.records->hostPointer(), &records, sizeof(records));
}

bool ChildLaunches::begin(Execution& parent) {
  parent_ = &parent;
  const std::byte* at = memory_.records->hostPointer();
  const auto& records = *reinterpret_cast<const abi::ChildRecords*>(at);
  at += sizeof(records) + records.launch.blockCount * sizeof(abi::BlockLimits);
  for (const std::byte* end = at + records.used; at < end;) {
    const auto& record = *reinterpret_cast<const ChildRecord*>(at);
    take(record);
    at += record.bytes;
  }
  giveMemoryBack();
  if (commands_.empty() && captures_.empty() && status_ == CL_COMPLETE)
    return false;
  reserveDependencies(commands_.size() + captures_.size());
  for (const Ref<Event>& command : commands_)
    dependOn(*command, Carries::OrderOnly);
  for (const auto& times : captures_)
    dependOn(*times, Carries::OrderOnly);
  for (const Ref<Event>& command : commands_)
    command->flush();
  // This may be gone when it returns.
  arm();
  return true;
}

/// A kernel has failed where one has that it enqueued (the OpenCL specification, 3.2.3).
void ChildLaunches::ready(bool, Path) {
  for (const Ref<Event>& command : commands_)
    if (status_ == CL_COMPLETE)
      status_ = std::min(command->status(), cl_int{CL_COMPLETE});
  parent_->childrenEnded(status_);
}

void ChildLaunches::take(const ChildRecord& record) {
  switch (record.kind) {
  case ChildRecordKind::Kernel:
  case ChildRecordKind::Marker:
    return enqueue(reinterpret_cast<const ChildCommand&>(record));
  case ChildRecordKind::UserEvent:
    return context_.addEvent(record.event, Event::createUserEvent(parent_->queue()->context()));
  case ChildRecordKind::SetStatus:
    return setStatus(record);
  case ChildRecordKind::Retain:
    return context_.retainEvent(record.event);
  case ChildRecordKind::Release:
    return context_.releaseEvent(record.event);
  case ChildRecordKind::CaptureTimes:
    return capture(record);
  }
}

void ChildLaunches::enqueue(const ChildCommand& child) {
  Result<Ref<Event>> command = tryEnqueue(child);
  if (command.ok()) {
    commands_.push_back(*command);
  } else {
    status_ = command.status().code();
    // What waits for it ends with an error, too.
    Ref<Event> failed = Event::createUserEvent(parent_->queue()->context());
    failed->setUserStatus(status_);
    command = std::move(failed);
  }
  if (child.record.event != 0)
    context_.addEvent(child.record.event, *command);
}

Result<Ref<Event>> ChildLaunches::tryEnqueue(const ChildCommand& child) {
  const Ref<DeviceQueue> queue = context_.find(child.queue);
  if (!queue || &queue->device() != &device_)
    return Status::error(CL_INVALID_DEVICE_QUEUE,
                         "a kernel has enqueued to what is no queue on its device");
  const bool isKernel = child.record.kind == ChildRecordKind::Kernel;
  auto command = makeRef<RecordedCommand>(queue->device(),
                                          isKernel ? CL_COMMAND_NDRANGE_KERNEL : CL_COMMAND_MARKER);
  if (areTimesAskedFor_)
    command->childEvent = child.record.event;
  if (isKernel) {
    QUERN_TRY(fill(*command, child));
  }
  std::vector<Ref<Event>> kept;
  WaitList waitList;
  const Appendix appendix(child);
  for (uint32_t i = 0; i < child.waitCount; ++i)
    if (Ref<Event> event = context_.eventOf(appendix.waits[i])) {
      waitList.push_back(event.get());
      kept.push_back(std::move(event));
    }
  QUERN_ASSIGN(const Ref<CommandQueue> commands, queue->commands(areTimesAskedFor_));
  return commands->enqueue(std::move(command), waitList);
}

/// Gives `command` the launch that `child` asks for.
Status ChildLaunches::fill(RecordedCommand& command, const ChildCommand& child) const {
  const auto& kernels = kernel_.binary->image.kernels;
  const auto found = std::ranges::find_if(kernels, [&](const abi::KernelDescription& kernel) {
    return kernel.isBlock && abi::blockId(kernel.name) == child.block;
  });
  if (found == kernels.end())
    return Status::error(CL_INVALID_KERNEL, "a kernel has enqueued a block that is not there");
  device::NdRange range = rangeOf(child);
  if (isEmpty(range))
    return {};
  KernelOnDevice kernel = kernel_;
  kernel.index = static_cast<uint32_t>(found - kernels.begin());
  auto& launch = command.work.emplace<device::LaunchKernel>();
  const uint64_t localBytes = fillArguments(*found, child, launch);
  if (range.local[0] == 0)
    range.local =
        kernel.executable->suggestLocalSize(kernel.index, range, kernel.binary->mayBeNonUniform);
  return prepareLaunch(command, kernel, range, localBytes, /*disjointMemory=*/false);
}

void ChildLaunches::setStatus(const ChildRecord& record) {
  if (const Ref<Event> event = context_.eventOf(record.event); event && event->isUserEvent())
    event->setUserStatus(static_cast<cl_int>(record.value));
}

void ChildLaunches::capture(const ChildRecord& record) {
  if (Ref<Event> event = context_.eventOf(record.event); event && !event->isUserEvent())
    captures_.emplace_back(std::make_unique<TimesCapture>(std::move(event), record.value))->arm();
}

} // namespace quern::runtime
