#include "api/command_buffer_recording.h"

#include <algorithm>

#include "api/command_buffer.h"
#include "api/handle.h"
#include "api/invalid.h"
#include "api/newer_constants.h"
#include "api/property_list.h"

namespace quern::api {

namespace {

using runtime::CommandBuffer;
using runtime::CommandQueue;
using runtime::GivenRange;
using runtime::Kernel;
using runtime::MutableCommand;
using runtime::Recorded;

/// The index of the queue that a command is recorded for.
Result<uint32_t> parseQueue(const CommandBuffer& buffer, cl_command_queue handle) {
  const auto& queues = buffer.queues();
  if (!handle) {
    // command_queue is NULL, but there are several.
    if (queues.size() > 1)
      return Status::error(CL_INVALID_COMMAND_QUEUE,
                           sentence("command_queue is NULL, but the command buffer was made with ",
                                    queues.size(), " queues"));
    return 0u;
  }
  QUERN_ASSIGN(const CommandQueue* queue, fromHandle<CommandQueue>(handle));
  // The context of the queue and of the command buffer differ.
  if (&queue->context() != &buffer.context())
    return Status::error(CL_INVALID_CONTEXT,
                         "the command-queue belongs to another context than the command buffer");
  // It is not one of those that the command buffer was made with.
  const auto found = std::ranges::find(queues, queue, &Ref<CommandQueue>::get);
  if (found == queues.end())
    return Status::error(CL_INVALID_COMMAND_QUEUE,
                         "the command buffer was not made with this command-queue");
  return static_cast<uint32_t>(found - queues.begin());
}

/// The commands whose sync points a command waits for. Sync points count from 1.
Result<std::vector<uint32_t>> parseWaits(const CommandBuffer& buffer, cl_uint count,
                                         const cl_sync_point_khr* waits) {
  const auto refuse = [](std::string text) {
    return Status::error(CL_INVALID_SYNC_POINT_WAIT_LIST_KHR, std::move(text));
  };
  // sync_point_wait_list is NULL and its count > 0, or the other way round.
  if ((waits == nullptr) != (count == 0))
    return refuse(waits ? sentence("sync_point_wait_list is given but its count is 0")
                        : sentence("sync_point_wait_list is NULL but its count is ", count));
  std::vector<uint32_t> after;
  const uint32_t commands = count == 0 ? 0 : buffer.commandCount();
  for (cl_uint i = 0; i < count; ++i) {
    // It is no sync point of the command buffer.
    if (waits[i] == 0 || waits[i] > commands)
      return refuse(sentence("sync_point_wait_list[", i, "] is ", waits[i],
                             ", which is no sync point of the command buffer"));
    after.push_back(waits[i] - 1);
  }
  return after;
}

void giveBack(const RecordingArguments& arguments, const CommandBuffer::Added& added) {
  if (arguments.syncPoint)
    *arguments.syncPoint = added.number + 1;
  if (arguments.handle)
    *arguments.handle = toHandle(added.launch);
}

/// The properties of a launch.
struct LaunchProperties {
  std::vector<cl_properties> list;
  cl_bitfield fields = mutableDispatchFields;
  bool keepsGroupCount = false;
  LateArguments late = LateArguments::Refused;
};

Status parseProperty(cl_properties name, cl_properties value, LaunchProperties& properties) {
  switch (name) {
  case CL_MUTABLE_DISPATCH_UPDATABLE_FIELDS_KHR:
    // All fields that there are can change on every device.
    if (value & ~mutableDispatchFields)
      return invalidValue(sentence("CL_MUTABLE_DISPATCH_UPDATABLE_FIELDS_KHR is ", value,
                                   ", which has bits that mean nothing"));
    properties.fields = value;
    if (value & CL_MUTABLE_DISPATCH_ARGUMENTS_KHR)
      properties.late = LateArguments::Allowed;
    return {};
  case mutableDispatchAsserts:
    if (value & ~assertNoAdditionalWorkGroups)
      return invalidValue(sentence("CL_MUTABLE_DISPATCH_ASSERTS_KHR is ", value,
                                   ", which has bits that mean nothing"));
    properties.keepsGroupCount = value != 0;
    return {};
  default:
    return invalidValue(sentence(name, " is no property of a kernel launch in a command buffer"));
  }
}

Result<LaunchProperties> parseLaunchProperties(const cl_properties* given) {
  LaunchProperties properties;
  properties.list = copyPropertyList(given);
  for (size_t i = 0; i + 1 < properties.list.size(); i += 2) {
    if (isRepeated(properties.list, i))
      return invalidValue(sentence("the property ", properties.list[i], " is named twice"));
    QUERN_TRY(parseProperty(properties.list[i], properties.list[i + 1], properties));
  }
  return properties;
}

GivenRange keep(const RangeArguments& range) {
  GivenRange kept = {.workDim = range.workDim, .hasLocal = range.local != nullptr};
  for (cl_uint i = 0; i < range.workDim; ++i) {
    kept.offset[i] = range.offset ? range.offset[i] : 0;
    kept.global[i] = range.global ? range.global[i] : 0;
    kept.local[i] = range.local ? range.local[i] : 0;
  }
  return kept;
}

} // namespace

RangeArguments argumentsOf(const GivenRange& range) {
  return {range.workDim, range.offset.data(), range.global.data(),
          range.hasLocal ? range.local.data() : nullptr};
}

Result<Recording> parseRecording(const RecordingArguments& arguments) {
  Recording recording;
  QUERN_ASSIGN(recording.buffer, fromHandle<CommandBuffer>(arguments.buffer));
  QUERN_ASSIGN(recording.queueIndex, parseQueue(*recording.buffer, arguments.queue));
  // The command buffer has been finalized.
  if (recording.buffer->state() != CommandBuffer::State::Recording)
    return Status::error(CL_INVALID_OPERATION,
                         "the command buffer has been finalized and takes no more commands");
  QUERN_ASSIGN(recording.after,
               parseWaits(*recording.buffer, arguments.waitCount, arguments.waits));
  return recording;
}

Status addCommand(const Recording& recording, const RecordingArguments& arguments,
                  Result<Recorded> command) {
  // There are no properties of anything but launches.
  if (arguments.properties && *arguments.properties != 0)
    return invalidValue(sentence(*arguments.properties, " is no property of such a command"));
  // mutable_handle is not NULL.
  if (arguments.handle)
    return invalidValue("mutable_handle must be NULL: only kernel launches can change");
  if (!command.ok())
    return command.takeStatus();
  const bool isBarrier = (*command)->type() == CL_COMMAND_BARRIER;
  QUERN_ASSIGN(const CommandBuffer::Added added,
               recording.buffer->add({.queue = recording.queueIndex,
                                      .command = std::move(*command),
                                      .after = recording.after,
                                      .isBarrier = isBarrier,
                                      .creation = std::nullopt,
                                      .launch = {}}));
  giveBack(arguments, added);
  return {};
}

Status recordBarrier(const RecordingArguments& arguments) {
  return recordCommand(arguments, [](CommandQueue& queue) -> Result<Recorded> {
    return Recorded(makeRef<runtime::RecordedCommand>(queue.device(), CL_COMMAND_BARRIER));
  });
}

Status recordLaunch(const RecordingArguments& arguments, cl_kernel kernelHandle,
                    const RangeArguments& range) {
  QUERN_ASSIGN(const Recording recording, parseRecording(arguments));
  QUERN_ASSIGN(Kernel * kernel, fromHandle<Kernel>(kernelHandle));
  QUERN_ASSIGN(LaunchProperties properties, parseLaunchProperties(arguments.properties));
  // The number of work-groups may not grow, but is not known.
  if (!range.local && (properties.keepsGroupCount || recording.buffer->keepsGroupCount()))
    return invalidValue(
        "local_work_size is NULL, but the number of work-groups is asserted not to grow");
  QUERN_ASSIGN(Recorded command,
               recordNdRangeKernel(recording.queue(), *kernel, range, properties.late));
  QUERN_ASSIGN(Ref<Kernel> own, kernel->clone());
  QUERN_ASSIGN(const CommandBuffer::Added added,
               recording.buffer->add(
                   {.queue = recording.queueIndex,
                    .command = std::move(command),
                    .after = recording.after,
                    .creation = MutableCommand::Creation{.kernel = Ref<Kernel>(kernel),
                                                         .propertyList = std::move(properties.list),
                                                         .fields = properties.fields},
                    .launch = {std::move(own), keep(range)}}));
  giveBack(arguments, added);
  return {};
}

} // namespace quern::api
