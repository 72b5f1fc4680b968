#include "api/rect_commands.h"

#include "api/buffer_checks.h"
#include "api/handle.h"
#include "api/rect.h"
#include "api/wait_list.h"

namespace quern::api {

namespace {

using runtime::Buffer;
using runtime::CommandQueue;
using runtime::WaitList;

Status checkBounds(const Buffer& buffer, const Layout& layout) {
  if (layout.end > buffer.bytes())
    return Status::error(CL_INVALID_VALUE, sentence("the box ends at byte ", layout.end,
                                                    " of a buffer of ", buffer.bytes(), " bytes"));
  return {};
}

/// A rect command between a buffer and the host, after its checks.
struct HostTransfer {
  CommandQueue* queue;
  Buffer* buffer;
  Region region;
  Layout bufferLayout;
  Layout hostLayout;
  WaitList waitList;
};

Result<HostTransfer> parseTransfer(cl_command_queue queueHandle, cl_mem bufferHandle,
                                   const RectSide& bufferSide, const RectSide& hostSide,
                                   const size_t* regionGiven, const void* pointer,
                                   WaitArguments wait) {
  QUERN_ASSIGN(CommandQueue * queue, fromHandle<CommandQueue>(queueHandle));
  QUERN_ASSIGN(Buffer * buffer, commandBuffer(*queue, bufferHandle));
  QUERN_ASSIGN(const Region region, parseRegion(regionGiven));
  QUERN_ASSIGN(const Layout bufferLayout, parseLayout("buffer", region, bufferSide.origin,
                                                      bufferSide.rowPitch, bufferSide.slicePitch));
  QUERN_ASSIGN(const Layout hostLayout, parseLayout("host", region, hostSide.origin,
                                                    hostSide.rowPitch, hostSide.slicePitch));
  QUERN_TRY(checkBounds(*buffer, bufferLayout));
  // ptr is NULL.
  if (!pointer)
    return Status::error(CL_INVALID_VALUE, "ptr is NULL");
  QUERN_ASSIGN(WaitList waitList, parseWaitList(queue->context(), wait.count, wait.events));
  QUERN_TRY(checkAlignment(*queue, *buffer));
  return HostTransfer{queue, buffer, region, bufferLayout, hostLayout, std::move(waitList)};
}

Result<Command> enqueueTransfer(const HostTransfer& transfer, cl_command_type type,
                                const device::CopyRect& work, cl_bool blocking) {
  Command command = transfer.queue->newCommand(type);
  // A program may name the very memory that it gave with CL_MEM_USE_HOST_PTR.
  const std::byte* host = work.source.host ? work.source.host : work.destination.host;
  const bool isSameMemory = transfer.buffer->isAt(host, transfer.bufferLayout.offset) &&
                            work.sourceRowPitch == work.destinationRowPitch &&
                            work.sourceSlicePitch == work.destinationSlicePitch;
  if (!isSameMemory)
    command->work = work;
  command->use(*transfer.buffer, type == CL_COMMAND_READ_BUFFER_RECT ? runtime::Access::Read
                                                                     : runtime::Access::ReadWrite);
  transfer.queue->enqueue(*command, transfer.waitList);
  if (blocking)
    QUERN_TRY(waitForCommand(*command));
  return command;
}

} // namespace

Result<Command> enqueueReadBufferRect(cl_command_queue queue, cl_mem buffer, cl_bool blocking,
                                      RectSide bufferSide, RectSide hostSide, const size_t* region,
                                      void* destination, WaitArguments wait) {
  QUERN_ASSIGN(const HostTransfer transfer,
               parseTransfer(queue, buffer, bufferSide, hostSide, region, destination, wait));
  QUERN_TRY(checkHostMayRead(*transfer.buffer));
  const device::CopyRect work = {
      .source = transfer.buffer->placeOn(transfer.queue->device(), transfer.bufferLayout.offset),
      .destination = {.host = static_cast<std::byte*>(destination) + transfer.hostLayout.offset},
      .sourceRowPitch = transfer.bufferLayout.rowPitch,
      .sourceSlicePitch = transfer.bufferLayout.slicePitch,
      .destinationRowPitch = transfer.hostLayout.rowPitch,
      .destinationSlicePitch = transfer.hostLayout.slicePitch,
      .region = transfer.region};
  return enqueueTransfer(transfer, CL_COMMAND_READ_BUFFER_RECT, work, blocking);
}

Result<Command> enqueueWriteBufferRect(cl_command_queue queue, cl_mem buffer, cl_bool blocking,
                                       RectSide bufferSide, RectSide hostSide, const size_t* region,
                                       const void* source, WaitArguments wait) {
  QUERN_ASSIGN(const HostTransfer transfer,
               parseTransfer(queue, buffer, bufferSide, hostSide, region, source, wait));
  QUERN_TRY(checkHostMayWrite(*transfer.buffer));
  // A place is read or written; the source is only read.
  auto* from = static_cast<std::byte*>(const_cast<void*>(source));
  const device::CopyRect work = {.source = {.host = from + transfer.hostLayout.offset},
                                 .destination = transfer.buffer->placeOn(
                                     transfer.queue->device(), transfer.bufferLayout.offset),
                                 .sourceRowPitch = transfer.hostLayout.rowPitch,
                                 .sourceSlicePitch = transfer.hostLayout.slicePitch,
                                 .destinationRowPitch = transfer.bufferLayout.rowPitch,
                                 .destinationSlicePitch = transfer.bufferLayout.slicePitch,
                                 .region = transfer.region};
  return enqueueTransfer(transfer, CL_COMMAND_WRITE_BUFFER_RECT, work, blocking);
}

Result<Command> enqueueCopyBufferRect(cl_command_queue queueHandle, cl_mem sourceHandle,
                                      cl_mem destinationHandle, RectSide sourceSide,
                                      RectSide destinationSide, const size_t* regionGiven,
                                      WaitArguments wait) {
  QUERN_ASSIGN(CommandQueue * queue, fromHandle<CommandQueue>(queueHandle));
  QUERN_ASSIGN(Buffer * source, commandBuffer(*queue, sourceHandle));
  QUERN_ASSIGN(Buffer * destination, commandBuffer(*queue, destinationHandle));
  QUERN_ASSIGN(const Region region, parseRegion(regionGiven));
  QUERN_ASSIGN(const Layout from, parseLayout("source", region, sourceSide.origin,
                                              sourceSide.rowPitch, sourceSide.slicePitch));
  QUERN_ASSIGN(const Layout to, parseLayout("destination", region, destinationSide.origin,
                                            destinationSide.rowPitch, destinationSide.slicePitch));
  QUERN_TRY(checkBounds(*source, from));
  QUERN_TRY(checkBounds(*destination, to));
  // One buffer, but the pitches of the two sides differ.
  if (source == destination && (sourceSide.rowPitch != destinationSide.rowPitch ||
                                sourceSide.slicePitch != destinationSide.slicePitch))
    return Status::error(CL_INVALID_VALUE,
                         "a copy inside one buffer needs the same pitches on both sides");
  QUERN_ASSIGN(const WaitList waitList, parseWaitList(queue->context(), wait.count, wait.events));
  QUERN_TRY(checkAlignment(*queue, *source));
  QUERN_TRY(checkAlignment(*queue, *destination));
  const device::Place fromPlace = source->placeOn(queue->device(), from.offset);
  const device::Place toPlace = destination->placeOn(queue->device(), to.offset);
  // Source and destination overlap, in one buffer or in sub-buffers of one.
  const auto shift = [](Layout layout, uint64_t origin) {
    layout.offset += origin;
    layout.end += origin;
    return layout;
  };
  if (fromPlace.allocation == toPlace.allocation &&
      overlap(region, shift(from, source->origin()), shift(to, destination->origin())))
    return Status::error(CL_MEM_COPY_OVERLAP, "source and destination overlap in the same buffer");
  Command command = queue->newCommand(CL_COMMAND_COPY_BUFFER_RECT);
  command->work = device::CopyRect{.source = fromPlace,
                                   .destination = toPlace,
                                   .sourceRowPitch = from.rowPitch,
                                   .sourceSlicePitch = from.slicePitch,
                                   .destinationRowPitch = to.rowPitch,
                                   .destinationSlicePitch = to.slicePitch,
                                   .region = region};
  command->use(*source, runtime::Access::Read);
  command->use(*destination);
  queue->enqueue(*command, waitList);
  return command;
}

} // namespace quern::api
