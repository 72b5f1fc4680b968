#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

#include "base/mutex_protected.h"
#include "device/command.h"
#include "devices/cuda/gpu.h"

namespace quern::cuda {

/// Pinned memory for transfers of the program's own memory, which the GPU cannot reach by itself,
/// in blocks of one size. Shared by the queues of a GPU, and kept as long as it. Thread-safe.
class StagingBlocks {
public:
  /// Larger transfers take longer on one thread than on several (large_transfers.h) or by the
  /// driver.
  static constexpr uint64_t blockBytes = 512 << 10;

  explicit StagingBlocks(const Gpu& gpu) : gpu_(gpu) {}

  /// Null when all blocks are in use. The GPU's context is current.
  std::byte* take();
  void giveBack(std::byte* block);

private:
  static constexpr size_t maxBlocks = 8;

  struct Blocks {
    std::vector<std::byte*> free;
    size_t made = 0;
  };

  const Gpu& gpu_;
  MutexProtected<Blocks> all_;
};

/// The transfers of a stream between the GPU and the program's memory by way of blocks. What is
/// read arrives where the program wants it when `arrive` is called. Thread-safe.
class StagedTransfers {
public:
  explicit StagedTransfers(const Gpu& gpu, StagingBlocks& blocks) : gpu_(gpu), blocks_(blocks) {}

  /// Enqueues `copy`, command `number` of `stream`, where this is the better way; nothing where it
  /// is not. The GPU's context is current.
  std::optional<Error> enqueue(StreamHandle stream, const device::Copy& copy, uint32_t number);
  /// Whether `work` touches memory of the program that something read has not arrived in.
  bool isMissedBy(const device::Work& work) const;
  /// The commands up to `number` have ended on the GPU.
  void arrive(uint32_t number);

private:
  struct Transfer {
    uint32_t number = 0;
    std::byte* block = nullptr;
    std::byte* host = nullptr; ///< where the bytes are to arrive; null for what is written
    uint64_t bytes = 0;
  };
  using Transfers = std::deque<Transfer>;
  static bool overlaps(const Transfers& transfers, const device::Place& place, uint64_t bytes);

  const Gpu& gpu_;
  StagingBlocks& blocks_;
  mutable MutexProtected<Transfers> underWay_;
};

} // namespace quern::cuda
