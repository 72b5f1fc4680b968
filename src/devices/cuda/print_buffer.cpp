#include "devices/cuda/print_buffer.h"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <map>
#include <string>

#include "abi/nvptx_kernel.h"
#include "abi/printf_record.h"
#include "device/printf.h"

namespace quern::cuda {

namespace {

constexpr uint64_t recordAlignment = 8;

/// Strings in the GPU's memory, read once each.
class Strings {
public:
  explicit Strings(const Gpu& gpu) : gpu_(gpu) {}

  const char* at(uint64_t address) {
    auto [place, isNew] = strings_.try_emplace(address);
    if (isNew)
      place->second = read(address);
    return place->second.c_str();
  }

private:
  std::string read(uint64_t address) const {
    std::string text;
    // The driver refuses to read beyond the end of the memory that the string lies in.
    for (size_t bytes = longestPiece; bytes > 0;) {
      char piece[longestPiece];
      if (gpu_.api.memcpyDtoH(piece, address, bytes) != Error::Success) {
        bytes /= 2;
        continue;
      }
      const size_t length = strnlen(piece, bytes);
      text.append(piece, length);
      if (length < bytes)
        break;
      address += bytes;
    }
    return text;
  }

  static constexpr size_t longestPiece = 256;
  const Gpu& gpu_;
  std::map<uint64_t, std::string> strings_;
};

/// Calls `use` with each record that a launch has left.
template <typename Use> void forEachRecord(std::span<const std::byte> records, Use&& use) {
  for (uint64_t offset = 0; offset + sizeof(abi::PrintfHeader) <= records.size();) {
    abi::PrintfHeader header;
    std::memcpy(&header, records.data() + offset, sizeof(header));
    // Zero where a record did not fit.
    if (header.recordBytes < sizeof(header) || header.recordBytes > records.size() - offset)
      return;
    use(records.subspan(offset, header.recordBytes));
    offset += (header.recordBytes + recordAlignment - 1) / recordAlignment * recordAlignment;
  }
}

} // namespace

Address PrintBuffers::take(StreamHandle stream) {
  constexpr uint64_t bytes = sizeof(abi::NvptxPrintBuffer) + printCapacity;
  Address buffer = 0;
  {
    auto free = free_.lock();
    if (!free->empty()) {
      buffer = free->back();
      free->pop_back();
    }
  }
  if (buffer == 0 && gpu_.api.memAlloc(&buffer, bytes) != Error::Success)
    return 0;
  const abi::NvptxPrintBuffer header = {.used = 0, .capacity = printCapacity};
  gpu_.api.memsetD8Async(buffer, 0, bytes, stream);
  gpu_.api.memcpyHtoDAsync(buffer, &header, sizeof(header), stream);
  return buffer;
}

void PrintBuffers::print(Address buffer) {
  abi::NvptxPrintBuffer header = {};
  std::vector<std::byte> records;
  if (gpu_.api.memcpyDtoH(&header, buffer, sizeof(header)) == Error::Success)
    records.resize(std::min(header.used, printCapacity));
  if (!records.empty() && gpu_.api.memcpyDtoH(records.data(), buffer + sizeof(header),
                                              records.size()) == Error::Success) {
    Strings strings(gpu_);
    std::string text;
    forEachRecord(records, [&](std::span<const std::byte> record) {
      device::formatPrintf(record, text, [&](uint64_t address) { return strings.at(address); });
    });
    // Through stdio, so that the output keeps its place among what the program itself prints.
    std::fwrite(text.data(), 1, text.size(), stdout);
    std::fflush(stdout);
  }
  free_.lock()->push_back(buffer);
}

} // namespace quern::cuda
