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

Value* inOrder(PacketValues& values, Value* vector, int direction) {
  return direction > 0 ? vector : values.builder().CreateVectorReverse(vector);
}

} // namespace

Value* loadNeighbours(PacketValues& values, const llvm::LoadInst& load, Value* first,
                      int direction) {
  llvm::IRBuilder<>& builder = values.builder();
  llvm::VectorType* type = values.vectorType(load.getType());
  Value* base = lowest(values, first, load.getType(), direction);
  Value* loaded = values.mask()
                      ? llvm::cast<Value>(builder.CreateMaskedLoad(
                            type, base, load.getAlign(), inOrder(values, values.mask(), direction)))
                      : builder.CreateAlignedLoad(type, base, load.getAlign());
  return inOrder(values, loaded, direction);
}

void storeNeighbours(PacketValues& values, llvm::StoreInst& store, Value* stored, Value* first,
                     int direction) {
  llvm::IRBuilder<>& builder = values.builder();
  Value* base = lowest(values, first, store.getValueOperand()->getType(), direction);
  stored = inOrder(values, stored, direction);
  if (values.mask())
    builder.CreateMaskedStore(stored, base, store.getAlign(),
                              inOrder(values, values.mask(), direction));
  else
    streamLike({&store}, *builder.CreateAlignedStore(stored, base, store.getAlign()));
}

} // namespace quern::compiler
