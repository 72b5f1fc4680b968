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
  auto all = all_.lock();
  if (!all->free.empty()) {
    std::byte* block = all->free.back();
    all->free.pop_back();
    return block;
  }
  void* memory = nullptr;
  if (all->made == maxBlocks ||
      gpu_.api.memHostAlloc(&memory, blockBytes, hostAllocPortable) != Error::Success)
    return nullptr;
  ++all->made;
  return static_cast<std::byte*>(memory);
}

void StagingBlocks::giveBack(std::byte* block) {
  all_.lock()->free.push_back(block);
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
  underWay_.lock()->push_back({.number = number,
                               .block = block,
                               .host = writes || error != Error::Success ? nullptr : host,
                               .bytes = copy.bytes});
  return error;
}

bool StagedTransfers::overlaps(const Transfers& transfers, const device::Place& place,
                               uint64_t bytes) {
  const Address begin = addressOf(place);
  return std::ranges::any_of(transfers, [&](const Transfer& transfer) {
    const auto host = reinterpret_cast<Address>(transfer.host);
    return transfer.host && begin < host + transfer.bytes && host < begin + bytes;
  });
}

bool StagedTransfers::isMissedBy(const device::Work& work) const {
  const auto* copy = std::get_if<device::Copy>(&work);
  if (!copy && !std::holds_alternative<device::CopyRect>(work))
    return false;
  auto transfers = underWay_.lock();
  if (copy)
    return overlaps(*transfers, copy->source, copy->bytes) ||
           overlaps(*transfers, copy->destination, copy->bytes);
  // The rows of a box may lie anywhere.
  return std::ranges::any_of(*transfers, &Transfer::host);
}

void StagedTransfers::arrive(uint32_t number) {
  auto transfers = underWay_.lock();
  while (!transfers->empty() && static_cast<int32_t>(transfers->front().number - number) <= 0) {
    const Transfer& transfer = transfers->front();
    if (transfer.host)
      std::memcpy(transfer.host, transfer.block, transfer.bytes);
    blocks_.giveBack(transfer.block);
    transfers->pop_front();
  }
}

} // namespace quern::cuda
