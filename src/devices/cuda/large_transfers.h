#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <optional>

#include "base/mutex_protected.h"
#include "device/command.h"
#include "devices/cuda/gpu.h"
#include "devices/cuda/progress.h"

namespace quern::cuda {

/// Copies between a GPU and memory of the program that it cannot reach, in pieces by way of a ring
/// of pinned slots: several threads (CopyTeam) move pieces between the program's memory and the
/// ring while the GPU moves others between the ring and its own memory. Twice as fast as the
/// driver, which does it on one thread. One transfer at a time for each GPU. Thread-safe.
class LargeTransfers {
public:
  LargeTransfers(const Gpu& gpu, ProgressNumbers& numbers) : gpu_(gpu), numbers_(numbers) {}

  /// Enqueues `copy` where this is the better way; nothing where it is not. The program may use its
  /// memory again when this returns, as with the driver: what is read has arrived there. The GPU's
  /// context is current.
  std::optional<Error> enqueue(StreamHandle stream, const device::Copy& copy);

private:
  static constexpr uint32_t slots = 8;
  static constexpr uint64_t pieceBytes = 1 << 20;
  /// Below, to wake the other threads takes longer than they gain.
  static constexpr uint64_t leastBytes = 2 * pieceBytes;

  struct Transfer;
  /// What transfers leave to each other. Pieces are numbered from 1 over all transfers.
  struct Ring {
    bool isInUse = false;
    bool isUsable = true;
    StreamHandle last = nullptr; ///< of the last transfer
    uint32_t issued = 0;         ///< pieces
  };
  /// The ring for a transfer, which begins with the piece of this number; nothing where it must do
  /// without.
  std::optional<uint32_t> take(StreamHandle stream);
  void giveBack(const Transfer& transfer, bool isUsable);
  bool prepare(Ring& ring, StreamHandle stream);
  bool hasPassed(uint32_t piece) const;
  bool canCopy(const Transfer& transfer, uint32_t piece) const;
  bool canIssue(const Transfer& transfer, uint32_t piece) const;
  void copyPiece(Transfer& transfer, uint32_t piece);
  void copyPieces(Transfer& transfer);
  Error issue(Transfer& transfer, uint32_t piece);
  bool haveArrived(const Transfer& transfer) const;
  Error run(Transfer& transfer);

  const Gpu& gpu_;
  ProgressNumbers& numbers_;
  MutexProtected<Ring> ring_;
  /// Made by the first transfer; piece n is in slot n % slots.
  std::byte* memory_ = nullptr;
  /// How many pieces the GPU has moved, as it writes itself.
  Progress* passed_ = nullptr;
  /// The last piece that a thread has copied into or out of each slot.
  std::array<std::atomic<uint32_t>, slots> copied_ = {};
};

} // namespace quern::cuda
