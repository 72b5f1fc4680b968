// Kernels that enqueue others (SPIR-V 1.6, 3.52.22 "Device-Side Enqueue Instructions"), by the
// functions that Clang calls for those of OpenCL C.
#include "base/sentence.h"
#include "compiler/il/enqueue_functions.h"
#include "compiler/spirv/failure.h"
#include "compiler/spirv/function_reader.h"

namespace quern::compiler::spirv {
namespace {

/// More than any type of OpenCL C needs.
constexpr uint64_t largestAlignment = 4096;

llvm::StringRef kernelQueryOf(Op op) {
  switch (op) {
  case Op::GetKernelNDrangeSubGroupCount:
    return "__get_kernel_sub_group_count_for_ndrange_impl";
  case Op::GetKernelNDrangeMaxSubGroupSize:
    return "__get_kernel_max_sub_group_size_for_ndrange_impl";
  case Op::GetKernelWorkGroupSize:
    return "__get_kernel_work_group_size_impl";
  case Op::GetKernelPreferredWorkGroupSizeMultiple:
    return "__get_kernel_preferred_work_group_size_multiple_impl";
  case Op::GetKernelMaxNumSubgroups:
    return "__quern_get_kernel_max_sub_groups";
  case Op::GetKernelLocalSizeForSubgroupCount:
    return "__quern_get_kernel_local_size_for_sub_groups";
  default:
    return {};
  }
}

} // namespace

bool FunctionReader::readDeviceEnqueue(const Instruction& i) {
  switch (i.op) {
  case Op::EnqueueKernel:
    readEnqueueKernel(i);
    return true;
  case Op::EnqueueMarker:
    define(i, callSymbol(builder_, "_Z14enqueue_marker9ocl_queuejPU3AS4K12ocl_clkeventPU3AS4S0_",
                         builder_.getInt32Ty(),
                         {opaque(i, 0, Op::TypeQueue).value, number32(i, 1),
                          genericPointer(operand(i, 2)), genericPointer(operand(i, 3))},
                         Effects::Any));
    return true;
  case Op::BuildNDRange:
    define(i, buildRange(i));
    return true;
  case Op::GetDefaultQueue:
    define(i, call("get_default_queue", resultType(i).llvm, {}, Effects::Any));
    return true;
  default:
    return readKernelQuery(i) || readDeviceEvent(i);
  }
}

bool FunctionReader::readDeviceEvent(const Instruction& i) {
  const auto event = [&] { return asIs(opaque(i, 0, Op::TypeDeviceEvent)); };
  const Type& number = module_.types().integer(32);
  switch (i.op) {
  case Op::CreateUserEvent:
    define(i, call("create_user_event", resultType(i).llvm, {}, Effects::Any));
    return true;
  case Op::RetainEvent:
    call("retain_event", builder_.getVoidTy(), {event()}, Effects::Any);
    return true;
  case Op::ReleaseEvent:
    call("release_event", builder_.getVoidTy(), {event()}, Effects::Any);
    return true;
  case Op::IsValidEvent:
    define(i, call("is_valid_event", builder_.getInt1Ty(), {event()}, Effects::None));
    return true;
  case Op::SetUserEventStatus:
    call("set_user_event_status", builder_.getVoidTy(), {event(), asIs({&number, number32(i, 1)})},
         Effects::Any);
    return true;
  case Op::CaptureEventProfilingInfo: {
    const Value to = operand(i, 2);
    require(requirePointer(to).storage == Storage::CrossWorkgroup,
            "has a pointer that is not to global memory");
    callSymbol(builder_, "_Z28capture_event_profiling_info12ocl_clkeventiPU3AS1v",
               builder_.getVoidTy(), {event().value, number32(i, 1), to.value}, Effects::Any);
    return true;
  }
  default:
    return false;
  }
}

/// What the block and its bytes are begins at the operand `first`: Invoke, Param, Param Size and
/// Param Align.
FunctionReader::BlockUse FunctionReader::blockAt(const Instruction& i, size_t first) {
  const uint32_t id = i.operand(first);
  const Function& function = module_.function(id);
  require(function.hasBody && function.type->parts[0]->op == Op::TypeVoid, "enqueues the function ",
          id, ", which has a result or no body");
  const std::span<const Type* const> parameters = std::span(function.type->parts).subspan(1);
  require(!parameters.empty() && parameters[0]->isPointer() &&
              (parameters[0]->storage == Storage::Generic ||
               parameters[0]->storage == Storage::Function),
          "enqueues the function ", id,
          ", whose first parameter is no pointer to generic or private memory");
  for (const Type* local : parameters.subspan(1))
    require(local->isPointer() && local->storage == Storage::Workgroup, "enqueues the function ",
            id, ", which has a parameter that is no pointer to local memory");
  const Value literal = operand(i, first + 1);
  const uint64_t bytes = constant(i.operand(first + 2), "parameter size");
  const uint64_t alignment = constant(i.operand(first + 3), "parameter alignment");
  require(bytes <= UINT32_MAX, "has the parameter size ", bytes);
  require(llvm::isPowerOf2_64(alignment) && alignment <= largestAlignment,
          "has the parameter alignment ", alignment);
  return {module_.blocks().use(id, bytes, llvm::Align(alignment), module_.context()),
          genericPointer(literal), static_cast<uint32_t>(bytes), parameters.size() - 1};
}

void FunctionReader::readEnqueueKernel(const Instruction& i) {
  enum : size_t { Queue, Flags, NdRange, EventCount, Waits, Event, Invoke, LocalSizes = 10 };
  const BlockUse block = blockAt(i, Invoke);
  const size_t count = i.operands.size() - LocalSizes;
  require(count == block.localCount, "gives ", count, " local sizes to a function with ",
          block.localCount, " pointers to local memory");
  // With -g, programs are told what was wrong.
  llvm::Value* flags = number32(i, Flags);
  if (module_.options().debugInfo)
    flags = builder_.CreateOr(flags, enqueueTellsErrors);
  define(i, callSymbol(builder_, enqueueOfBytes, builder_.getInt32Ty(),
                       {opaque(i, Queue, Op::TypeQueue).value, flags, rangeAddress(i, NdRange),
                        number32(i, EventCount), genericPointer(operand(i, Waits)),
                        genericPointer(operand(i, Event)), block.id, block.literal,
                        builder_.getInt32(block.literalBytes),
                        builder_.getInt32(static_cast<uint32_t>(count)), localSizes(i, LocalSizes)},
                       Effects::Any));
}

/// LLVM's translator to SPIR-V gives the addresses of the sizes, against the specification.
llvm::Value* FunctionReader::localSizes(const Instruction& i, size_t first) {
  const size_t count = i.operands.size() - first;
  if (count == 0)
    return llvm::ConstantPointerNull::get(builder_.getPtrTy());
  llvm::Type* size = builder_.getInt64Ty();
  llvm::AllocaInst* sizes = makeVariable(llvm::ArrayType::get(size, count));
  for (size_t k = 0; k < count; ++k) {
    const Value given = operand(i, first + k);
    llvm::Value* bytes = given.value;
    if (given.type && given.type->isPointer())
      bytes = builder_.CreateLoad(size, given.value);
    else
      requireInteger(given);
    require(!bytes->getType()->isVectorTy(), "has a local size that is a vector");
    builder_.CreateStore(builder_.CreateZExtOrTrunc(bytes, size),
                         builder_.CreateConstInBoundsGEP1_64(size, sizes, k));
  }
  return sizes;
}

bool FunctionReader::readKernelQuery(const Instruction& i) {
  const llvm::StringRef function = kernelQueryOf(i.op);
  if (function.empty())
    return false;
  llvm::SmallVector<llvm::Value*> arguments;
  const bool hasRange =
      i.op == Op::GetKernelNDrangeSubGroupCount || i.op == Op::GetKernelNDrangeMaxSubGroupSize;
  const bool hasCount = i.op == Op::GetKernelLocalSizeForSubgroupCount;
  if (hasRange)
    arguments.push_back(rangeAddress(i, 0));
  if (hasCount)
    arguments.push_back(number32(i, 0));
  const BlockUse block = blockAt(i, hasRange || hasCount ? 1 : 0);
  arguments.append({block.id, block.literal});
  define(i, callSymbol(builder_, function, builder_.getInt32Ty(), arguments, Effects::Any));
  return true;
}

/// ndrange_t of OpenCL C, of which OpBuildNDRange's result has the members.
llvm::StructType* FunctionReader::rangeType() {
  llvm::Type* sizes = llvm::ArrayType::get(builder_.getInt64Ty(), 3);
  return llvm::StructType::get(module_.context(), {builder_.getInt32Ty(), sizes, sizes, sizes});
}

/// The library takes ranges by the address of a private copy.
llvm::Value* FunctionReader::rangeAddress(const Instruction& i, size_t index) {
  const Value range = operand(i, index);
  llvm::Value* content = range.value;
  if (range.type && range.type->isPointer())
    content = builder_.CreateLoad(rangeType(), range.value);
  require(content->getType() == rangeType(), "has an operand that is no range of work-items");
  llvm::AllocaInst* copy = makeVariable(rangeType());
  builder_.CreateStore(content, copy);
  return copy;
}

llvm::Value* FunctionReader::buildRange(const Instruction& i) {
  enum : size_t { GlobalSize, LocalSize, GlobalOffset };
  enum : unsigned { Dimensions, OffsetMember, GlobalMember, LocalMember };
  require(resultType(i).llvm == rangeType(), "has a result type that is no range of work-items");
  const Value global = operand(i, GlobalSize);
  const auto* array = llvm::dyn_cast<llvm::ArrayType>(global.value->getType());
  const uint64_t dimensions = array ? array->getNumElements() : 1;
  require(dimensions <= 3, "has ", dimensions, " dimensions");
  const auto part = [&](const Value& from, unsigned k) {
    require(from.value->getType() == global.value->getType(), "has operands of different types");
    llvm::Value* number = array ? builder_.CreateExtractValue(from.value, k) : from.value;
    require(number->getType()->isIntegerTy(64), "has sizes that are not of 64 bits");
    return number;
  };
  llvm::Value* range =
      builder_.CreateInsertValue(llvm::Constant::getNullValue(rangeType()),
                                 builder_.getInt32(static_cast<uint32_t>(dimensions)), Dimensions);
  const Value local = operand(i, LocalSize);
  const Value offset = operand(i, GlobalOffset);
  // A local size of zeros asks for any.
  llvm::Value* localRest =
      builder_.CreateZExt(builder_.CreateIsNotNull(part(local, 0)), builder_.getInt64Ty());
  for (unsigned k = 0; k < 3; ++k) {
    const bool isGiven = k < dimensions;
    const auto insert = [&](unsigned member, llvm::Value* value) {
      range = builder_.CreateInsertValue(range, value, {member, k});
    };
    insert(OffsetMember, isGiven ? part(offset, k) : builder_.getInt64(0));
    insert(GlobalMember, isGiven ? part(global, k) : builder_.getInt64(1));
    insert(LocalMember, isGiven ? part(local, k) : localRest);
  }
  return range;
}

Value FunctionReader::opaque(const Instruction& i, size_t index, Op type) {
  const Value given = operand(i, index);
  require(given.type && given.type->op == type, "has the operand ", index,
          ", which is not of the type ", quern::spirv::nameOf(type));
  return given;
}

llvm::Value* FunctionReader::number32(const Instruction& i, size_t index) {
  const Value given = operand(i, index);
  requireInteger(given);
  require(given.type->isInteger(), "has an operand that is a vector instead of a number");
  return builder_.CreateZExtOrTrunc(given.value, builder_.getInt32Ty());
}

/// Null stays null, whatever an address space has for it.
llvm::Value* FunctionReader::genericPointer(const Value& pointer) {
  require(pointer.type && pointer.type->isPointer(), "has an operand that is no pointer");
  auto* generic = llvm::PointerType::get(module_.context(), addressSpaceOf(Storage::Generic));
  if (llvm::isa<llvm::ConstantPointerNull>(pointer.value))
    return llvm::ConstantPointerNull::get(generic);
  return builder_.CreateAddrSpaceCast(pointer.value, generic);
}

} // namespace quern::compiler::spirv
