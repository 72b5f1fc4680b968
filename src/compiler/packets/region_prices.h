#pragma once

#include <limits>
#include <span>
#include <string>

namespace quern::compiler {

/// What a work-item costs in each way to run a region, in the unit of TargetModel.
struct RegionPrices {
  static constexpr double infinite = std::numeric_limits<double>::infinity();

  double serial = 0;       ///< one after the other, with the vectors that the program has
  double serialAtBest = 0; ///< the same where LLVM makes vectors of the numbers beside these
  double loops = 0;        ///< in the loops of LLVM's vectoriser; infinite where it makes none
  double packets = 0;      ///< in packets, one at a time
  double tiles = 0;        ///< in the tiles of packets that were chosen; 0 where there are none
  double memory = 0;       ///< the least of these two, for what packets read and write
  /// Instructions that packets have more than a work-item, in all forms of the region.
  double code = 0;
  bool isCodeWaitedFor = false; ///< whether launches wait until these are compiled
  /// Whether there are loops, barriers or code of functions, where LLVM's vectoriser makes nothing
  /// and one work-item may wait for its own results. No price has that time, and a packet waits as
  /// long for all of its work-items.
  bool hidesLatency = false;
  /// What `serial` is multiplied with by that time at most: by what its chains of dependences take
  /// as far as the processor looks ahead, or, of little code, by what is not known of them.
  double waiting = 1;
  /// By which factor the others may be wrong next to `packets`.
  double uncertainty = 1;
  bool isScattered = false; ///< whether packets mostly gather and scatter
  bool transposes = false;  ///< whether packets have the elements of the program's vectors apart

  /// Packets take longer to compile, so that they must be cheaper by a part, which grows with their
  /// code.
  bool arePacketsWorthwhile() const;
  /// Whether the other way may be cheaper than the one that the prices are for. Not where memory is
  /// the limit of both.
  bool mayPacketsBeCheaper() const;
  bool maySerialBeCheaper() const;
  /// Whether the other way may be cheaper even so, if the prices are as wrong as they have been
  /// seen to be.
  bool mayOtherBeCheaper() const;
  /// Whether packets wait for memory, whatever their width is.
  bool isLimitedByMemory() const { return packets <= memory; }
  /// What a work-item costs without packets.
  double withoutPackets() const;
  /// A packet of the chosen tile takes `part` of the price of one alone.
  void setTile(double part);
  /// The region runs so many times.
  void repeat(double times);
  /// Why they are not worthwhile, as a clause; empty where they are.
  std::string whyNotPackets() const;
  /// "packets 1.30, in tiles 1.10, LLVM's loops 2.50, one by one 9.10, with what that waits for
  /// 20.00".
  std::string text() const;

private:
  friend bool arePacketsWorthwhile(std::span<const RegionPrices> regions);

  double leastGain() const;
  /// One work-item after the other with what it may have to wait, unless memory makes packets wait,
  /// too.
  double serialAtWorst() const;
};

/// The same of regions that get packets together or not at all: their code is weighed against the
/// time of all.
bool arePacketsWorthwhile(std::span<const RegionPrices> regions);

} // namespace quern::compiler
