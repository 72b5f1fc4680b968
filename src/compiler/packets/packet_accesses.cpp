#include "compiler/packets/packet_values.h"

namespace quern::compiler {

using llvm::Value;

Value* PacketValues::emitLoad(llvm::LoadInst& load) {
  llvm::VectorType* type = vectorType(load.getType());
  Value* pointer = load.getPointerOperand();
  const Shape shape = plan_.shapes.of(pointer);
  const int64_t bytes = function_.getDataLayout().getTypeStoreSize(load.getType()).getFixedValue();
  if (shape.isAffine() && shape.stride == bytes && !load.getType()->isIntegerTy(1)) {
    Value* base = scalar(pointer);
    if (mask_)
      return builder_.CreateMaskedLoad(type, base, load.getAlign(), mask_);
    return builder_.CreateAlignedLoad(type, base, load.getAlign());
  }
  return builder_.CreateMaskedGather(type, vector(pointer), load.getAlign(), maskOrAll());
}

void PacketValues::emitStore(llvm::StoreInst& store) {
  Value* pointer = store.getPointerOperand();
  Value* value = store.getValueOperand();
  const Shape shape = plan_.shapes.of(pointer);
  const int64_t bytes =
      function_.getDataLayout().getTypeStoreSize(value->getType()).getFixedValue();
  if (shape.isUniform() && plan_.shapes.of(value).isUniform()) {
    builder_.CreateAlignedStore(scalar(value), scalar(pointer), store.getAlign());
  } else if (shape.isAffine() && shape.stride == bytes && !value->getType()->isIntegerTy(1)) {
    Value* base = scalar(pointer);
    if (mask_)
      builder_.CreateMaskedStore(vector(value), base, store.getAlign(), mask_);
    else
      builder_.CreateAlignedStore(vector(value), base, store.getAlign());
  } else {
    // Where work-items write to one place the last one stays, as if each ran after the other.
    builder_.CreateMaskedScatter(vector(value), vector(pointer), store.getAlign(), maskOrAll());
  }
}

} // namespace quern::compiler
