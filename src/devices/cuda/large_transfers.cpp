#include "devices/cuda/large_transfers.h"

#include <algorithm>
#include <cstring>
#include <immintrin.h>

#include "devices/cuda/copy_team.h"
#include "devices/cuda/memory.h"
#include "devices/cuda/pinned_ranges.h"

namespace quern::cuda {

namespace {

/// Of the looks in vain of the thread that waits for the GPU, one of so many asks the driver
/// whether something went wrong.
constexpr unsigned looksBetweenQuestions = 4096;

/// Numbers of pieces count on beyond the largest.
bool isBefore(uint32_t a, uint32_t b) {
  return static_cast<int32_t>(a - b) < 0;
}

} // namespace

struct LargeTransfers::Transfer {
  StreamHandle stream;
  bool writes; ///< to the GPU
  std::byte* host;
  Address device;
  uint64_t bytes;
  uint32_t first, end; ///< numbers of its pieces
  uint32_t issued;     ///< the last piece that the GPU was given
  std::atomic<uint32_t> next;
  std::atomic<bool> hasFailed = false;

  uint64_t offset(uint32_t piece) const { return uint64_t{piece - first} * pieceBytes; }
  uint64_t size(uint32_t piece) const { return std::min(pieceBytes, bytes - offset(piece)); }
};

std::optional<Error> LargeTransfers::enqueue(StreamHandle stream, const device::Copy& copy) {
  const bool writes = copy.source.host != nullptr;
  std::byte* const host = writes ? copy.source.host : copy.destination.host;
  if (!host || (writes && copy.destination.host) || copy.bytes < leastBytes ||
      pinnedRanges().contains(host))
    return std::nullopt;
  CopyTeam* const team = CopyTeam::get();
  const std::optional<uint32_t> first = team ? take(stream) : std::nullopt;
  if (!first)
    return std::nullopt;
  Transfer transfer = {
      .stream = stream,
      .writes = writes,
      .host = host,
      .device = addressOf(writes ? copy.destination : copy.source),
      .bytes = copy.bytes,
      .first = *first,
      .end = static_cast<uint32_t>(*first + (copy.bytes + pieceBytes - 1) / pieceBytes),
      .issued = *first - 1,
      .next = *first};
  if (!team->start([this, &transfer] { copyPieces(transfer); })) {
    giveBack(transfer, /*isUsable=*/true);
    return std::nullopt;
  }
  const Error error = run(transfer);
  transfer.hasFailed = error != Error::Success;
  team->join();
  giveBack(transfer, error == Error::Success);
  return error;
}

std::optional<uint32_t> LargeTransfers::take(StreamHandle stream) {
  return ring_.with([&](Ring& ring) -> std::optional<uint32_t> {
    if (ring.isInUse || !prepare(ring, stream))
      return std::nullopt;
    ring.isInUse = true;
    return ring.issued + 1;
  });
}

void LargeTransfers::giveBack(const Transfer& transfer, bool isUsable) {
  auto ring = ring_.lock();
  ring->isInUse = false;
  ring->isUsable = isUsable;
  ring->issued = transfer.issued;
}

/// Whether a transfer can begin. What the ring holds still for another stream may take long to
/// leave.
bool LargeTransfers::prepare(Ring& ring, StreamHandle stream) {
  if (!ring.isUsable || (ring.last != stream && passed_ && !hasPassed(ring.issued)))
    return false;
  ring.last = stream;
  if (memory_)
    return true;
  ring.isUsable = false;
  void* memory = nullptr;
  if (!gpu_.api.streamWriteValue32 || !(passed_ = numbers_.take()) ||
      gpu_.api.memHostAlloc(&memory, slots * pieceBytes, hostAllocPortable) != Error::Success)
    return false;
  memory_ = static_cast<std::byte*>(memory);
  return ring.isUsable = true;
}

bool LargeTransfers::hasPassed(uint32_t piece) const {
  return !isBefore(passed_->load(std::memory_order_acquire), piece);
}

/// Whether the piece's slot is empty, for what is written, or holds it, for what is read.
bool LargeTransfers::canCopy(const Transfer& transfer, uint32_t piece) const {
  return hasPassed(transfer.writes ? piece - slots : piece);
}

/// Whether the piece's slot holds it, for what is written, or has been emptied, for what is read.
bool LargeTransfers::canIssue(const Transfer& transfer, uint32_t piece) const {
  const uint32_t copied = copied_[piece % slots].load(std::memory_order_acquire);
  return transfer.writes ? copied == piece
                         : isBefore(piece - slots, transfer.first) || copied == piece - slots;
}

void LargeTransfers::copyPiece(Transfer& transfer, uint32_t piece) {
  std::byte* const slot = memory_ + piece % slots * pieceBytes;
  std::byte* const host = transfer.host + transfer.offset(piece);
  std::memcpy(transfer.writes ? slot : host, transfer.writes ? host : slot, transfer.size(piece));
  copied_[piece % slots].store(piece, std::memory_order_release);
}

/// What a helper does.
void LargeTransfers::copyPieces(Transfer& transfer) {
  while (true) {
    const uint32_t piece = transfer.next.fetch_add(1);
    if (!isBefore(piece, transfer.end))
      return;
    while (!canCopy(transfer, piece)) {
      if (transfer.hasFailed)
        return;
      _mm_pause();
    }
    copyPiece(transfer, piece);
  }
}

Error LargeTransfers::issue(Transfer& transfer, uint32_t piece) {
  const auto slot = reinterpret_cast<Address>(memory_ + piece % slots * pieceBytes);
  const Address place = transfer.device + transfer.offset(piece);
  const Error error =
      gpu_.api.memcpyAsync(transfer.writes ? place : slot, transfer.writes ? slot : place,
                           transfer.size(piece), transfer.stream);
  if (error != Error::Success)
    return error;
  transfer.issued = piece;
  return gpu_.api.streamWriteValue32(transfer.stream, reinterpret_cast<Address>(passed_), piece,
                                     writeAfterAllBefore);
}

/// The pieces before the last ones had to make room for these.
bool LargeTransfers::haveArrived(const Transfer& transfer) const {
  for (uint32_t left = std::min(slots, transfer.end - transfer.first); left > 0; --left) {
    const uint32_t piece = transfer.end - left;
    if (copied_[piece % slots].load(std::memory_order_acquire) != piece)
      return false;
  }
  return true;
}

/// Gives the pieces to the GPU in their order, and copies those that are ready meanwhile.
Error LargeTransfers::run(Transfer& transfer) {
  for (unsigned looks = 0;;) {
    const uint32_t piece = transfer.issued + 1;
    if (piece == transfer.end && (transfer.writes || haveArrived(transfer)))
      return Error::Success;
    if (piece != transfer.end && canIssue(transfer, piece)) {
      if (const Error error = issue(transfer, piece); error != Error::Success)
        return error;
      continue;
    }
    uint32_t next = transfer.next.load();
    if (isBefore(next, transfer.end) && canCopy(transfer, next) &&
        transfer.next.compare_exchange_strong(next, next + 1)) {
      copyPiece(transfer, next);
    } else if (++looks % looksBetweenQuestions != 0) {
      _mm_pause();
    } else if (const Error state = gpu_.api.streamQuery(transfer.stream);
               state != Error::Success && state != Error::NotReady) {
      return state;
    }
  }
}

} // namespace quern::cuda
