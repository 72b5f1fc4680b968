// Accesses of a packet that holds several short rows of the work-group: each row makes its own.
#include <numeric>

#include "compiler/il/rematerialise.h"
#include "compiler/packets/accesses/access_forms.h"
#include "compiler/packets/packet_part.h"
#include "compiler/target/target_model.h"

namespace quern::compiler {
namespace {

using llvm::Value;

class ShortRowEmitter : PacketPart {
public:
  explicit ShortRowEmitter(PacketValues& values) : PacketPart(values), rows_(*plan_.rows) {}

  Value* loadNeighbours(llvm::LoadInst& load);
  Value* loadForAll(llvm::LoadInst& load);
  void store(llvm::StoreInst& store, Value* values);

private:
  unsigned rowCount() const { return plan_.shapes.items() / rows_.items(); }
  Value* valueFor(Value* value, unsigned item);
  Value* maskOfRow(unsigned row);

  const ShortRows& rows_;
};

/// What one work-item of the packet has, if ShortRows::accessOf says that it can be computed. It
/// may be one that does not run this.
Value* ShortRowEmitter::valueFor(Value* value, unsigned item) {
  return rematerialise(builder_, value, [&](Value* part) -> Value* {
    const Shape shape = shapeOf(part);
    if (shape.isVarying())
      return nullptr;
    Value* first = scalar(part);
    const auto offset = static_cast<uint64_t>(shape.offset(item));
    if (offset == 0)
      return first;
    if (part->getType()->isPointerTy())
      return builder_.CreateConstGEP1_64(builder_.getInt8Ty(), first, offset);
    const unsigned bits = part->getType()->getIntegerBitWidth();
    return builder_.CreateAdd(
        first, llvm::ConstantInt::get(builder_.getContext(), llvm::APInt(64, offset).trunc(bits)));
  });
}

/// The work-items of a row that run this, and none that fills the row up to a power of two, for
/// which masked accesses are instructions. Null for all.
Value* ShortRowEmitter::maskOfRow(unsigned row) {
  const unsigned items = rows_.items();
  if (llvm::isPowerOf2_32(items)) {
    if (!mask())
      return nullptr;
    llvm::SmallVector<int, 16> own(items);
    std::iota(own.begin(), own.end(), static_cast<int>(row * items));
    return builder_.CreateShuffleVector(mask(), own);
  }
  // In bits, for no instruction takes such a part of a mask.
  const unsigned count = llvm::bit_ceil(items);
  Value* bits = builder_.CreateLShr(values_.maskBits(), uint64_t{row} * items);
  bits = builder_.CreateAnd(bits, llvm::maskTrailingOnes<uint64_t>(items));
  return builder_.CreateBitCast(builder_.CreateTrunc(bits, builder_.getIntNTy(count)),
                                llvm::FixedVectorType::get(builder_.getInt1Ty(), count));
}

/// Each row reads neighbouring elements.
Value* ShortRowEmitter::loadNeighbours(llvm::LoadInst& load) {
  const unsigned items = rows_.items();
  llvm::VectorType* type = llvm::FixedVectorType::get(load.getType(), llvm::bit_ceil(items));
  Value* result = llvm::PoisonValue::get(vectorType(load.getType()));
  for (unsigned row = 0; row < rowCount(); ++row) {
    Value* address = valueFor(load.getPointerOperand(), row * items);
    Value* mask = maskOfRow(row);
    Value* elements =
        mask ? llvm::cast<Value>(builder_.CreateMaskedLoad(type, address, load.getAlign(), mask))
             : builder_.CreateAlignedLoad(type, address, load.getAlign());
    llvm::SmallVector<int, 16> widened(plan_.width, -1), merged(plan_.width);
    std::iota(merged.begin(), merged.end(), 0);
    for (unsigned item = 0; item < items; ++item) {
      widened[row * items + item] = static_cast<int>(item);
      merged[row * items + item] = static_cast<int>(plan_.width + row * items + item);
    }
    result = builder_.CreateShuffleVector(result, builder_.CreateShuffleVector(elements, widened),
                                          merged);
  }
  return result;
}

/// Each row reads one element.
Value* ShortRowEmitter::loadForAll(llvm::LoadInst& load) {
  const unsigned items = rows_.items();
  Value* elements = llvm::PoisonValue::get(llvm::FixedVectorType::get(load.getType(), rowCount()));
  for (unsigned row = 0; row < rowCount(); ++row) {
    Value* address = valueFor(load.getPointerOperand(), row * items);
    Value* element = nullptr;
    if (mask()) {
      // A vector of one element, which LLVM makes a branch of.
      llvm::VectorType* one = llvm::FixedVectorType::get(load.getType(), 1);
      Value* isRead = builder_.CreateVectorSplat(1, builder_.CreateOrReduce(maskOfRow(row)));
      element = builder_.CreateExtractElement(
          builder_.CreateMaskedLoad(one, address, load.getAlign(), isRead), uint64_t{0});
    } else {
      element = builder_.CreateAlignedLoad(load.getType(), address, load.getAlign());
    }
    elements = builder_.CreateInsertElement(elements, element, uint64_t{row});
  }
  llvm::SmallVector<int, 16> rows(plan_.width, -1);
  for (unsigned item = 0; item < rowCount() * items; ++item)
    rows[item] = static_cast<int>(item / items);
  return builder_.CreateShuffleVector(elements, rows);
}

/// Each row writes neighbouring elements. Where rows write to one place the last one stays.
void ShortRowEmitter::store(llvm::StoreInst& store, Value* values) {
  const unsigned items = rows_.items();
  for (unsigned row = 0; row < rowCount(); ++row) {
    llvm::SmallVector<int, 16> own(llvm::bit_ceil(items), -1);
    std::iota(own.begin(), own.begin() + items, static_cast<int>(row * items));
    Value* elements = builder_.CreateShuffleVector(values, own);
    Value* address = valueFor(store.getPointerOperand(), row * items);
    if (Value* mask = maskOfRow(row))
      builder_.CreateMaskedStore(elements, address, store.getAlign(), mask);
    else
      builder_.CreateAlignedStore(elements, address, store.getAlign());
  }
}

class ShortRowAccess final : public AccessLowering {
public:
  ShortRowAccess(const PacketAccess& access, ShortRows::Access places)
      : AccessLowering(access), places_(places) {}

  const char* name() const override { return "by short rows"; }

  /// An access of each row, and what joins it with the others or parts it from them.
  double cost(const TargetModel& target, bool /*isMasked*/) const override {
    const unsigned rows = access_.plan.shapes.items() / access_.plan.rows->items();
    return rows * (target.access(access_.instruction, 1, false) +
                   target.permutation(access_.element(), access_.plan.width));
  }

  void emit(PacketValues& values) const override {
    ShortRowEmitter emitter(values);
    if (!access_.isLoad())
      emitter.store(store(), values.vector(store().getValueOperand()));
    else
      values.define(access_.instruction, places_ == ShortRows::Access::Same
                                             ? emitter.loadForAll(load())
                                             : emitter.loadNeighbours(load()));
  }

private:
  ShortRows::Access places_;
};

} // namespace

std::unique_ptr<AccessLowering> shortRowAccess(const PacketAccess& access) {
  if (!access.plan.rows || access.element()->isIntegerTy(1) || access.element()->isVectorTy())
    return nullptr;
  const ShortRows::Access places = access.plan.rows->accessOf(access.pointer(), access.bytes());
  const bool isMadeSo = access.isLoad() ? places != ShortRows::Access::Scattered
                                        : places == ShortRows::Access::Neighbours;
  return isMadeSo ? std::make_unique<ShortRowAccess>(access, places) : nullptr;
}

} // namespace quern::compiler
