#include "devices/cpu/transfer_run.h"

#include <algorithm>
#include <cstring>

#include "devices/cpu/known_memory.h"
#include "devices/cpu/machine.h"
#include "devices/cpu/memory.h"
#include "devices/cpu/streaming_copy.h"

namespace quern::cpu {

namespace {

uint64_t piecesFor(uint64_t bytes) {
  constexpr uint64_t pieceBytes = TransferRun::pieceBytes;
  return std::max<uint64_t>((bytes + pieceBytes - 1) / pieceBytes, 1);
}

/// Whether caches would keep nothing of a copy until somebody reads it. Up to their size, what they
/// do keep of its source and of itself is worth more than what streaming saves.
bool isBeyondCaches(uint64_t bytes) {
  const uint64_t cacheBytes = machine().topology.lastLevelCacheBytes;
  return cacheBytes > 0 && bytes >= cacheBytes;
}

uint64_t addressOf(const std::byte* pointer) {
  return reinterpret_cast<uint64_t>(pointer);
}

void noteFilled(const std::byte* to, uint64_t bytes) {
  KnownMemory::get().noteWritten(addressOf(to), bytes);
}

void noteCopied(const std::byte* to, const std::byte* from, uint64_t bytes) {
  KnownMemory::get().noteCopied(addressOf(to), addressOf(from), bytes);
}

/// Fills by copying what is filled already, twice as much each time.
void fill(std::byte* destination, uint64_t bytes, const std::byte* pattern, uint64_t patternBytes) {
  noteFilled(destination, bytes);
  if (patternBytes == 1) {
    std::memset(destination, std::to_integer<int>(*pattern), bytes);
    return;
  }
  constexpr uint64_t blockBytes = 16 << 10;
  const uint64_t block = std::min(bytes, blockBytes);
  std::memcpy(destination, pattern, std::min(patternBytes, block));
  for (uint64_t filled = patternBytes; filled < block; filled *= 2)
    std::memcpy(destination + filled, destination, std::min(filled, block - filled));
  for (uint64_t filled = block; filled < bytes; filled += block)
    std::memcpy(destination + filled, destination, std::min(block, bytes - filled));
}

} // namespace

TransferRun::TransferRun(const device::Copy& copy)
    : kind_(Kind::Copy), destination_(hostAddress(copy.destination)),
      source_(hostAddress(copy.source)), bytes_(copy.bytes),
      isStreaming_(isBeyondCaches(copy.bytes)), pieces_(piecesFor(copy.bytes)) {}

TransferRun::TransferRun(const device::CopyRect& rect)
    : kind_(Kind::CopyRows), destination_(hostAddress(rect.destination)),
      source_(hostAddress(rect.source)), bytes_(rect.region[0]), rowsOfSlice_(rect.region[1]),
      rows_(rect.region[1] * rect.region[2]), sourceRowPitch_(rect.sourceRowPitch),
      sourceSlicePitch_(rect.sourceSlicePitch), destinationRowPitch_(rect.destinationRowPitch),
      destinationSlicePitch_(rect.destinationSlicePitch) {
  cutRows();
}

TransferRun::TransferRun(const device::Fill& fill)
    : kind_(Kind::Fill), destination_(hostAddress(fill.destination)), source_(fill.pattern.data()),
      bytes_(fill.bytes), patternBytes_(fill.patternBytes), pieces_(piecesFor(fill.bytes)) {}

TransferRun::TransferRun(const device::FillRect& fill)
    : kind_(Kind::FillRows), destination_(hostAddress(fill.destination)),
      source_(fill.pattern.data()), bytes_(fill.region[0]), patternBytes_(fill.patternBytes),
      rowsOfSlice_(fill.region[1]), rows_(fill.region[1] * fill.region[2]),
      destinationRowPitch_(fill.rowPitch), destinationSlicePitch_(fill.slicePitch) {
  cutRows();
}

void TransferRun::cutRows() {
  rowsOfPiece_ = std::max<uint64_t>(pieceBytes / std::max<uint64_t>(bytes_, 1), 1);
  pieces_ = (rows_ + rowsOfPiece_ - 1) / rowsOfPiece_;
}

void TransferRun::run(uint64_t begin, uint64_t end) {
  if (kind_ == Kind::CopyRows)
    return copyRows(begin * rowsOfPiece_, std::min(end * rowsOfPiece_, rows_));
  if (kind_ == Kind::FillRows)
    return fillRows(begin * rowsOfPiece_, std::min(end * rowsOfPiece_, rows_));
  const uint64_t first = begin * pieceBytes;
  const uint64_t bytes = std::min(end * pieceBytes, bytes_) - first;
  if (kind_ == Kind::Fill)
    return fill(destination_ + first, bytes, source_, patternBytes_);
  if (destination_ == source_) // a program may read a buffer into the memory it lives in
    return;
  noteCopied(destination_ + first, source_ + first, bytes);
  if (isStreaming_)
    copyStreaming(destination_ + first, source_ + first, bytes);
  else
    std::memmove(destination_ + first, source_ + first, bytes);
}

void TransferRun::copyRows(uint64_t begin, uint64_t end) {
  for (uint64_t i = begin; i < end; ++i) {
    const uint64_t slice = i / rowsOfSlice_, row = i % rowsOfSlice_;
    std::byte* const to =
        destination_ + slice * destinationSlicePitch_ + row * destinationRowPitch_;
    const std::byte* const from = source_ + slice * sourceSlicePitch_ + row * sourceRowPitch_;
    if (to == from)
      continue;
    noteCopied(to, from, bytes_);
    std::memmove(to, from, bytes_);
  }
}

void TransferRun::fillRows(uint64_t begin, uint64_t end) {
  for (uint64_t i = begin; i < end; ++i)
    fill(destination_ + i / rowsOfSlice_ * destinationSlicePitch_ +
             i % rowsOfSlice_ * destinationRowPitch_,
         bytes_, source_, patternBytes_);
}

} // namespace quern::cpu
