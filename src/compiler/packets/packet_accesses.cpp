#include <llvm/Analysis/ValueTracking.h>

#include "compiler/il/region_function.h"
#include "compiler/il/streaming.h"
#include "compiler/packets/access_emitter.h"
#include "compiler/packets/packet_values.h"

namespace quern::compiler {

using llvm::Value;

/// Neighbouring work-items' elements lie next to each other, upwards or downwards.
int PacketValues::directionOf(Value* pointer, llvm::Type* type) const {
  const Shape shape = plan_.shapes.of(pointer);
  const int64_t bytes = function_.getDataLayout().getTypeStoreSize(type).getFixedValue();
  if (!shape.isAffine() || type->isIntegerTy(1) || std::abs(shape.stride) != bytes)
    return 0;
  return shape.stride > 0 ? 1 : -1;
}

/// The least of a packet's addresses that lie next to each other, from that of its first work-item.
Value* PacketValues::lowest(Value* first, llvm::Type* type, int direction) {
  return direction > 0 ? first
                       : builder_.CreateConstGEP1_64(type, first, -int64_t{plan_.width - 1});
}

Value* PacketValues::emitLoad(llvm::LoadInst& load) {
  llvm::VectorType* type = vectorType(load.getType());
  Value* pointer = load.getPointerOperand();
  if (Value* loaded = loadFromChunks(load))
    return loaded;
  if (const int direction = directionOf(pointer, load.getType()))
    return loadNeighbours(load, scalar(pointer), direction);
  if (const std::optional<TableLookup> lookup = tableLookup(load, plan_.machine))
    return emitLookup(*lookup);
  if (plan_.shapes.of(pointer).isPattern())
    if (Value* loaded = loadPattern(load))
      return loaded;
  const ShortRows::Access inRows = rowAccess(load);
  if (inRows != ShortRows::Access::Scattered)
    return inRows == ShortRows::Access::Same ? loadForRows(load) : loadShortRows(load);
  Value* pointers = vector(pointer);
  const auto gather = [&] {
    return builder_.CreateMaskedGather(type, pointers, load.getAlign(), maskOrAll());
  };
  const std::optional<Neighbours> neighbours = neighboursUnlessWrapped(load);
  if (!neighbours)
    return gather();
  const auto loadTogether = [&]() -> Value* {
    if (neighbours->direction != 0)
      return loadNeighbours(load, neighbours->first, neighbours->direction);
    return builder_.CreateVectorSplat(
        plan_.width,
        builder_.CreateAlignedLoad(load.getType(), neighbours->first, load.getAlign()));
  };
  return either(neighbours->noneWraps, loadTogether, gather);
}

/// `first` is the address of the packet's first work-item.
Value* PacketValues::loadNeighbours(llvm::LoadInst& load, Value* first, int direction) {
  llvm::VectorType* type = vectorType(load.getType());
  Value* base = lowest(first, load.getType(), direction);
  const auto inOrder = [&](Value* vector) {
    return direction > 0 ? vector : builder_.CreateVectorReverse(vector);
  };
  if (mask_)
    return inOrder(builder_.CreateMaskedLoad(type, base, load.getAlign(), inOrder(mask_)));
  return inOrder(builder_.CreateAlignedLoad(type, base, load.getAlign()));
}

void PacketValues::storeNeighbours(llvm::StoreInst& store, Value* values, Value* first,
                                   int direction) {
  const auto inOrder = [&](Value* vector) {
    return direction > 0 ? vector : builder_.CreateVectorReverse(vector);
  };
  Value* base = lowest(first, store.getValueOperand()->getType(), direction);
  if (mask_)
    builder_.CreateMaskedStore(inOrder(values), base, store.getAlign(), inOrder(mask_));
  else
    streamLike({&store}, *builder_.CreateAlignedStore(inOrder(values), base, store.getAlign()));
}

void PacketValues::emitStore(llvm::StoreInst& store) {
  Value* pointer = store.getPointerOperand();
  Value* value = store.getValueOperand();
  const int direction = directionOf(pointer, value->getType());
  if (mask_ && isForGroup(store)) {
    storeForGroup(store);
    return;
  }
  if (plan_.shapes.of(pointer).isUniform() && plan_.shapes.of(value).isUniform()) {
    emitScalarStore(store);
    return;
  }
  Value* values = vector(value);
  if (storeToChunks(store, values))
    return;
  if (direction != 0) {
    storeNeighbours(store, values, scalar(pointer), direction);
    return;
  }
  if (plan_.shapes.of(pointer).isPattern() && storePattern(store, values))
    return;
  if (isInShortRows(store)) {
    storeShortRows(store, values);
    return;
  }
  Value* pointers = vector(pointer);
  // Where work-items write to one place the last one stays, as if each ran after the other.
  const auto scatter = [&]() -> Value* {
    builder_.CreateMaskedScatter(values, pointers, store.getAlign(), maskOrAll());
    return nullptr;
  };
  if (const auto neighbours = neighboursUnlessWrapped(store))
    either(
        neighbours->noneWraps,
        [&]() -> Value* {
          storeNeighbours(store, values, neighbours->first, neighbours->direction);
          return nullptr;
        },
        scatter);
  else
    scatter();
}

void PacketValues::emitGroup(const InterleaveGroup& group) {
  AccessEmitter emitter(builder_, group, plan_.width);
  AccessEmitter::Vectors values(group.isStore() ? group.span : 0);
  if (group.isStore())
    for (auto [access, offset] : group.members)
      values[offset] = vector(llvm::cast<llvm::StoreInst>(access)->getValueOperand());
  if (group.stride == 0) {
    const llvm::SmallVector<Value*, 16> addresses = rowAddresses(group);
    if (group.isStore())
      emitter.storeRows(addresses, values);
    else
      values = emitter.loadRows(addresses);
  } else {
    Value* base = lowestMember(group, scalar(pointerOf(group)));
    if (group.isStore())
      emitter.storeStrided(base, values, mask_);
    else
      values = emitter.loadStrided(base, mask_);
  }
  if (!group.isStore())
    for (auto [access, offset] : group.members)
      define(*access, values[offset]);
}

Value* PacketValues::pointerOf(const InterleaveGroup& group) const {
  return llvm::getLoadStorePointerOperand(group.place().access);
}

/// From the address, or the addresses, of the member at the group's place to those of the lowest
/// one.
Value* PacketValues::lowestMember(const InterleaveGroup& group, Value* pointer) {
  if (group.place().offset == 0)
    return pointer;
  return builder_.CreateGEP(group.element, pointer,
                            builder_.getInt64(-int64_t{group.place().offset}));
}

/// The address of each work-item's lowest member; of one that is off, that of memory which nobody
/// needs.
llvm::SmallVector<Value*, 16> PacketValues::rowAddresses(const InterleaveGroup& group) {
  Value* pointer = pointerOf(group);
  const Shape shape = plan_.shapes.of(pointer);
  llvm::SmallVector<Value*, 16> addresses;
  if (!mask_ && shape.isShifted()) {
    Value* base = lowestMember(group, scalar(pointer));
    for (unsigned lane = 0; lane < plan_.width; ++lane)
      addresses.push_back(
          builder_.CreateConstGEP1_64(builder_.getInt8Ty(), base, shape.offset(lane)));
    return addresses;
  }
  Value* all = lowestMember(group, vector(pointer));
  if (mask_) {
    llvm::AllocaInst* unused = unusedMemory(group);
    Value* other = builder_.CreateAddrSpaceCast(unused, pointer->getType());
    all = builder_.CreateSelect(mask_, all, builder_.CreateVectorSplat(plan_.width, other));
  }
  for (unsigned lane = 0; lane < plan_.width; ++lane)
    addresses.push_back(builder_.CreateExtractElement(all, lane));
  return addresses;
}

llvm::AllocaInst* PacketValues::unusedMemory(const InterleaveGroup& group) {
  llvm::IRBuilder<>::InsertPointGuard guard(builder_);
  llvm::BasicBlock& start = function_.getEntryBlock();
  builder_.SetInsertPoint(&start, start.begin());
  llvm::AllocaInst* memory =
      builder_.CreateAlloca(llvm::ArrayType::get(group.element, group.span), nullptr, "unused");
  memory->setAlignment(group.alignment);
  return memory;
}

/// A block is skipped when no work-item runs it, which says little about each of several packets.
bool PacketValues::mustNotFault() const {
  return mask_ && plan_.sharing.tile().packets() > 1;
}

/// As a vector of one element, which LLVM makes a branch of.
Value* PacketValues::emitScalarLoad(llvm::LoadInst& load) {
  llvm::Type* type = llvm::FixedVectorType::get(load.getType(), 1);
  Value* mask = builder_.CreateVectorSplat(1, builder_.CreateOrReduce(mask_));
  Value* loaded =
      builder_.CreateMaskedLoad(type, scalar(load.getPointerOperand()), load.getAlign(), mask);
  return builder_.CreateExtractElement(loaded, uint64_t{0});
}

/// Whether it stores what all work-items of the group load (regions/group_results.h).
bool PacketValues::isForGroup(const llvm::StoreInst& store) const {
  return llvm::getUnderlyingObject(store.getPointerOperand(), 0) ==
         regionParameter(plan_.region, RegionParameter::UniformsOut);
}

/// The value of the first work-item that runs this. Where nobody does, the place gets what it has,
/// so that LLVM sees a value there instead of memory.
void PacketValues::storeForGroup(llvm::StoreInst& store) {
  Value* place = scalar(store.getPointerOperand());
  Value* value = store.getValueOperand();
  Value* stored = nullptr;
  if (plan_.shapes.of(value).isUniform()) {
    stored = scalar(value);
  } else {
    Value* item =
        builder_.CreateBinaryIntrinsic(llvm::Intrinsic::cttz, maskBits(), builder_.getFalse());
    stored = builder_.CreateExtractElement(
        vector(value), builder_.CreateAnd(builder_.CreateZExtOrTrunc(item, builder_.getInt32Ty()),
                                          plan_.width - 1));
  }
  Value* before = builder_.CreateAlignedLoad(stored->getType(), place, store.getAlign());
  builder_.CreateAlignedStore(builder_.CreateSelect(builder_.CreateOrReduce(mask_), stored, before),
                              place, store.getAlign());
}

void PacketValues::emitScalarStore(llvm::StoreInst& store) {
  Value* value = scalar(store.getValueOperand());
  Value* pointer = scalar(store.getPointerOperand());
  if (!mustNotFault()) {
    builder_.CreateAlignedStore(value, pointer, store.getAlign());
    return;
  }
  Value* mask = builder_.CreateVectorSplat(1, builder_.CreateOrReduce(mask_));
  builder_.CreateMaskedStore(builder_.CreateVectorSplat(1, value), pointer, store.getAlign(), mask);
}

} // namespace quern::compiler
