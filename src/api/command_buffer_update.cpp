#include <algorithm>
#include <span>
#include <unordered_map>

#include "api/command_buffer.h"
#include "api/command_buffer_recording.h"
#include "api/handle.h"
#include "api/invalid.h"
#include "api/kernel.h"
#include "api/newer_constants.h"

namespace quern::api {

namespace {

using runtime::CommandBuffer;
using runtime::GivenRange;
using runtime::Kernel;
using runtime::MutableCommand;

/// cl_mutable_dispatch_arg_khr, cl_mutable_dispatch_exec_info_khr and
/// cl_mutable_dispatch_config_khr as they are since version 0.9.2 of the extension; older headers
/// have others under these names.
struct ChangedArgument {
  cl_uint index;
  size_t size;
  const void* value;
};
struct ChangedExecInfo {
  cl_uint name;
  size_t size;
  const void* value;
};
struct ChangedLaunch {
  cl_mutable_command_khr command;
  cl_uint argumentCount;
  cl_uint svmArgumentCount;
  cl_uint execInfoCount;
  cl_uint workDim;
  const ChangedArgument* arguments;
  const ChangedArgument* svmArguments;
  const ChangedExecInfo* execInfos;
  const size_t* offset;
  const size_t* global;
  const size_t* local;
};

/// A list and its length disagree.
Status checkList(std::string_view name, cl_uint count, const void* list) {
  if ((list == nullptr) == (count == 0))
    return {};
  return invalidValue(
      sentence("there are ", count, " elements in ", name, ", which is ", list ? "given" : "NULL"));
}

/// Something is to change that the launch was not recorded to change.
Status checkField(const MutableCommand& command, cl_bitfield field, std::string_view name,
                  bool changes) {
  if (!changes || (command.fields() & field))
    return {};
  return Status::error(CL_INVALID_OPERATION,
                       sentence("the ", name, " of the launch of '",
                                command.kernel().description().name,
                                "' cannot change: it was recorded without ", field,
                                " in CL_MUTABLE_DISPATCH_UPDATABLE_FIELDS_KHR"));
}

Status checkFields(const MutableCommand& command, const GivenRange& range,
                   const ChangedLaunch& changed) {
  // work_dim is another one.
  if (changed.workDim != 0 && changed.workDim != range.workDim)
    return Status::error(CL_INVALID_OPERATION,
                         sentence("work_dim is ", changed.workDim,
                                  ", but the launch was recorded with ", range.workDim));
  QUERN_TRY(checkField(command, CL_MUTABLE_DISPATCH_GLOBAL_OFFSET_KHR, "global offset",
                       changed.offset != nullptr));
  QUERN_TRY(checkField(command, CL_MUTABLE_DISPATCH_GLOBAL_SIZE_KHR, "global size",
                       changed.global != nullptr));
  QUERN_TRY(checkField(command, CL_MUTABLE_DISPATCH_LOCAL_SIZE_KHR, "local size",
                       changed.local != nullptr));
  QUERN_TRY(checkField(command, CL_MUTABLE_DISPATCH_ARGUMENTS_KHR, "arguments",
                       changed.argumentCount != 0 || changed.svmArgumentCount != 0));
  QUERN_TRY(checkField(command, CL_MUTABLE_DISPATCH_EXEC_INFO_KHR, "execution information",
                       changed.execInfoCount != 0));
  QUERN_TRY(checkList("arg_list", changed.argumentCount, changed.arguments));
  QUERN_TRY(checkList("arg_svm_list", changed.svmArgumentCount, changed.svmArguments));
  return checkList("exec_info_list", changed.execInfoCount, changed.execInfos);
}

/// Sets what changes of the arguments of `kernel`, which belongs to nobody else.
Status changeArguments(const Kernel& kernel, const ChangedLaunch& changed) {
  const cl_kernel handle = toHandle(&kernel);
  for (const ChangedArgument& argument : std::span(changed.arguments, changed.argumentCount))
    QUERN_TRY(setKernelArg(handle, argument.index, argument.size, argument.value));
  for (const ChangedArgument& argument : std::span(changed.svmArguments, changed.svmArgumentCount))
    QUERN_TRY(setKernelArgSvmPointer(handle, argument.index, argument.value));
  for (const ChangedExecInfo& info : std::span(changed.execInfos, changed.execInfoCount))
    QUERN_TRY(setKernelExecInfo(handle, info.name, info.size, info.value));
  return {};
}

GivenRange changeRange(GivenRange range, const ChangedLaunch& changed) {
  const auto take = [&](const size_t* sizes, std::array<size_t, 3>& into) {
    if (sizes)
      std::copy_n(sizes, range.workDim, into.begin());
  };
  take(changed.offset, range.offset);
  take(changed.global, range.global);
  take(changed.local, range.local);
  range.hasLocal |= changed.local != nullptr;
  return range;
}

bool isUniform(const GivenRange& range) {
  for (cl_uint i = 0; range.hasLocal && i < range.workDim; ++i)
    if (range.local[i] != 0 && range.global[i] % range.local[i] != 0)
      return false;
  return true;
}

/// The launch that `change` has so far, as `changed` asks for. Nothing else is touched.
Status apply(const MutableCommand& command, const ChangedLaunch& changed,
             CommandBuffer::Change& change) {
  QUERN_TRY(checkFields(command, change.launch.range, changed));
  QUERN_ASSIGN(Ref<Kernel> arguments, change.launch.arguments->clone());
  QUERN_TRY(changeArguments(*arguments, changed));
  const GivenRange range = changeRange(change.launch.range, changed);
  // Whether all work-groups have the same size is not to change.
  if (isUniform(range) != isUniform(change.launch.range))
    return Status::error(CL_INVALID_OPERATION,
                         "the new sizes change whether all work-groups have the same size");
  QUERN_ASSIGN(change.command,
               recordNdRangeKernel(command.buffer().queueOf(command.number()), *arguments,
                                   argumentsOf(range), LateArguments::Allowed));
  change.launch = {std::move(arguments), range};
  return {};
}

Status checkLists(cl_uint count, const cl_uint* types, const void* const* configs) {
  QUERN_TRY(checkList("config_types", count, types));
  QUERN_TRY(checkList("configs", count, configs));
  for (cl_uint i = 0; i < count; ++i) {
    // It is not a kind of update that there is.
    if (types[i] != mutableDispatchConfig)
      return invalidValue(sentence("config_types[", i, "] is ", types[i],
                                   ", which is not CL_STRUCTURE_TYPE_MUTABLE_DISPATCH_CONFIG_KHR"));
    if (!configs[i])
      return invalidValue(sentence("configs[", i, "] is NULL"));
  }
  return {};
}

} // namespace

Status updateMutableCommands(cl_command_buffer_khr handle, cl_uint count, const cl_uint* types,
                             const void* const* configs) {
  QUERN_ASSIGN(CommandBuffer * buffer, fromHandle<CommandBuffer>(handle));
  // It has not been finalized, or is not to change.
  if (buffer->state() == CommandBuffer::State::Recording)
    return Status::error(CL_INVALID_OPERATION, "the command buffer has not been finalized");
  if (!buffer->isMutable())
    return Status::error(CL_INVALID_OPERATION,
                         "the command buffer was made without CL_COMMAND_BUFFER_MUTABLE_KHR");
  QUERN_TRY(checkLists(count, types, configs));
  // All or nothing: changes that follow each other are put together first.
  std::vector<CommandBuffer::Change> changes;
  std::unordered_map<uint32_t, size_t> places; ///< in `changes`, by the number of the command
  for (cl_uint i = 0; i < count; ++i) {
    const auto& changed = *static_cast<const ChangedLaunch*>(configs[i]);
    QUERN_ASSIGN(const MutableCommand* command, fromHandle<MutableCommand>(changed.command));
    if (&command->buffer() != buffer)
      return Status::error(
          CL_INVALID_MUTABLE_COMMAND_KHR,
          sentence("the command of configs[", i, "] belongs to another command buffer"));
    const auto [place, isNew] = places.try_emplace(command->number(), changes.size());
    if (isNew)
      changes.push_back({command->number(), buffer->launchOf(command->number()), nullptr});
    QUERN_TRY(apply(*command, changed, changes[place->second]));
  }
  buffer->change(std::move(changes));
  return {};
}

} // namespace quern::api
