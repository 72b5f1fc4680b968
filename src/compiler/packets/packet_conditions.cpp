// Whether a condition holds for all work-items of a tile, of which most conditions need not test
// each: where the numbers that they compare rise evenly, the first or the last decides.
#include "compiler/packets/packet_conditions.h"

namespace quern::compiler {
namespace {

using llvm::CmpInst;
using llvm::Value;

/// Numbers that change by less in a step do not pass half of what their type holds on the way
/// through a tile.
constexpr unsigned maxStepBits = 20;

} // namespace

Value* PacketConditions::holdsForAll(Value* condition) {
  Value* all = nullptr;
  for (const LanePart& part : lanePredicate(condition, true)) {
    Value* one = holdsForAll(part);
    all = all ? builder_.CreateAnd(all, one) : one;
  }
  setPacket(0);
  return all;
}

Value* PacketConditions::holdsForAll(const LanePart& part) {
  for (const bool isSwapped : {false, true})
    if (const auto comparison = laneComparison(part, plan_.shapes, isSwapped);
        comparison && comparison->isRelational())
      if (Value* all = holdsForNumbers(*comparison))
        return all;
  const auto [condition, wanted] = part;
  Value* all = nullptr;
  plan_.sharing.forEachOwner(plan_.sharing.varyingDimensions(condition), [&](unsigned packet) {
    setPacket(packet);
    const bool isUniform = plan_.shapes.of(condition).isUniform();
    Value* one = builder_.CreateFreeze(isUniform ? scalar(condition) : vector(condition));
    if (!isUniform)
      one = wanted ? builder_.CreateAndReduce(one) : builder_.CreateOrReduce(one);
    if (!wanted)
      one = builder_.CreateNot(one);
    all = all ? builder_.CreateAnd(all, one) : one;
  });
  return all;
}

/// Where the numbers do not wrap, what holds for the greatest or the least of them holds for all.
/// Null where they change too much for that.
Value* PacketConditions::holdsForNumbers(const LaneComparison& comparison) {
  const auto& [number, predicate, limit, shape] = comparison;
  if (!llvm::isInt<maxStepBits>(shape.stride))
    return nullptr;
  // In the dimensions in which the packets' numbers differ by known steps, and the limit does not,
  // only the first and the last packet count.
  const PacketTile tile = plan_.sharing.tile();
  const unsigned ofLimit = plan_.sharing.varyingDimensions(limit);
  const unsigned varyingDimensions = plan_.sharing.varyingDimensions(number) | ofLimit;
  const auto knownStep = [&](unsigned dimension) -> std::optional<int64_t> {
    const unsigned bit = 1u << dimension;
    if ((varyingDimensions & bit) == 0 || (ofLimit & bit) != 0)
      return std::nullopt;
    const Shape along =
        plan_.lanes.of(dimension == 0 ? UniformityRoot::row() : UniformityRoot::column())
            .of(number);
    if (along.isVarying() || along.factor || !llvm::isInt<maxStepBits>(along.stride))
      return std::nullopt;
    return along.stride;
  };
  const std::optional<int64_t> rowStep = knownStep(1);
  const bool rowsAreEven = rowStep.has_value();
  const bool columnsAreEven = knownStep(0) == shape.stride;
  if (!rowsAreEven && !shape.isAffine())
    return nullptr;
  const unsigned columns = columnsAreEven ? tile.columns : 1;
  const unsigned lastRow = (tile.rows - 1) * tile.columns;
  const int64_t span = shape.stride * (int64_t{plan_.width} * columns - 1);

  const bool isSigned = CmpInst::isSigned(predicate);
  const bool mustBeLess = llvm::ICmpInst::isLT(predicate) || llvm::ICmpInst::isLE(predicate);
  const unsigned bits = number->getType()->getIntegerBitWidth();
  const bool mayWrap =
      plan_.shapes.greatest(number) >= (uint64_t{1} << (bits - 1)) - (uint64_t{1} << 30);
  Value* all = nullptr;
  const auto require = [&](Value* condition) {
    all = all ? builder_.CreateAnd(all, condition) : condition;
  };
  const auto requireOrder = [&](Value* low, Value* high) {
    if (mayWrap)
      require(builder_.CreateICmp(isSigned ? CmpInst::ICMP_SLE : CmpInst::ICMP_ULE, low, high));
  };
  const auto firstOf = [&](unsigned packet) {
    setPacket(packet);
    return builder_.CreateFreeze(scalar(number));
  };
  plan_.sharing.forEachOwner(varyingDimensions, [&](unsigned packet) {
    const bool isInLastRow = rowsAreEven && packet >= lastRow;
    if ((columnsAreEven && packet % tile.columns != 0) ||
        (rowsAreEven && packet >= tile.columns && !isInLastRow))
      return;
    Value* first = firstOf(packet);
    Value* last = builder_.CreateAdd(first, llvm::ConstantInt::getSigned(first->getType(), span));
    if (span != 0)
      requireOrder(span < 0 ? last : first, span < 0 ? first : last);
    if (isInLastRow && lastRow != 0) {
      Value* above = firstOf(packet - lastRow);
      requireOrder(*rowStep < 0 ? first : above, *rowStep < 0 ? above : first);
    }
    // That of the other end is not as great, or as small.
    if (rowsAreEven && isInLastRow != ((*rowStep > 0) == mustBeLess))
      return;
    setPacket(packet);
    require(builder_.CreateICmp(predicate, (span > 0) == mustBeLess ? last : first,
                                builder_.CreateFreeze(scalar(limit))));
  });
  setPacket(0);
  return all;
}

} // namespace quern::compiler
