#include "compiler/packets/region_prices.h"

#include <algorithm>

#include <llvm/Support/Format.h>
#include <llvm/Support/raw_ostream.h>

#include "compiler/target/target_model.h"

namespace quern::compiler {
namespace {

/// What packets are compared with: `packets`, their price, and what it takes to compile the code
/// that they are more, which launches may wait for, next to the work of work-items that cost
/// `serial`; or `withGain`, the price and the part that must be gained, where that is more.
double priceWithCode(double packets, double withGain, double code, bool isWaitedFor,
                     double serial) {
  return std::max(withGain,
                  packets * (1 + code / TargetModel::codeForItsTime(serial, isWaitedFor)));
}

} // namespace

bool RegionPrices::arePacketsWorthwhile() const {
  return priceWithCode(packets, packets * leastGain(), code, isCodeWaitedFor, serial) <=
             serialAtWorst() &&
         (hidesLatency || packets * leastGain() <= loops);
}

bool arePacketsWorthwhile(std::span<const RegionPrices> regions) {
  double packets = 0, withGain = 0, serial = 0, serialAtWorst = 0, code = 0;
  bool isCodeWaitedFor = false;
  for (const RegionPrices& region : regions) {
    packets += region.packets;
    withGain += region.packets * region.leastGain();
    serial += region.serial;
    serialAtWorst += region.serialAtWorst();
    code += region.code;
    isCodeWaitedFor = isCodeWaitedFor || region.isCodeWaitedFor;
  }
  return priceWithCode(packets, withGain, std::max(code, 0.0), isCodeWaitedFor, serial) <=
         serialAtWorst;
}

bool RegionPrices::mayPacketsBeCheaper() const {
  return !isLimitedByMemory() && packets <= uncertainty * withoutPackets();
}

bool RegionPrices::maySerialBeCheaper() const {
  return !isLimitedByMemory() && std::min(serialAtBest, loops) <= packets * uncertainty;
}

bool RegionPrices::mayOtherBeCheaper() const {
  const double serialPrice = std::min(serialAtBest, loops);
  return !isLimitedByMemory() && packets <= TargetModel::surprise * withoutPackets() &&
         serialPrice <= TargetModel::surprise * packets;
}

double RegionPrices::withoutPackets() const {
  return std::min(serialAtWorst(), hidesLatency ? infinite : loops);
}

double RegionPrices::serialAtWorst() const {
  return hidesLatency && !isScattered ? serial * waiting : serial;
}

double RegionPrices::leastGain() const {
  if (hidesLatency && waiting > 1)
    return 1;
  return transposes     ? TargetModel::leastGainOfTransposition
         : hidesLatency ? 1
                        : TargetModel::leastGain;
}

void RegionPrices::setTile(double part) {
  tiles = std::max(packets * part, memory);
}

void RegionPrices::repeat(double times) {
  for (double* price : {&serial, &serialAtBest, &loops, &packets, &tiles, &memory})
    *price *= times;
}

std::string RegionPrices::whyNotPackets() const {
  if (arePacketsWorthwhile())
    return {};
  std::string reason =
      hidesLatency && isScattered ? "its accesses lie apart: it costs " : "it costs ";
  reason += text();
  // Only the code is against them.
  if (packets * leastGain() <= withoutPackets())
    llvm::raw_string_ostream(reason)
        << ", which is not worth " << llvm::format("%.0f", code) << " instructions more";
  return reason;
}

std::string RegionPrices::text() const {
  std::string text;
  llvm::raw_string_ostream stream(text);
  stream << "packets " << llvm::format("%.2f", packets);
  if (tiles > 0)
    stream << ", in tiles " << llvm::format("%.2f", tiles);
  if (loops < infinite)
    stream << ", LLVM's loops " << llvm::format("%.2f", loops);
  stream << ", one by one " << llvm::format("%.2f", serial);
  if (serialAtWorst() > serial)
    stream << ", with what that waits for " << llvm::format("%.2f", serialAtWorst());
  return text;
}

} // namespace quern::compiler
