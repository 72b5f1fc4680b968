#pragma once

#include <cstdint>

#include "device/command.h"

namespace quern::cpu {

/// A copy or fill, cut into pieces that any threads may do in any order. A piece is large enough to
/// be worth a thread's while.
class TransferRun {
public:
  /// Bytes of a piece, about: a multiple of every pattern, and microseconds of work.
  static constexpr uint64_t pieceBytes = 64 << 10;

  explicit TransferRun(const device::Copy& copy);
  explicit TransferRun(const device::CopyRect& rect);
  explicit TransferRun(const device::Fill& fill);
  explicit TransferRun(const device::FillRect& fill);

  uint64_t pieces() const { return pieces_; }
  void run(uint64_t begin, uint64_t end);

private:
  void cutRows();
  void copyRows(uint64_t begin, uint64_t end);

  void fillRows(uint64_t begin, uint64_t end);

  enum class Kind : uint8_t { Copy, CopyRows, Fill, FillRows };
  Kind kind_;
  std::byte* destination_ = nullptr;
  const std::byte* source_ = nullptr; ///< the pattern of a fill
  uint64_t bytes_ = 0;                ///< in all; of one row for rows
  uint64_t patternBytes_ = 0;
  bool isStreaming_ = false; ///< past the caches
  uint64_t rowsOfSlice_ = 0, rows_ = 0, rowsOfPiece_ = 0;
  uint64_t sourceRowPitch_ = 0, sourceSlicePitch_ = 0;
  uint64_t destinationRowPitch_ = 0, destinationSlicePitch_ = 0;
  uint64_t pieces_ = 1;
};

} // namespace quern::cpu
