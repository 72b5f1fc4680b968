// Atomic instructions (SPIR-V 1.6, 3.52.18), by the functions of OpenCL C 2.0.
#include "base/sentence.h"
#include "compiler/spirv/failure.h"
#include "compiler/spirv/function_reader.h"

namespace quern::compiler::spirv {
namespace {

struct ReadModifyWrite {
  llvm::StringRef name;
  bool isUnsigned = false;
};

ReadModifyWrite readModifyWriteOf(Op op) {
  switch (op) {
  case Op::AtomicExchange:
    return {"atomic_exchange_explicit"};
  case Op::AtomicIAdd:
  case Op::AtomicFAddEXT:
    return {"atomic_fetch_add_explicit"};
  case Op::AtomicISub:
    return {"atomic_fetch_sub_explicit"};
  case Op::AtomicSMin:
  case Op::AtomicFMinEXT:
    return {"atomic_fetch_min_explicit"};
  case Op::AtomicUMin:
    return {"atomic_fetch_min_explicit", true};
  case Op::AtomicSMax:
  case Op::AtomicFMaxEXT:
    return {"atomic_fetch_max_explicit"};
  case Op::AtomicUMax:
    return {"atomic_fetch_max_explicit", true};
  case Op::AtomicAnd:
    return {"atomic_fetch_and_explicit"};
  case Op::AtomicOr:
    return {"atomic_fetch_or_explicit"};
  case Op::AtomicXor:
    return {"atomic_fetch_xor_explicit"};
  default:
    return {};
  }
}

} // namespace

/// The library has functions for the global, the local and the generic address space.
Argument FunctionReader::atomicPointer(const Value& given, const Type& wanted, bool isUnsigned) {
  const Value pointer = typed(given, wanted);
  const Type& type = *pointer.type;
  const Type& content = *type.parts[0];
  require(content.isInteger() || content.isFloat(), "has a pointer to what is no number");
  Argument argument = {pointer.value,
                       {.type = pointer.type, .isUnsigned = isUnsigned, .isAtomic = true}};
  if (type.storage == Storage::CrossWorkgroup || type.storage == Storage::Workgroup ||
      type.storage == Storage::Generic)
    return argument;
  require(type.storage == Storage::Function, "has a pointer to constant memory");
  argument.parameter.type = &module_.types().pointerTo(content, Storage::Generic);
  argument.value = builder_.CreateAddrSpaceCast(pointer.value, argument.parameter.type->llvm);
  return argument;
}

void FunctionReader::readReadModifyWrite(const Instruction& i, llvm::StringRef name,
                                         const Value& operand, bool isUnsigned) {
  require(operand.type, "has an operand that is no number");
  const Argument pointer = atomicPointer(value(i.operands[0]), *operand.type, isUnsigned);
  require(operand.value->getType() == pointer.parameter.type->parts[0]->llvm,
          "has an operand of another type than its pointer points to");
  Argument argument = asIs(operand);
  argument.parameter.isUnsigned = isUnsigned;
  define(i, call(name, operand.value->getType(),
                 {pointer, argument, memoryOrder(i.operands[2]), memoryScope(i.operands[1])},
                 Effects::Any));
}

bool FunctionReader::readAtomic(const Instruction& i) {
  if (const ReadModifyWrite found = readModifyWriteOf(i.op); !found.name.empty()) {
    readReadModifyWrite(i, found.name, operand(i, 3), found.isUnsigned);
    return true;
  }
  switch (i.op) {
  case Op::AtomicIIncrement:
  case Op::AtomicIDecrement: {
    const Type& content = contentOf(operand(i, 0), resultType(i));
    require(content.isInteger(), "has a pointer to what is no whole number");
    readReadModifyWrite(
        i, i.op == Op::AtomicIIncrement ? "atomic_fetch_add_explicit" : "atomic_fetch_sub_explicit",
        {&content, llvm::ConstantInt::get(content.llvm, 1)}, false);
    return true;
  }
  case Op::AtomicLoad: {
    const Argument pointer = atomicPointer(operand(i, 0), resultType(i), false);
    define(i,
           call("atomic_load_explicit", pointer.parameter.type->parts[0]->llvm,
                {pointer, memoryOrder(i.operands[2]), memoryScope(i.operands[1])}, Effects::Any));
    return true;
  }
  case Op::AtomicStore: {
    const Value stored = operand(i, 3);
    require(stored.type, "stores what is no number");
    const Argument pointer = atomicPointer(operand(i, 0), *stored.type, false);
    require(stored.value->getType() == pointer.parameter.type->parts[0]->llvm,
            "stores a value of another type than its pointer points to");
    call("atomic_store_explicit", builder_.getVoidTy(),
         {pointer, asIs(stored), memoryOrder(i.operands[2]), memoryScope(i.operands[1])},
         Effects::Any);
    return true;
  }
  case Op::AtomicCompareExchange:
  case Op::AtomicCompareExchangeWeak:
    readCompareExchange(i);
    return true;
  case Op::AtomicFlagTestAndSet: {
    const Argument pointer = atomicPointer(operand(i, 0), module_.types().integer(32), false);
    require(pointer.parameter.type->parts[0]->llvm->isIntegerTy(32),
            "has a pointer to what is no flag");
    define(i,
           call("atomic_flag_test_and_set_explicit", builder_.getInt1Ty(),
                {pointer, memoryOrder(i.operands[2]), memoryScope(i.operands[1])}, Effects::Any));
    return true;
  }
  case Op::AtomicFlagClear: {
    const Argument pointer = atomicPointer(operand(i, 0), module_.types().integer(32), false);
    require(pointer.parameter.type->parts[0]->llvm->isIntegerTy(32),
            "has a pointer to what is no flag");
    call("atomic_flag_clear_explicit", builder_.getVoidTy(),
         {pointer, memoryOrder(i.operands[2]), memoryScope(i.operands[1])}, Effects::Any);
    return true;
  }
  case Op::MemoryBarrier:
    callSymbol(builder_, "_Z22atomic_work_item_fencej12memory_order12memory_scope",
               builder_.getVoidTy(),
               {memoryFlags(i.operands[1]), memoryOrder(i.operands[1]).value,
                memoryScope(i.operands[0]).value},
               Effects::Any);
    return true;
  default:
    return false;
  }
}

/// The function of OpenCL C leaves what it found in the place of what it compared with.
void FunctionReader::readCompareExchange(const Instruction& i) {
  const Argument pointer = atomicPointer(operand(i, 0), resultType(i), false);
  const Type& content = *pointer.parameter.type->parts[0];
  const Value desired = operand(i, 4);
  const Value expected = operand(i, 5);
  require(content.isInteger() && desired.value->getType() == content.llvm &&
              expected.value->getType() == content.llvm,
          "has operands of another type than its pointer points to");
  const Type& privatePointer = module_.types().pointerTo(content, Storage::Function);
  llvm::AllocaInst* found = makeVariable(content.llvm);
  builder_.CreateStore(expected.value, found);
  call("atomic_compare_exchange_strong_explicit", builder_.getInt1Ty(),
       {pointer,
        {found, {.type = &privatePointer}},
        asIs(desired),
        memoryOrder(i.operands[2]),
        memoryOrder(i.operands[3]),
        memoryScope(i.operands[1])},
       Effects::Any);
  define(i, builder_.CreateLoad(content.llvm, found));
}

} // namespace quern::compiler::spirv
