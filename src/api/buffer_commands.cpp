#include "api/buffer_commands.h"

#include <bit>

#include "api/buffer_checks.h"
#include "api/handle.h"
#include "api/invalid.h"
#include "api/wait_list.h"
#include "runtime/record_transfers.h"

namespace quern::api {

namespace {

using runtime::Buffer;
using runtime::Bytewise;
using runtime::CommandQueue;
using runtime::MemoryObject;
using runtime::Recorded;
using runtime::WaitList;

} // namespace

Result<Command> enqueue(CommandQueue& queue, Result<Recorded> command, WaitArguments wait) {
  if (!command.ok())
    return command.takeStatus();
  QUERN_ASSIGN(const WaitList waitList, parseWaitList(queue.context(), wait.count, wait.events));
  if (!wait.hasNoEvents())
    return queue.enqueue(std::move(*command), waitList);
  queue.enqueueEventless(std::move(*command));
  return Command();
}

Result<Command> finishIfBlocking(Command command, cl_bool blocking) {
  if (blocking)
    QUERN_TRY(waitForCommand(*command));
  return command;
}

Status checkMapFlags(cl_map_flags flags) {
  if ((flags & ~(CL_MAP_READ | mapWritingFlags)) != 0 ||
      ((flags & CL_MAP_WRITE_INVALIDATE_REGION) && (flags & (CL_MAP_READ | CL_MAP_WRITE))))
    return invalidValue(sentence("map_flags ", flags, " are not a valid combination"));
  return {};
}

Result<Command> enqueueReadBuffer(cl_command_queue queueHandle, cl_mem bufferHandle,
                                  cl_bool blocking, size_t offset, size_t bytes, void* destination,
                                  WaitArguments wait) {
  QUERN_ASSIGN(CommandQueue * queue, fromHandle<CommandQueue>(queueHandle));
  QUERN_ASSIGN(Buffer * buffer, commandBuffer(*queue, bufferHandle));
  QUERN_TRY(checkRange(*buffer, offset, bytes));
  // ptr is NULL.
  if (!destination)
    return invalidValue("ptr is NULL");
  QUERN_ASSIGN(const WaitList waitList, parseWaitList(queue->context(), wait.count, wait.events));
  QUERN_TRY(checkAlignment(*queue, *buffer));
  QUERN_TRY(checkHostMayRead(*buffer));
  const Bytewise inHost = {.host = static_cast<std::byte*>(destination)};
  runtime::Recorded command =
      runtime::recordCopy(queue->device(), CL_COMMAND_READ_BUFFER, {buffer, offset}, inHost, bytes);
  return finishIfBlocking(queue->enqueue(std::move(command), waitList), blocking);
}

Result<Command> enqueueWriteBuffer(cl_command_queue queueHandle, cl_mem bufferHandle,
                                   cl_bool blocking, size_t offset, size_t bytes,
                                   const void* source, WaitArguments wait) {
  QUERN_ASSIGN(CommandQueue * queue, fromHandle<CommandQueue>(queueHandle));
  QUERN_ASSIGN(Buffer * buffer, commandBuffer(*queue, bufferHandle));
  QUERN_TRY(checkRange(*buffer, offset, bytes));
  // ptr is NULL.
  if (!source)
    return invalidValue("ptr is NULL");
  QUERN_ASSIGN(const WaitList waitList, parseWaitList(queue->context(), wait.count, wait.events));
  QUERN_TRY(checkAlignment(*queue, *buffer));
  QUERN_TRY(checkHostMayWrite(*buffer));
  // A place is read or written; the source is only read.
  const Bytewise inHost = {.host = static_cast<std::byte*>(const_cast<void*>(source))};
  runtime::Recorded command = runtime::recordCopy(queue->device(), CL_COMMAND_WRITE_BUFFER, inHost,
                                                  {buffer, offset}, bytes);
  return finishIfBlocking(queue->enqueue(std::move(command), waitList), blocking);
}

Result<Recorded> recordCopyBuffer(CommandQueue& queue, cl_mem sourceHandle,
                                  cl_mem destinationHandle, size_t sourceOffset,
                                  size_t destinationOffset, size_t bytes) {
  QUERN_ASSIGN(Buffer * source, commandBuffer(queue, sourceHandle));
  QUERN_ASSIGN(Buffer * destination, commandBuffer(queue, destinationHandle));
  QUERN_TRY(checkRange(*source, sourceOffset, bytes));
  QUERN_TRY(checkRange(*destination, destinationOffset, bytes));
  QUERN_TRY(checkAlignment(queue, *source));
  QUERN_TRY(checkAlignment(queue, *destination));
  const device::Place from = source->placeOn(queue.device(), sourceOffset);
  const device::Place to = destination->placeOn(queue.device(), destinationOffset);
  // Source and destination overlap, in one buffer or in sub-buffers of one.
  if (from.allocation == to.allocation && from.offset < to.offset + bytes &&
      to.offset < from.offset + bytes)
    return Status::error(CL_MEM_COPY_OVERLAP,
                         sentence("the ", bytes, " bytes at ", from.offset, " and at ", to.offset,
                                  " of the same buffer overlap"));
  return runtime::recordCopy(queue.device(), CL_COMMAND_COPY_BUFFER, {source, sourceOffset},
                             {destination, destinationOffset}, bytes);
}

Result<Command> enqueueCopyBuffer(cl_command_queue queueHandle, cl_mem source, cl_mem destination,
                                  size_t sourceOffset, size_t destinationOffset, size_t bytes,
                                  WaitArguments wait) {
  QUERN_ASSIGN(CommandQueue * queue, fromHandle<CommandQueue>(queueHandle));
  return enqueue(
      *queue, recordCopyBuffer(*queue, source, destination, sourceOffset, destinationOffset, bytes),
      wait);
}

Result<Recorded> recordFillBuffer(CommandQueue& queue, cl_mem bufferHandle, const void* pattern,
                                  size_t patternBytes, size_t offset, size_t bytes) {
  QUERN_ASSIGN(Buffer * buffer, commandBuffer(queue, bufferHandle));
  QUERN_TRY(checkRange(*buffer, offset, bytes));
  // The pattern is NULL, or its size is not 1, 2, 4, ... 128.
  constexpr size_t maxPatternBytes = std::tuple_size_v<decltype(device::Fill::pattern)>;
  if (!pattern)
    return invalidValue("pattern is NULL");
  if (!std::has_single_bit(patternBytes) || patternBytes > maxPatternBytes)
    return invalidValue(
        sentence("pattern_size ", patternBytes, " is not a power of two up to ", maxPatternBytes));
  // offset or size is not a multiple of pattern_size.
  if (offset % patternBytes != 0 || bytes % patternBytes != 0)
    return invalidValue(sentence("offset ", offset, " and size ", bytes,
                                 " are not both multiples of pattern_size ", patternBytes));
  QUERN_TRY(checkAlignment(queue, *buffer));
  return runtime::recordFill(queue.device(), {buffer, offset},
                             {static_cast<const std::byte*>(pattern), patternBytes}, bytes);
}

Result<Command> enqueueFillBuffer(cl_command_queue queueHandle, cl_mem buffer, const void* pattern,
                                  size_t patternBytes, size_t offset, size_t bytes,
                                  WaitArguments wait) {
  QUERN_ASSIGN(CommandQueue * queue, fromHandle<CommandQueue>(queueHandle));
  return enqueue(*queue, recordFillBuffer(*queue, buffer, pattern, patternBytes, offset, bytes),
                 wait);
}

Result<MappedCommand> enqueueMapBuffer(cl_command_queue queueHandle, cl_mem bufferHandle,
                                       cl_bool blocking, cl_map_flags flags, size_t offset,
                                       size_t bytes, WaitArguments wait) {
  QUERN_ASSIGN(CommandQueue * queue, fromHandle<CommandQueue>(queueHandle));
  QUERN_ASSIGN(Buffer * buffer, commandBuffer(*queue, bufferHandle));
  QUERN_TRY(checkRange(*buffer, offset, bytes));
  if (bytes == 0)
    return invalidValue("a region of 0 bytes cannot be mapped");
  QUERN_TRY(checkMapFlags(flags));
  QUERN_ASSIGN(const WaitList waitList, parseWaitList(queue->context(), wait.count, wait.events));
  QUERN_TRY(checkAlignment(*queue, *buffer));
  if (flags & CL_MAP_READ)
    QUERN_TRY(checkHostMayRead(*buffer));
  if (flags & mapWritingFlags)
    QUERN_TRY(checkHostMayWrite(*buffer));
  // The memory for the program to see the buffer in cannot be had.
  QUERN_ASSIGN(std::byte * start, buffer->hostAddress());
  std::byte* pointer = start + offset;
  const MemoryObject::Mapping mapping = {.begin = pointer,
                                         .origin = {offset, 0, 0},
                                         .region = {bytes, 1, 1},
                                         .writes = (flags & mapWritingFlags) != 0};
  // Overlapping regions would be mapped for writing.
  if (!buffer->addMapping(mapping))
    return Status::error(CL_INVALID_OPERATION,
                         sentence("the ", bytes, " bytes at ", offset,
                                  " overlap a region that is mapped for writing"));
  const bool keepsContents = !(flags & CL_MAP_WRITE_INVALIDATE_REGION);
  Command command = queue->enqueue(
      runtime::recordMap(queue->device(), *buffer, mapping, keepsContents), waitList);
  if (blocking) {
    if (Status status = waitForCommand(*command); !status.ok()) {
      buffer->removeMapping(pointer);
      return status;
    }
  }
  return MappedCommand{std::move(command), pointer};
}

Result<Command> enqueueUnmapMemObject(cl_command_queue queueHandle, cl_mem memoryHandle,
                                      void* pointer, WaitArguments wait) {
  QUERN_ASSIGN(CommandQueue * queue, fromHandle<CommandQueue>(queueHandle));
  QUERN_ASSIGN(MemoryObject * memory, fromHandle<MemoryObject>(memoryHandle));
  if (&memory->context() != &queue->context())
    return Status::error(CL_INVALID_CONTEXT,
                         "the memory object belongs to another context than the command-queue");
  QUERN_ASSIGN(const WaitList waitList, parseWaitList(queue->context(), wait.count, wait.events));
  // The pointer was not returned by a map of this object, or was unmapped before.
  const std::optional<MemoryObject::Mapping> mapping = memory->removeMapping(pointer);
  if (!mapping)
    return invalidValue("mapped_ptr is not the pointer of a mapping of the memory object");
  return queue->enqueue(runtime::recordUnmap(queue->device(), *memory, *mapping), waitList);
}

} // namespace quern::api
