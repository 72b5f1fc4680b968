#include "compiler/work_items/printf_record.h"

namespace quern::compiler {
namespace {

using abi::PrintfField;
using abi::PrintfHeader;
using abi::PrintfKind;

void storeAt(llvm::IRBuilder<>& builder, llvm::Value* record, uint64_t offset, llvm::Value* value) {
  llvm::Value* address = builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), record, offset);
  builder.CreateAlignedStore(value, address, llvm::Align(1));
}

} // namespace

PrintfRecord::PrintfRecord(llvm::CallInst& call) : format_(call.getArgOperand(0)) {
  llvm::IRBuilder<> builder(&call);
  for (unsigned i = 1; i < call.arg_size(); ++i) {
    fields_.push_back(describe(builder, call.getArgOperand(i)));
    bytes_ += sizeof(PrintfField) + fields_.back().valueBytes();
  }
}

/// Applies the promotions that a front end without double leaves out: scalars of type float are
/// printed as double.
PrintfRecord::Field PrintfRecord::describe(llvm::IRBuilder<>& builder, llvm::Value* value) {
  llvm::Type* type = value->getType();
  if (type->isFloatingPointTy() && !type->isDoubleTy()) {
    value = builder.CreateFPExt(value, builder.getDoubleTy());
    type = value->getType();
  }
  llvm::Type* element = type->getScalarType();
  uint8_t count = 1;
  if (const auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(type))
    count = vector->getNumElements();
  if (element->isPointerTy())
    return {{PrintfKind::Pointer, 8, count}, value};
  const auto bytes = static_cast<uint8_t>(element->getScalarSizeInBits() / 8);
  return {{element->isFloatingPointTy() ? PrintfKind::Float : PrintfKind::Integer, bytes, count},
          value};
}

void PrintfRecord::store(llvm::IRBuilder<>& builder, llvm::Value* record) const {
  llvm::Value* format = builder.CreatePtrToInt(format_, builder.getInt64Ty());
  storeAt(builder, record, offsetof(PrintfHeader, format), format);
  storeAt(builder, record, offsetof(PrintfHeader, recordBytes), builder.getInt32(bytes_));
  storeAt(builder, record, offsetof(PrintfHeader, argumentCount), builder.getInt32(fields_.size()));
  uint64_t offset = sizeof(PrintfHeader);
  for (const Field& field : fields_)
    offset = storeField(builder, record, offset, field);
}

uint64_t PrintfRecord::storeField(llvm::IRBuilder<>& builder, llvm::Value* record, uint64_t offset,
                                  const Field& field) {
  storeAt(builder, record, offset + offsetof(PrintfField, kind),
          builder.getInt8(static_cast<uint8_t>(field.head.kind)));
  storeAt(builder, record, offset + offsetof(PrintfField, elementBytes),
          builder.getInt8(field.head.elementBytes));
  storeAt(builder, record, offset + offsetof(PrintfField, elementCount),
          builder.getInt8(field.head.elementCount));
  offset += sizeof(PrintfField);
  if (!field.value->getType()->isVectorTy()) {
    storeAt(builder, record, offset, field.value);
  } else {
    // Element by element: a vector of three elements takes the room of three.
    for (unsigned i = 0; i < field.head.elementCount; ++i)
      storeAt(builder, record, offset + uint64_t{i} * field.head.elementBytes,
              builder.CreateExtractElement(field.value, i));
  }
  return offset + field.valueBytes();
}

} // namespace quern::compiler
