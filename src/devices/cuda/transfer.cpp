#include "devices/cuda/transfer.h"

#include <algorithm>
#include <cstring>

#include "devices/cuda/memory.h"

#define QUERN_CUDA_TRY(expression)                                                                 \
  do {                                                                                             \
    if (const Error error_ = (expression); error_ != Error::Success)                               \
      return error_;                                                                               \
  } while (false)

namespace quern::cuda {

namespace {

/// One row, plane or box of bytes at an address.
struct Box {
  Address address = 0;
  uint64_t rowPitch = 0, slicePitch = 0;
};

class Transfer {
public:
  Transfer(const Gpu& gpu, StreamHandle stream) : api_(gpu.api), stream_(stream) {}

  Error copy(Address to, Address from, uint64_t bytes) {
    return to == from || bytes == 0 ? Error::Success : api_.memcpyAsync(to, from, bytes, stream_);
  }

  Error copyBox(const Box& to, const Box& from, const std::array<uint64_t, 3>& region) {
    // The driver counts slices in rows.
    const bool wholeRows = to.slicePitch % to.rowPitch == 0 && from.slicePitch % from.rowPitch == 0;
    if (region[2] == 1 || wholeRows)
      return copySlices(to, from, region);
    for (uint64_t slice = 0; slice < region[2]; ++slice)
      QUERN_CUDA_TRY(
          copySlices({to.address + slice * to.slicePitch, to.rowPitch, to.rowPitch},
                     {from.address + slice * from.slicePitch, from.rowPitch, from.rowPitch},
                     {region[0], region[1], 1}));
    return Error::Success;
  }

  /// Repeats a pattern over `bytes`, a multiple of its size.
  Error fill(Address to, const std::byte* pattern, uint32_t patternBytes, uint64_t bytes) {
    // The driver wants addresses that are aligned to the pattern.
    switch (to % patternBytes == 0 ? patternBytes : 0) {
    case 1:
      return api_.memsetD8Async(to, static_cast<unsigned char>(*pattern), bytes, stream_);
    case 2:
      return api_.memsetD16Async(to, load<unsigned short>(pattern), bytes / 2, stream_);
    case 4:
      return api_.memsetD32Async(to, load<unsigned>(pattern), bytes / 4, stream_);
    }
    QUERN_CUDA_TRY(write(to, pattern, patternBytes));
    // What is there already is doubled until all is filled.
    for (uint64_t done = patternBytes; done < bytes; done += std::min(done, bytes - done))
      QUERN_CUDA_TRY(copy(to + done, to, std::min(done, bytes - done)));
    return Error::Success;
  }

private:
  /// Where that is possible not as a copy from the host, which the driver does itself when the
  /// memory is the host's, too, once all before has ended.
  Error write(Address to, const std::byte* pattern, uint32_t patternBytes) {
    constexpr uint32_t word = sizeof(unsigned);
    if (to % word != 0 || patternBytes % word != 0)
      return api_.memcpyAsync(to, reinterpret_cast<Address>(pattern), patternBytes, stream_);
    for (uint32_t offset = 0; offset < patternBytes; offset += word)
      QUERN_CUDA_TRY(
          api_.memsetD32Async(to + offset, load<unsigned>(pattern + offset), 1, stream_));
    return Error::Success;
  }

  template <typename T> static T load(const std::byte* from) {
    T value;
    std::memcpy(&value, from, sizeof(T));
    return value;
  }

  Error copySlices(const Box& to, const Box& from, const std::array<uint64_t, 3>& region) {
    Memcpy3D copy = {};
    copy.srcMemoryType = copy.dstMemoryType = MemoryType::Unified;
    copy.srcDevice = from.address;
    copy.srcPitch = std::max(from.rowPitch, region[0]);
    copy.srcHeight = std::max(from.slicePitch / copy.srcPitch, region[1]);
    copy.dstDevice = to.address;
    copy.dstPitch = std::max(to.rowPitch, region[0]);
    copy.dstHeight = std::max(to.slicePitch / copy.dstPitch, region[1]);
    copy.WidthInBytes = region[0];
    copy.Height = region[1];
    copy.Depth = region[2];
    return api_.memcpy3DAsync(&copy, stream_);
  }

  const DriverApi& api_;
  const StreamHandle stream_;
};

} // namespace

Error enqueue(const Gpu& gpu, StreamHandle stream, const device::Copy& copy) {
  return Transfer(gpu, stream)
      .copy(addressOf(copy.destination), addressOf(copy.source), copy.bytes);
}

Error enqueue(const Gpu& gpu, StreamHandle stream, const device::CopyRect& rect) {
  return Transfer(gpu, stream)
      .copyBox({addressOf(rect.destination), rect.destinationRowPitch, rect.destinationSlicePitch},
               {addressOf(rect.source), rect.sourceRowPitch, rect.sourceSlicePitch}, rect.region);
}

Error enqueue(const Gpu& gpu, StreamHandle stream, const device::Fill& fill) {
  return Transfer(gpu, stream)
      .fill(addressOf(fill.destination), fill.pattern.data(), fill.patternBytes, fill.bytes);
}

Error enqueue(const Gpu& gpu, StreamHandle stream, const device::FillRect& fill) {
  Transfer transfer(gpu, stream);
  const Address start = addressOf(fill.destination);
  QUERN_CUDA_TRY(transfer.fill(start, fill.pattern.data(), fill.patternBytes, fill.region[0]));
  const auto [width, height, depth] = fill.region;
  const auto box = [&](uint64_t row, uint64_t slice) {
    return Box{start + row * fill.rowPitch + slice * fill.slicePitch, fill.rowPitch,
               fill.slicePitch};
  };
  // Rows, then slices, are doubled as the bytes of a row are.
  for (uint64_t done = 1; done < height; done += std::min(done, height - done))
    QUERN_CUDA_TRY(
        transfer.copyBox(box(done, 0), box(0, 0), {width, std::min(done, height - done), 1}));
  for (uint64_t done = 1; done < depth; done += std::min(done, depth - done))
    QUERN_CUDA_TRY(
        transfer.copyBox(box(0, done), box(0, 0), {width, height, std::min(done, depth - done)}));
  return Error::Success;
}

} // namespace quern::cuda
