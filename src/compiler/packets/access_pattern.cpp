#include "compiler/packets/access_pattern.h"

#include <algorithm>

#include "compiler/packets/packet_emitter.h"

namespace quern::compiler {

using llvm::Value;

llvm::SmallVector<int, 32> AccessPattern::owners(unsigned begin, unsigned count,
                                                 unsigned rank) const {
  llvm::SmallVector<int, 32> result(count, -1);
  llvm::SmallVector<unsigned, 32> seen(count);
  for (unsigned item = items; item-- > 0;)
    if (const unsigned place = places[item] - begin; place < count)
      if (seen[place]++ == rank)
        result[place] = static_cast<int>(item);
  return result;
}

unsigned AccessPattern::mostOwners() const {
  llvm::SmallVector<unsigned, 32> counts(span);
  for (unsigned item = 0; item < items; ++item)
    ++counts[places[item]];
  return *std::ranges::max_element(counts);
}

Value* AccessPattern::ofOwners(llvm::IRBuilderBase& builder, Value* mask,
                               llvm::ArrayRef<int> owners) const {
  const auto width = static_cast<int>(places.size());
  llvm::SmallVector<int, 32> indices;
  for (int item : owners)
    indices.push_back(item < 0 ? width : item);
  return builder.CreateShuffleVector(mask, llvm::Constant::getNullValue(mask->getType()), indices);
}

std::optional<AccessPattern> accessPatternOf(const Shape& address, int64_t elementBytes,
                                             unsigned width, unsigned items) {
  if (!address.isShifted() || width == 0)
    return std::nullopt;
  AccessPattern pattern;
  pattern.items = items;
  int64_t highest = 0;
  for (unsigned item = 0; item < items; ++item) {
    pattern.lowest = std::min(pattern.lowest, address.offset(item));
    highest = std::max(highest, address.offset(item));
  }
  if (highest - pattern.lowest >= 2 * width * elementBytes)
    return std::nullopt;
  pattern.span = static_cast<unsigned>((highest - pattern.lowest) / elementBytes) + 1;
  pattern.places.resize(width);
  for (unsigned item = 0; item < items; ++item) {
    const int64_t bytes = address.offset(item) - pattern.lowest;
    if (bytes % elementBytes != 0)
      return std::nullopt;
    pattern.places[item] = static_cast<unsigned>(bytes / elementBytes);
  }
  return pattern;
}

std::optional<AccessPattern> accessPatternOf(const PacketAccess& access) {
  if (access.element()->isIntegerTy(1) || access.element()->isVectorTy())
    return std::nullopt;
  return accessPatternOf(access.shape(), access.bytes(), access.plan.width,
                         access.plan.shapes.items());
}

} // namespace quern::compiler
