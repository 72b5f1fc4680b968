#include "compiler/passes/lower_printf.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>

#include "abi/cpu_kernel.h"
#include "abi/printf_record.h"
#include "compiler/il/kernel_function.h"
#include "compiler/il/names.h"

namespace quern::compiler {
namespace {

using abi::PrintfField;
using abi::PrintfHeader;
using abi::PrintfKind;

/// One value of a record and what describes it.
struct Field {
  PrintfField head;
  llvm::Value* value;
  uint64_t valueBytes() const { return uint64_t{head.elementBytes} * head.elementCount; }
};

class Lowering {
public:
  explicit Lowering(llvm::CallInst& call)
      : call_(call), item_(*call.getFunction()), builder_(&call) {}

  void run() {
    std::vector<Field> fields;
    uint64_t bytes = sizeof(PrintfHeader);
    for (unsigned i = 1; i < call_.arg_size(); ++i) {
      fields.push_back(describe(call_.getArgOperand(i)));
      bytes += sizeof(PrintfField) + fields.back().valueBytes();
    }
    llvm::Value* record = makeRecord(bytes);
    storeHeader(record, bytes, fields.size());
    uint64_t offset = sizeof(PrintfHeader);
    for (const Field& field : fields)
      offset = storeField(record, offset, field);
    llvm::Value* result = callPrint(record, bytes);
    builder_.CreateLifetimeEnd(record);
    call_.replaceAllUsesWith(result);
    call_.eraseFromParent();
  }

private:
  /// Applies the promotions that a front end without double leaves out: scalars of type float are
  /// printed as double.
  Field describe(llvm::Value* value) {
    llvm::Type* type = value->getType();
    if (type->isFloatingPointTy() && !type->isDoubleTy()) {
      value = builder_.CreateFPExt(value, builder_.getDoubleTy());
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

  llvm::Value* makeRecord(uint64_t bytes) {
    llvm::BasicBlock& entry = item_.getEntryBlock();
    llvm::IRBuilder<> allocas(&entry, entry.begin());
    llvm::AllocaInst* record = allocas.CreateAlloca(
        llvm::ArrayType::get(builder_.getInt8Ty(), bytes), nullptr, "printf.record");
    record->setAlignment(llvm::Align(alignof(PrintfHeader)));
    builder_.CreateLifetimeStart(record);
    return record;
  }

  llvm::Value* at(llvm::Value* record, uint64_t offset) {
    return builder_.CreateConstInBoundsGEP1_64(builder_.getInt8Ty(), record, offset);
  }

  void store(llvm::Value* record, uint64_t offset, llvm::Value* value) {
    builder_.CreateAlignedStore(value, at(record, offset), llvm::Align(1));
  }

  void storeHeader(llvm::Value* record, uint64_t bytes, uint64_t count) {
    llvm::Value* format = builder_.CreatePtrToInt(call_.getArgOperand(0), builder_.getInt64Ty());
    store(record, offsetof(PrintfHeader, format), format);
    store(record, offsetof(PrintfHeader, recordBytes), builder_.getInt32(bytes));
    store(record, offsetof(PrintfHeader, argumentCount), builder_.getInt32(count));
  }

  uint64_t storeField(llvm::Value* record, uint64_t offset, const Field& field) {
    store(record, offset + offsetof(PrintfField, kind),
          builder_.getInt8(static_cast<uint8_t>(field.head.kind)));
    store(record, offset + offsetof(PrintfField, elementBytes),
          builder_.getInt8(field.head.elementBytes));
    store(record, offset + offsetof(PrintfField, elementCount),
          builder_.getInt8(field.head.elementCount));
    offset += sizeof(PrintfField);
    if (!field.value->getType()->isVectorTy()) {
      store(record, offset, field.value);
    } else {
      // Element by element: a vector of three elements takes the room of three.
      for (unsigned i = 0; i < field.head.elementCount; ++i)
        store(record, offset + uint64_t{i} * field.head.elementBytes,
              builder_.CreateExtractElement(field.value, i));
    }
    return offset + field.valueBytes();
  }

  llvm::Value* callPrint(llvm::Value* record, uint64_t bytes) {
    llvm::Type* pointer = builder_.getPtrTy();
    llvm::Value* launch = hidden(item_, Hidden::Launch);
    llvm::Value* print = builder_.CreateAlignedLoad(
        pointer, at(launch, offsetof(abi::LaunchInfo, print)), llvm::Align(8), "print");
    llvm::Value* state = builder_.CreateAlignedLoad(
        pointer, at(launch, offsetof(abi::LaunchInfo, printState)), llvm::Align(8), "print.state");
    auto* type = llvm::FunctionType::get(builder_.getInt32Ty(),
                                         {pointer, pointer, builder_.getInt64Ty()}, false);
    llvm::CallInst* call =
        builder_.CreateCall(type, print, {state, record, builder_.getInt64(bytes)}, "printed");
    call->addFnAttr(llvm::Attribute::NoUnwind);
    call->addParamAttr(1, llvm::Attribute::ReadOnly);
    call->addParamAttr(
        1, llvm::Attribute::getWithCaptureInfo(call->getContext(), llvm::CaptureInfo::none()));
    return call;
  }

  llvm::CallInst& call_;
  llvm::Function& item_;
  llvm::IRBuilder<> builder_;
};

} // namespace

llvm::PreservedAnalyses LowerPrintfPass::run(llvm::Function& function,
                                             llvm::FunctionAnalysisManager&) {
  const std::vector<llvm::CallInst*> calls = callsInKernel(function, names::printf);
  for (llvm::CallInst* call : calls)
    Lowering(*call).run();
  return calls.empty() ? llvm::PreservedAnalyses::all() : llvm::PreservedAnalyses::none();
}

} // namespace quern::compiler
