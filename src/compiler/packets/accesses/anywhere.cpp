#include "compiler/packets/accesses/anywhere.h"

#include <llvm/Analysis/VectorUtils.h>

namespace quern::compiler {
namespace {

using llvm::Value;

/// Each work-item's address; of one that is off, that of memory which nobody needs.
Value* safeAddresses(PacketValues& values, llvm::Type* type, llvm::Align alignment,
                     Value* pointers) {
  if (!values.mask())
    return pointers;
  llvm::IRBuilder<>& builder = values.builder();
  llvm::AllocaInst* unused = values.scratchOf(type, 0);
  unused->setAlignment(std::max(unused->getAlign(), alignment));
  Value* other = builder.CreateAddrSpaceCast(unused, pointers->getType()->getScalarType());
  return builder.CreateSelect(values.mask(), pointers,
                              builder.CreateVectorSplat(values.plan().width, other));
}

} // namespace

llvm::Type* gatheredType(llvm::Type* type) {
  const auto bits = static_cast<unsigned>(type->getPrimitiveSizeInBits().getFixedValue());
  return !type->isVectorTy()        ? type
         : bits == 32 || bits == 64 ? llvm::Type::getIntNTy(type->getContext(), bits)
                                    : nullptr;
}

Value* loadAnywhere(PacketValues& values, const llvm::LoadInst& load, Value* pointers) {
  llvm::IRBuilder<>& builder = values.builder();
  llvm::Type* type = load.getType();
  if (llvm::Type* number = gatheredType(type))
    return builder.CreateBitCast(builder.CreateMaskedGather(values.vectorType(number), pointers,
                                                            load.getAlign(), values.maskOrAll()),
                                 values.vectorType(type));
  Value* addresses = safeAddresses(values, type, load.getAlign(), pointers);
  llvm::SmallVector<Value*, 16> parts;
  for (unsigned item = 0; item < values.plan().width; ++item)
    parts.push_back(builder.CreateAlignedLoad(
        type, builder.CreateExtractElement(addresses, uint64_t{item}), load.getAlign()));
  return llvm::concatenateVectors(builder, parts);
}

void storeAnywhere(PacketValues& values, const llvm::StoreInst& store, Value* stored,
                   Value* pointers) {
  llvm::IRBuilder<>& builder = values.builder();
  llvm::Type* type = store.getValueOperand()->getType();
  if (llvm::Type* number = gatheredType(type)) {
    builder.CreateMaskedScatter(builder.CreateBitCast(stored, values.vectorType(number)), pointers,
                                store.getAlign(), values.maskOrAll());
    return;
  }
  Value* addresses = safeAddresses(values, type, store.getAlign(), pointers);
  for (unsigned item = 0; item < values.plan().width; ++item)
    builder.CreateAlignedStore(partOfItem(builder, stored, item, elementsOf(type)),
                               builder.CreateExtractElement(addresses, uint64_t{item}),
                               store.getAlign());
}

} // namespace quern::compiler
