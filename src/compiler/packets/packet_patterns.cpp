// Accesses to elements that lie close together, in an order that is known: as vectors of all of
// them, of which the packet's work-items take theirs.
#include <algorithm>

#include "compiler/packets/packet_values.h"

namespace quern::compiler {

using llvm::Value;

namespace {

/// Work-items that read one element, beyond which the elements to read under a mask take longer to
/// find than a gather.
constexpr unsigned mostReaders = 4;

} // namespace

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

std::optional<AccessPattern> PacketValues::patternOf(const llvm::Instruction& access) const {
  llvm::Type* type = llvm::getLoadStoreType(&access);
  if (type->isIntegerTy(1))
    return std::nullopt;
  return accessPatternOf(plan_.shapes.of(llvm::getLoadStorePointerOperand(&access)),
                         function_.getDataLayout().getTypeStoreSize(type).getFixedValue(),
                         plan_.width, plan_.shapes.items());
}

/// Null where a gather is better.
Value* PacketValues::loadPattern(llvm::LoadInst& load) {
  const std::optional<AccessPattern> found = patternOf(load);
  if (!found)
    return nullptr;
  const AccessPattern& pattern = *found;
  const unsigned most = pattern.mostOwners();
  if (mask_ && !llvm::isa<llvm::Constant>(mask_) && most > mostReaders)
    return nullptr;
  llvm::Type* element = load.getType();
  const uint64_t bytes = function_.getDataLayout().getTypeStoreSize(element).getFixedValue();
  Value* pointer = scalar(load.getPointerOperand());
  const unsigned count = pattern.span <= plan_.width ? llvm::bit_ceil(pattern.span) : plan_.width;
  llvm::SmallVector<Value*, 2> parts;
  for (unsigned begin = 0; begin < pattern.span; begin += count) {
    llvm::VectorType* type = llvm::FixedVectorType::get(element, count);
    Value* address =
        builder_.CreateConstGEP1_64(builder_.getInt8Ty(), pointer,
                                    pattern.lowest + static_cast<int64_t>(uint64_t{begin} * bytes));
    Value* mask = nullptr;
    for (unsigned rank = 0; rank < most; ++rank) {
      Value* readers = ofOwners(maskOrAll(), pattern.owners(begin, count, rank));
      mask = mask ? builder_.CreateOr(mask, readers) : readers;
    }
    const auto* constant = llvm::dyn_cast<llvm::Constant>(mask);
    parts.push_back(
        constant && constant->isAllOnesValue()
            ? builder_.CreateAlignedLoad(type, address, load.getAlign())
            : llvm::cast<Value>(builder_.CreateMaskedLoad(type, address, load.getAlign(), mask)));
  }
  if (parts.size() == 1)
    parts.push_back(llvm::PoisonValue::get(parts.front()->getType()));
  return builder_.CreateShuffleVector(
      parts[0], parts[1], llvm::SmallVector<int, 16>(pattern.places.begin(), pattern.places.end()));
}

/// False where a scatter is needed.
bool PacketValues::storePattern(llvm::StoreInst& store, Value* values) {
  const std::optional<AccessPattern> found = patternOf(store);
  // The last one stays, unless it is off.
  if (!found || (mask_ && found->mostOwners() > 1))
    return false;
  const AccessPattern& pattern = *found;
  llvm::Type* element = store.getValueOperand()->getType();
  const uint64_t bytes = function_.getDataLayout().getTypeStoreSize(element).getFixedValue();
  Value* pointer = scalar(store.getPointerOperand());
  const unsigned count = pattern.span <= plan_.width ? llvm::bit_ceil(pattern.span) : plan_.width;
  for (unsigned begin = 0; begin < pattern.span; begin += count) {
    const llvm::SmallVector<int, 32> writers = pattern.owners(begin, count, 0);
    Value* address =
        builder_.CreateConstGEP1_64(builder_.getInt8Ty(), pointer,
                                    pattern.lowest + static_cast<int64_t>(uint64_t{begin} * bytes));
    Value* part = builder_.CreateShuffleVector(values, writers);
    Value* mask = ofOwners(maskOrAll(), writers);
    if (const auto* constant = llvm::dyn_cast<llvm::Constant>(mask);
        constant && constant->isAllOnesValue())
      builder_.CreateAlignedStore(part, address, store.getAlign());
    else
      builder_.CreateMaskedStore(part, address, store.getAlign(), mask);
  }
  return true;
}

/// The bits of `mask` that belong to the work-items `items`, and no others.
Value* PacketValues::ofOwners(Value* mask, llvm::ArrayRef<int> items) {
  llvm::SmallVector<int, 32> indices;
  for (int item : items)
    indices.push_back(item < 0 ? static_cast<int>(plan_.width) : item);
  return builder_.CreateShuffleVector(mask, llvm::Constant::getNullValue(mask->getType()), indices);
}

} // namespace quern::compiler
