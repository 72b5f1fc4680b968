#include "api/image_commands.h"

#include "api/buffer_checks.h"
#include "api/fill_color.h"
#include "api/handle.h"
#include "api/image_region.h"
#include "api/image_shape.h"
#include "api/invalid.h"
#include "api/wait_list.h"
#include "runtime/record_transfers.h"

namespace quern::api {

namespace {

using runtime::BoxSide;
using runtime::Buffer;
using runtime::CommandQueue;
using runtime::Image;
using runtime::Recorded;
using runtime::WaitList;

BoxSide imageSide(Image& image, const std::array<uint64_t, 3>& origin) {
  return {{&image, image.offsetOf(origin)},
          image.description().rowStride,
          image.description().sliceStride};
}

/// Of a box of elements.
runtime::BoxSize sizeOf(const Image& image, const ImageRegion& region) {
  return {region.size[0] * image.elementBytes(), region.size[1], region.size[2]};
}

/// What reads and writes have in common.
struct ImageTransfer {
  CommandQueue* queue = nullptr;
  Image* image = nullptr;
  ImageRegion region;
  BoxSide inImage, inHost;
  WaitList waitList;
};

Result<ImageTransfer> parseTransfer(cl_command_queue queueHandle, cl_mem imageHandle,
                                    const size_t* origin, const size_t* region,
                                    const HostSide& host, WaitArguments wait) {
  ImageTransfer transfer;
  QUERN_ASSIGN(transfer.queue, fromHandle<CommandQueue>(queueHandle));
  QUERN_ASSIGN(transfer.image, commandImage(*transfer.queue, imageHandle));
  QUERN_ASSIGN(transfer.region, parseImageRegion(*transfer.image, origin, region));
  QUERN_ASSIGN(const HostPitches pitches, parseHostPitches(*transfer.image, transfer.region.size,
                                                           host.rowPitch, host.slicePitch));
  // ptr is NULL.
  if (!host.data)
    return invalidValue("ptr is NULL");
  QUERN_ASSIGN(transfer.waitList,
               parseWaitList(transfer.queue->context(), wait.count, wait.events));
  transfer.inImage = imageSide(*transfer.image, transfer.region.origin);
  transfer.inHost = {{.host = host.data}, pitches.row, pitches.slice};
  return transfer;
}

Result<Command> enqueueImageTransfer(const ImageTransfer& transfer, cl_command_type type,
                                     const BoxSide& from, const BoxSide& to, cl_bool blocking) {
  CommandQueue& queue = *transfer.queue;
  return finishIfBlocking(
      queue.enqueue(runtime::recordBoxCopy(queue.device(), type, from, to,
                                           sizeOf(*transfer.image, transfer.region)),
                    transfer.waitList),
      blocking);
}

bool overlap(const ImageRegion& region, const std::array<uint64_t, 3>& otherOrigin) {
  for (size_t i = 0; i < otherOrigin.size(); ++i)
    if (region.origin[i] >= otherOrigin[i] + region.size[i] ||
        otherOrigin[i] >= region.origin[i] + region.size[i])
      return false;
  return true;
}

/// An image and a buffer that elements are copied between.
struct BufferTransfer {
  Image* image = nullptr;
  Buffer* buffer = nullptr;
  ImageRegion region;
  BoxSide inImage, inBuffer;
};

Result<BufferTransfer> parseTransfer(const CommandQueue& queue, cl_mem imageHandle,
                                     cl_mem bufferHandle, const size_t* origin,
                                     const size_t* region, size_t offset) {
  BufferTransfer transfer;
  QUERN_ASSIGN(transfer.image, commandImage(queue, imageHandle));
  QUERN_ASSIGN(transfer.buffer, commandBuffer(queue, bufferHandle));
  // The image is a 1D image buffer made of this buffer.
  if (transfer.image->type() == CL_MEM_OBJECT_IMAGE1D_BUFFER &&
      transfer.image->source() == transfer.buffer)
    return Status::error(CL_INVALID_MEM_OBJECT, "the image is made of this very buffer");
  QUERN_ASSIGN(transfer.region, parseImageRegion(*transfer.image, origin, region));
  const std::array<uint64_t, 3>& size = transfer.region.size;
  const uint64_t rowBytes = size[0] * transfer.image->elementBytes();
  const uint64_t sliceBytes = rowBytes * size[1];
  QUERN_TRY(checkRange(*transfer.buffer, offset, sliceBytes * size[2]));
  QUERN_TRY(checkAlignment(queue, *transfer.buffer));
  transfer.inImage = imageSide(*transfer.image, transfer.region.origin);
  transfer.inBuffer = {{transfer.buffer, offset}, rowBytes, sliceBytes};
  return transfer;
}

/// A place for a pitch that the program must have is NULL.
Status checkPitchPlaces(const Image& image, const size_t* rowPitch, const size_t* slicePitch) {
  if (!rowPitch)
    return invalidValue("image_row_pitch is NULL");
  if (!slicePitch && image.slicePitch() != 0)
    return invalidValue("image_slice_pitch is NULL, but the image has slices");
  return {};
}

} // namespace

Result<Command> enqueueReadImage(cl_command_queue queue, cl_mem image, cl_bool blocking,
                                 const size_t* origin, const size_t* region, HostSide host,
                                 WaitArguments wait) {
  QUERN_ASSIGN(const ImageTransfer transfer,
               parseTransfer(queue, image, origin, region, host, wait));
  QUERN_TRY(checkHostMayRead(*transfer.image));
  return enqueueImageTransfer(transfer, CL_COMMAND_READ_IMAGE, transfer.inImage, transfer.inHost,
                              blocking);
}

Result<Command> enqueueWriteImage(cl_command_queue queue, cl_mem image, cl_bool blocking,
                                  const size_t* origin, const size_t* region, HostSide host,
                                  WaitArguments wait) {
  QUERN_ASSIGN(const ImageTransfer transfer,
               parseTransfer(queue, image, origin, region, host, wait));
  QUERN_TRY(checkHostMayWrite(*transfer.image));
  return enqueueImageTransfer(transfer, CL_COMMAND_WRITE_IMAGE, transfer.inHost, transfer.inImage,
                              blocking);
}

Result<Recorded> recordCopyImage(CommandQueue& queue, cl_mem sourceHandle, cl_mem destinationHandle,
                                 const size_t* sourceOrigin, const size_t* destinationOrigin,
                                 const size_t* region) {
  QUERN_ASSIGN(Image * source, commandImage(queue, sourceHandle));
  QUERN_ASSIGN(Image * destination, commandImage(queue, destinationHandle));
  // The formats differ.
  const cl_image_format &from = source->format(), &to = destination->format();
  if (from.image_channel_order != to.image_channel_order ||
      from.image_channel_data_type != to.image_channel_data_type)
    return Status::error(
        CL_IMAGE_FORMAT_MISMATCH,
        sentence(formatName(from),
                 " of the source are not those of the destination: ", formatName(to)));
  QUERN_ASSIGN(const ImageRegion inSource, parseImageRegion(*source, sourceOrigin, region));
  QUERN_ASSIGN(const ImageRegion inDestination,
               parseImageRegion(*destination, destinationOrigin, region));
  // One image, and the regions overlap.
  if (source == destination && overlap(inSource, inDestination.origin))
    return Status::error(CL_MEM_COPY_OVERLAP, "source and destination overlap in the same image");
  return runtime::recordBoxCopy(
      queue.device(), CL_COMMAND_COPY_IMAGE, imageSide(*source, inSource.origin),
      imageSide(*destination, inDestination.origin), sizeOf(*source, inSource));
}

Result<Command> enqueueCopyImage(cl_command_queue queueHandle, cl_mem source, cl_mem destination,
                                 const size_t* sourceOrigin, const size_t* destinationOrigin,
                                 const size_t* region, WaitArguments wait) {
  QUERN_ASSIGN(CommandQueue * queue, fromHandle<CommandQueue>(queueHandle));
  return enqueue(
      *queue, recordCopyImage(*queue, source, destination, sourceOrigin, destinationOrigin, region),
      wait);
}

Result<Recorded> recordFillImage(CommandQueue& queue, cl_mem imageHandle, const void* color,
                                 const size_t* origin, const size_t* region) {
  QUERN_ASSIGN(Image * image, commandImage(queue, imageHandle));
  // fill_color is NULL.
  if (!color)
    return invalidValue("fill_color is NULL");
  QUERN_ASSIGN(const ImageRegion box, parseImageRegion(*image, origin, region));
  const auto pattern = encodeFillColor(image->format(), color);
  return runtime::recordBoxFill(queue.device(), imageSide(*image, box.origin),
                                std::span(pattern).first(image->elementBytes()),
                                sizeOf(*image, box));
}

Result<Command> enqueueFillImage(cl_command_queue queueHandle, cl_mem image, const void* color,
                                 const size_t* origin, const size_t* region, WaitArguments wait) {
  QUERN_ASSIGN(CommandQueue * queue, fromHandle<CommandQueue>(queueHandle));
  return enqueue(*queue, recordFillImage(*queue, image, color, origin, region), wait);
}

Result<Recorded> recordCopyImageToBuffer(CommandQueue& queue, cl_mem image, cl_mem buffer,
                                         const size_t* origin, const size_t* region,
                                         size_t offset) {
  QUERN_ASSIGN(const BufferTransfer transfer,
               parseTransfer(queue, image, buffer, origin, region, offset));
  return runtime::recordBoxCopy(queue.device(), CL_COMMAND_COPY_IMAGE_TO_BUFFER, transfer.inImage,
                                transfer.inBuffer, sizeOf(*transfer.image, transfer.region));
}

Result<Command> enqueueCopyImageToBuffer(cl_command_queue queueHandle, cl_mem image, cl_mem buffer,
                                         const size_t* origin, const size_t* region, size_t offset,
                                         WaitArguments wait) {
  QUERN_ASSIGN(CommandQueue * queue, fromHandle<CommandQueue>(queueHandle));
  return enqueue(*queue, recordCopyImageToBuffer(*queue, image, buffer, origin, region, offset),
                 wait);
}

Result<Recorded> recordCopyBufferToImage(CommandQueue& queue, cl_mem buffer, cl_mem image,
                                         size_t offset, const size_t* origin,
                                         const size_t* region) {
  QUERN_ASSIGN(const BufferTransfer transfer,
               parseTransfer(queue, image, buffer, origin, region, offset));
  return runtime::recordBoxCopy(queue.device(), CL_COMMAND_COPY_BUFFER_TO_IMAGE, transfer.inBuffer,
                                transfer.inImage, sizeOf(*transfer.image, transfer.region));
}

Result<Command> enqueueCopyBufferToImage(cl_command_queue queueHandle, cl_mem buffer, cl_mem image,
                                         size_t offset, const size_t* origin, const size_t* region,
                                         WaitArguments wait) {
  QUERN_ASSIGN(CommandQueue * queue, fromHandle<CommandQueue>(queueHandle));
  return enqueue(*queue, recordCopyBufferToImage(*queue, buffer, image, offset, origin, region),
                 wait);
}

Result<MappedCommand> enqueueMapImage(cl_command_queue queueHandle, cl_mem imageHandle,
                                      cl_bool blocking, cl_map_flags flags, const size_t* origin,
                                      const size_t* region, size_t* rowPitch, size_t* slicePitch,
                                      WaitArguments wait) {
  QUERN_ASSIGN(CommandQueue * queue, fromHandle<CommandQueue>(queueHandle));
  QUERN_ASSIGN(Image * image, commandImage(*queue, imageHandle));
  QUERN_ASSIGN(const ImageRegion box, parseImageRegion(*image, origin, region));
  QUERN_TRY(checkMapFlags(flags));
  QUERN_TRY(checkPitchPlaces(*image, rowPitch, slicePitch));
  QUERN_ASSIGN(const WaitList waitList, parseWaitList(queue->context(), wait.count, wait.events));
  if (flags & CL_MAP_READ)
    QUERN_TRY(checkHostMayRead(*image));
  const bool writes = (flags & mapWritingFlags) != 0;
  if (writes)
    QUERN_TRY(checkHostMayWrite(*image));
  // The memory for the program to see the image in cannot be had.
  QUERN_ASSIGN(std::byte * start, image->hostAddress());
  std::byte* pointer = start + image->offsetOf(box.origin);
  const Image::Mapping mapping = {
      .begin = pointer, .origin = box.origin, .region = box.size, .writes = writes};
  // Overlapping regions would be mapped for writing.
  if (!image->addMapping(mapping))
    return Status::error(CL_INVALID_OPERATION,
                         "the region overlaps one that is mapped for writing");
  const bool keepsContents = !(flags & CL_MAP_WRITE_INVALIDATE_REGION);
  Command command =
      queue->enqueue(runtime::recordMap(queue->device(), *image, mapping, keepsContents), waitList);
  if (blocking) {
    if (Status status = waitForCommand(*command); !status.ok()) {
      image->removeMapping(pointer);
      return status;
    }
  }
  *rowPitch = image->mappedRowPitch();
  if (slicePitch)
    *slicePitch = image->slicePitch();
  return MappedCommand{std::move(command), pointer};
}

} // namespace quern::api
