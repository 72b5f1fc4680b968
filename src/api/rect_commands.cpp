#include "api/rect_commands.h"

#include "api/buffer_checks.h"
#include "api/handle.h"
#include "api/rect.h"
#include "api/wait_list.h"
#include "runtime/record_transfers.h"

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
struct RectTransfer {
  CommandQueue* queue;
  Buffer* buffer;
  Region region;
  Layout bufferLayout;
  Layout hostLayout;
  WaitList waitList;
};

Result<RectTransfer> parseTransfer(cl_command_queue queueHandle, cl_mem bufferHandle,
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
  return RectTransfer{queue, buffer, region, bufferLayout, hostLayout, std::move(waitList)};
}

/// The two sides of a transfer.
struct Sides {
  runtime::BoxSide inBuffer, inHost;
};

Sides sidesOf(const RectTransfer& transfer, std::byte* host) {
  const Layout &inBuffer = transfer.bufferLayout, &inHost = transfer.hostLayout;
  return {{{transfer.buffer, inBuffer.offset}, inBuffer.rowPitch, inBuffer.slicePitch},
          {{.host = host + inHost.offset}, inHost.rowPitch, inHost.slicePitch}};
}

Result<Command> enqueueRectTransfer(const RectTransfer& transfer, cl_command_type type,
                                    const runtime::BoxSide& source,
                                    const runtime::BoxSide& destination, cl_bool blocking) {
  CommandQueue& queue = *transfer.queue;
  return finishIfBlocking(queue.enqueue(runtime::recordBoxCopy(queue.device(), type, source,
                                                               destination, transfer.region),
                                        transfer.waitList),
                          blocking);
}

} // namespace

Result<Command> enqueueReadBufferRect(cl_command_queue queue, cl_mem buffer, cl_bool blocking,
                                      RectSide bufferSide, RectSide hostSide, const size_t* region,
                                      void* destination, WaitArguments wait) {
  QUERN_ASSIGN(const RectTransfer transfer,
               parseTransfer(queue, buffer, bufferSide, hostSide, region, destination, wait));
  QUERN_TRY(checkHostMayRead(*transfer.buffer));
  const Sides sides = sidesOf(transfer, static_cast<std::byte*>(destination));
  return enqueueRectTransfer(transfer, CL_COMMAND_READ_BUFFER_RECT, sides.inBuffer, sides.inHost,
                             blocking);
}

Result<Command> enqueueWriteBufferRect(cl_command_queue queue, cl_mem buffer, cl_bool blocking,
                                       RectSide bufferSide, RectSide hostSide, const size_t* region,
                                       const void* source, WaitArguments wait) {
  QUERN_ASSIGN(const RectTransfer transfer,
               parseTransfer(queue, buffer, bufferSide, hostSide, region, source, wait));
  QUERN_TRY(checkHostMayWrite(*transfer.buffer));
  // A place is read or written; the source is only read.
  const Sides sides = sidesOf(transfer, static_cast<std::byte*>(const_cast<void*>(source)));
  return enqueueRectTransfer(transfer, CL_COMMAND_WRITE_BUFFER_RECT, sides.inHost, sides.inBuffer,
                             blocking);
}

Result<runtime::Recorded> recordCopyBufferRect(CommandQueue& queue, cl_mem sourceHandle,
                                               cl_mem destinationHandle, RectSide sourceSide,
                                               RectSide destinationSide,
                                               const size_t* regionGiven) {
  QUERN_ASSIGN(Buffer * source, commandBuffer(queue, sourceHandle));
  QUERN_ASSIGN(Buffer * destination, commandBuffer(queue, destinationHandle));
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
  QUERN_TRY(checkAlignment(queue, *source));
  QUERN_TRY(checkAlignment(queue, *destination));
  // Source and destination overlap, in one buffer or in sub-buffers of one.
  const auto shift = [](Layout layout, uint64_t origin) {
    layout.offset += origin;
    layout.end += origin;
    return layout;
  };
  if (source->storage() == destination->storage() &&
      overlap(region, shift(from, source->origin()), shift(to, destination->origin())))
    return Status::error(CL_MEM_COPY_OVERLAP, "source and destination overlap in the same buffer");
  const runtime::BoxSide fromSide = {{source, from.offset}, from.rowPitch, from.slicePitch};
  const runtime::BoxSide toSide = {{destination, to.offset}, to.rowPitch, to.slicePitch};
  return runtime::recordBoxCopy(queue.device(), CL_COMMAND_COPY_BUFFER_RECT, fromSide, toSide,
                                region);
}

Result<Command> enqueueCopyBufferRect(cl_command_queue queueHandle, cl_mem source,
                                      cl_mem destination, RectSide sourceSide,
                                      RectSide destinationSide, const size_t* region,
                                      WaitArguments wait) {
  QUERN_ASSIGN(CommandQueue * queue, fromHandle<CommandQueue>(queueHandle));
  return enqueue(
      *queue,
      recordCopyBufferRect(*queue, source, destination, sourceSide, destinationSide, region), wait);
}

} // namespace quern::api
