#include "compiler/packets/accesses/neighbours.h"

#include "compiler/il/streaming.h"

namespace quern::compiler {
namespace {

using llvm::Value;

/// The least of the addresses.
Value* lowest(PacketValues& values, Value* first, llvm::Type* type, int direction) {
  return direction > 0
             ? first
             : values.builder().CreateConstGEP1_64(type, first, -int64_t{values.plan().width - 1});
}

/// `vector` has what the work-items have of `type`, which is one of the region's.
Value* inOrder(PacketValues& values, Value* vector, const llvm::Type* type, int direction) {
  if (direction > 0)
    return vector;
  const unsigned elements = elementsOf(type), lanes = elements * values.plan().width;
  llvm::SmallVector<int, 64> places(lanes);
  for (unsigned i = 0; i < lanes; ++i)
    places[i] = static_cast<int>(lanes - elements - i + 2 * (i % elements));
  return values.builder().CreateShuffleVector(vector, places);
}

Value* maskInOrder(PacketValues& values, llvm::Type* type, int direction) {
  return inOrder(values, values.maskFor(type), type, direction);
}

} // namespace

Value* loadNeighbours(PacketValues& values, const llvm::LoadInst& load, Value* first,
                      int direction) {
  llvm::IRBuilder<>& builder = values.builder();
  llvm::VectorType* type = values.vectorType(load.getType());
  Value* base = lowest(values, first, load.getType(), direction);
  Value* loaded =
      values.mask()
          ? llvm::cast<Value>(builder.CreateMaskedLoad(
                type, base, load.getAlign(), maskInOrder(values, load.getType(), direction)))
          : builder.CreateAlignedLoad(type, base, load.getAlign());
  return inOrder(values, loaded, load.getType(), direction);
}

void storeNeighbours(PacketValues& values, llvm::StoreInst& store, Value* stored, Value* first,
                     int direction) {
  llvm::IRBuilder<>& builder = values.builder();
  llvm::Type* type = store.getValueOperand()->getType();
  Value* base = lowest(values, first, type, direction);
  stored = inOrder(values, stored, type, direction);
  if (values.mask())
    builder.CreateMaskedStore(stored, base, store.getAlign(), maskInOrder(values, type, direction));
  else
    streamLike({&store}, *builder.CreateAlignedStore(stored, base, store.getAlign()));
}

} // namespace quern::compiler
