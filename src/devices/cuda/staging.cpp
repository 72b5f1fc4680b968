#include "devices/cuda/staging.h"

#include <algorithm>
#include <cstring>

#include "devices/cuda/memory.h"
#include "devices/cuda/pinned_ranges.h"

namespace quern::cuda {

namespace {

/// Up to this size the driver takes what is written into its own command at once.
constexpr uint64_t inlineBytes = 32 << 10;

} // namespace

std::byte* StagingBlocks::take() {
  std::lock_guard lock(mutex_);
  if (!free_.empty()) {
    std::byte* block = free_.back();
    free_.pop_back();
    return block;
  }
  void* memory = nullptr;
  if (made_ == maxBlocks ||
      gpu_.api.memHostAlloc(&memory, blockBytes, hostAllocPortable) != Error::Success)
    return nullptr;
  ++made_;
  return static_cast<std::byte*>(memory);
}

void StagingBlocks::giveBack(std::byte* block) {
  std::lock_guard lock(mutex_);
  free_.push_back(block);
}

std::optional<Error> StagedTransfers::enqueue(StreamHandle stream, const device::Copy& copy,
                                              uint32_t number) {
  const bool writes = copy.source.host != nullptr;
  std::byte* const host = writes ? copy.source.host : copy.destination.host;
  if (!host || (writes && copy.destination.host) || copy.bytes > StagingBlocks::blockBytes ||
      (writes && copy.bytes <= inlineBytes) || pinnedRanges().contains(host))
    return std::nullopt;
  std::byte* const block = blocks_.take();
  if (!block)
    return std::nullopt;
  if (writes)
    std::memcpy(block, host, copy.bytes);
  // The other side may be the host's memory, too.
  const auto staged = reinterpret_cast<Address>(block);
  const Error error =
      gpu_.api.memcpyAsync(writes ? addressOf(copy.destination) : staged,
                           writes ? staged : addressOf(copy.source), copy.bytes, stream);
  std::lock_guard lock(mutex_);
  underWay_.push_back({.number = number,
                       .block = block,
                       .host = writes || error != Error::Success ? nullptr : host,
                       .bytes = copy.bytes});
  return error;
}

bool StagedTransfers::overlaps(const device::Place& place, uint64_t bytes) const {
  const Address begin = addressOf(place);
  return std::ranges::any_of(underWay_, [&](const Transfer& transfer) {
    const auto host = reinterpret_cast<Address>(transfer.host);
    return transfer.host && begin < host + transfer.bytes && host < begin + bytes;
  });
}

bool StagedTransfers::isMissedBy(const device::Work& work) const {
  const auto* copy = std::get_if<device::Copy>(&work);
  if (!copy && !std::holds_alternative<device::CopyRect>(work))
    return false;
  std::lock_guard lock(mutex_);
  if (copy)
    return overlaps(copy->source, copy->bytes) || overlaps(copy->destination, copy->bytes);
  // The rows of a box may lie anywhere.
  return std::ranges::any_of(underWay_, &Transfer::host);
}

void StagedTransfers::arrive(uint32_t number) {
  std::lock_guard lock(mutex_);
  while (!underWay_.empty() && static_cast<int32_t>(underWay_.front().number - number) <= 0) {
    const Transfer& transfer = underWay_.front();
    if (transfer.host)
      std::memcpy(transfer.host, transfer.block, transfer.bytes);
    blocks_.giveBack(transfer.block);
    underWay_.pop_front();
  }
}

} // namespace quern::cuda
