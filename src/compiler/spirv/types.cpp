#include "compiler/spirv/types.h"

#include <algorithm>

#include "base/sentence.h"
#include "compiler/il/address_space.h"
#include "compiler/spirv/failure.h"

namespace quern::compiler::spirv {
namespace {

/// 2.17 "Universal Limits".
constexpr unsigned deepestNesting = 255;
/// More than any memory, and small enough to be counted.
constexpr uint64_t largestType = uint64_t{1} << 40;

[[noreturn]] void fail(std::string rule) {
  throw RuleBroken{std::move(rule)};
}

void checkNumber(uint32_t value, std::initializer_list<uint32_t> allowed, std::string_view what) {
  if (std::ranges::find(allowed, value) == allowed.end())
    fail(sentence("has the ", what, " ", value, ", which kernels do not have"));
}

} // namespace

unsigned addressSpaceOf(Storage storage) {
  switch (storage) {
  case Storage::UniformConstant:
    return address_space::constant;
  case Storage::Input:
  case Storage::Function:
    return address_space::privateMemory;
  case Storage::Workgroup:
    return address_space::local;
  case Storage::CrossWorkgroup:
  case Storage::CodeSectionINTEL: // only compared and passed on
    return address_space::global;
  case Storage::Generic:
    return address_space::generic;
  }
  fail(sentence("names the storage class ", static_cast<uint32_t>(storage),
                ", which kernels do not have"));
}

llvm::FunctionType* functionTypeOf(const Type& type) {
  llvm::SmallVector<llvm::Type*> parameters;
  for (const Type* part : llvm::drop_begin(type.parts))
    parameters.push_back(part->llvm);
  return llvm::FunctionType::get(type.parts[0]->llvm, parameters, false);
}

bool Types::isTypeInstruction(Op op) {
  switch (op) {
  case Op::TypeVoid:
  case Op::TypeBool:
  case Op::TypeInt:
  case Op::TypeFloat:
  case Op::TypeVector:
  case Op::TypeImage:
  case Op::TypeSampler:
  case Op::TypeSampledImage:
  case Op::TypeArray:
  case Op::TypeStruct:
  case Op::TypeOpaque:
  case Op::TypePointer:
  case Op::TypeUntypedPointerKHR:
  case Op::TypeFunction:
  case Op::TypeEvent:
  case Op::TypeDeviceEvent:
  case Op::TypeReserveId:
  case Op::TypeQueue:
  case Op::TypePipe:
  case Op::TypeForwardPointer:
    return true;
  default:
    return false;
  }
}

const Type& Types::get(uint32_t id) const {
  const auto found = types_.find(id);
  if (found == types_.end())
    fail(sentence("names the id ", id, ", which is no type"));
  return *found->second;
}

Type& Types::insert(uint32_t id) {
  std::unique_ptr<Type>& place = types_[id];
  if (!place)
    place = std::make_unique<Type>();
  place->id = id;
  return *place;
}

Type& Types::insertOwn(Op op) {
  own_.push_back(std::make_unique<Type>());
  own_.back()->op = op;
  return *own_.back();
}

const Type& Types::part(uint32_t id) const {
  const Type& type = get(id);
  if (!type.llvm || !type.llvm->isSized() || type.op == Op::TypeVoid)
    fail(sentence("is made of the type ", id, ", which has no size"));
  return type;
}

llvm::Type* Types::opaque(llvm::StringRef name, llvm::ArrayRef<unsigned> numbers) const {
  llvm::SmallVector<llvm::Type*> types;
  if (name == "spirv.Image")
    types.push_back(llvm::Type::getVoidTy(context_));
  return llvm::TargetExtType::get(context_, name, types, numbers);
}

void Types::add(const Instruction& instruction, uint64_t arrayLength, bool isPacked) {
  switch (instruction.op) {
  case Op::TypeForwardPointer: {
    Type& type = insert(instruction.operands[0]);
    type.op = Op::TypePointer;
    type.storage = static_cast<Storage>(instruction.operands[1]);
    type.llvm = llvm::PointerType::get(context_, addressSpaceOf(type.storage));
    return;
  }
  case Op::TypePointer:
    return addPointer(instruction);
  case Op::TypeUntypedPointerKHR: {
    Type& type = insert(instruction.result);
    type.op = Op::TypePointer;
    type.storage = static_cast<Storage>(instruction.operands[0]);
    type.llvm = llvm::PointerType::get(context_, addressSpaceOf(type.storage));
    return;
  }
  case Op::TypeVector:
  case Op::TypeArray:
  case Op::TypeStruct:
    return addComposite(instruction, arrayLength, isPacked);
  default:
    break;
  }
  Type& type = insert(instruction.result);
  type.op = instruction.op;
  const uint32_t width = instruction.operand(0);
  switch (instruction.op) {
  case Op::TypeVoid:
    type.llvm = llvm::Type::getVoidTy(context_);
    return;
  case Op::TypeBool:
    type.llvm = llvm::Type::getInt1Ty(context_);
    return;
  case Op::TypeInt:
    checkNumber(width, {8, 16, 32, 64}, "width");
    type.llvm = llvm::Type::getIntNTy(context_, width);
    return;
  case Op::TypeFloat:
    checkNumber(width, {16, 32, 64}, "width");
    if (instruction.operands.size() > 1)
      fail("has an encoding that is not known");
    type.llvm = width == 16   ? llvm::Type::getHalfTy(context_)
                : width == 32 ? llvm::Type::getFloatTy(context_)
                              : llvm::Type::getDoubleTy(context_);
    return;
  case Op::TypeFunction: {
    for (const uint32_t id : instruction.operands)
      type.parts.push_back(&get(id));
    for (const Type* part : type.parts)
      if (!part->llvm || (part != type.parts[0] && part->op == Op::TypeVoid))
        fail(sentence("has the type ", part->id, ", which cannot be passed"));
    return;
  }
  default:
    return addOpaque(instruction);
  }
}

void Types::addPointer(const Instruction& instruction) {
  const auto storage = static_cast<Storage>(instruction.operands[0]);
  const Type& pointee = get(instruction.operands[1]);
  Type& type = insert(instruction.result);
  if (type.op == Op::TypePointer && type.storage != storage)
    fail("has another storage class than its OpTypeForwardPointer");
  type.op = Op::TypePointer;
  type.storage = storage;
  type.llvm = llvm::PointerType::get(context_, addressSpaceOf(storage));
  type.parts = {&pointee};
}

void Types::addComposite(const Instruction& instruction, uint64_t arrayLength, bool isPacked) {
  std::vector<const Type*> parts;
  const size_t count = instruction.op == Op::TypeStruct ? instruction.operands.size() : 1;
  uint64_t bytes = 0;
  unsigned depth = 0;
  llvm::SmallVector<llvm::Type*> members;
  for (const uint32_t id : instruction.operands.first(count)) {
    const Type& member = part(id);
    parts.push_back(&member);
    members.push_back(member.llvm);
    depth = std::max(depth, member.depth + 1);
    bytes += layout_.getTypeAllocSize(member.llvm).getKnownMinValue();
  }
  if (depth > deepestNesting)
    fail(sentence("nests more than ", deepestNesting, " types"));
  if (instruction.op == Op::TypeArray && arrayLength == 0)
    fail("has no elements");
  const uint64_t elements = instruction.op == Op::TypeArray ? arrayLength : 1;
  if (bytes > largestType || (bytes != 0 && elements > largestType / bytes))
    fail(sentence("has more than ", largestType, " bytes"));
  Type& type = insert(instruction.result);
  type.op = instruction.op;
  type.parts = std::move(parts);
  type.depth = depth;
  if (instruction.op == Op::TypeStruct) {
    type.llvm = llvm::StructType::get(context_, members, isPacked);
    return;
  }
  if (instruction.op == Op::TypeArray) {
    type.llvm = llvm::ArrayType::get(members[0], arrayLength);
    return;
  }
  const Op component = type.parts[0]->op;
  if (component != Op::TypeInt && component != Op::TypeFloat && component != Op::TypeBool &&
      component != Op::TypePointer)
    fail("has components that are no scalars");
  checkNumber(instruction.operands[1], {2, 3, 4, 8, 16}, "number of components");
  type.llvm = llvm::FixedVectorType::get(members[0], instruction.operands[1]);
}

void Types::addOpaque(const Instruction& instruction) {
  Type& type = insert(instruction.result);
  type.op = instruction.op;
  switch (instruction.op) {
  case Op::TypeImage: {
    enum : unsigned { Sampled, Dim, Depth, Arrayed, Multisampled, SampledWith, Format, Qualifier };
    if (get(instruction.operands[Sampled]).op != Op::TypeVoid)
      fail("has a sampled type that is not void");
    checkNumber(instruction.operands[Dim], {0, 1, 2, 5}, "dimensionality");
    checkNumber(instruction.operands[Depth], {0, 1, 2}, "depth");
    checkNumber(instruction.operands[Arrayed], {0, 1}, "arrayed flag");
    checkNumber(instruction.operands[Multisampled], {0, 1}, "multisampled flag");
    checkNumber(instruction.operand(Qualifier), {0, 1, 2}, "access qualifier");
    type.dimensions = static_cast<Dimensions>(instruction.operands[Dim]);
    type.isDepth = instruction.operands[Depth] == 1;
    type.isArrayed = instruction.operands[Arrayed] == 1;
    type.isMultisampled = instruction.operands[Multisampled] == 1;
    if (type.isMultisampled && type.dimensions != Dimensions::Two)
      fail("is multisampled, but not of two dimensions");
    type.access = static_cast<Access>(instruction.operand(Qualifier));
    type.llvm = opaque("spirv.Image", {instruction.operands[Dim], type.isDepth, type.isArrayed,
                                       type.isMultisampled, 0, 0, instruction.operand(Qualifier)});
    return;
  }
  case Op::TypeSampledImage:
    type.parts = {&get(instruction.operands[0])};
    if (type.parts[0]->op != Op::TypeImage)
      fail("is not made of an image type");
    return;
  case Op::TypePipe:
    checkNumber(instruction.operands[0], {0, 1}, "access qualifier");
    type.access = static_cast<Access>(instruction.operands[0]);
    type.llvm = opaque("spirv.Pipe", {instruction.operands[0]});
    return;
  case Op::TypeOpaque:
    type.llvm = llvm::StructType::create(context_);
    return;
  case Op::TypeSampler:
    type.llvm = opaque("spirv.Sampler");
    return;
  case Op::TypeEvent:
    type.llvm = opaque("spirv.Event");
    return;
  case Op::TypeDeviceEvent:
    type.llvm = opaque("spirv.DeviceEvent");
    return;
  case Op::TypeReserveId:
    type.llvm = opaque("spirv.ReserveId");
    return;
  case Op::TypeQueue:
    type.llvm = opaque("spirv.Queue");
    return;
  default:
    fail("is a type that kernels do not have");
  }
}

const Type& Types::integer(unsigned bits) {
  for (const auto& type : own_)
    if (type->isInteger() && type->llvm->isIntegerTy(bits))
      return *type;
  Type& type = insertOwn(Op::TypeInt);
  type.llvm = llvm::Type::getIntNTy(context_, bits);
  return type;
}

const Type& Types::half() {
  for (const auto& type : own_)
    if (type->isFloat())
      return *type;
  Type& type = insertOwn(Op::TypeFloat);
  type.llvm = llvm::Type::getHalfTy(context_);
  return type;
}

const Type& Types::event() {
  Type& type = insertOwn(Op::TypeEvent);
  type.llvm = opaque("spirv.Event");
  return type;
}

const Type& Types::vectorOf(const Type& component, unsigned count) {
  if (count == 1)
    return component;
  Type& type = insertOwn(Op::TypeVector);
  type.parts = {&component};
  type.llvm = llvm::FixedVectorType::get(component.llvm, count);
  return type;
}

const Type& Types::pointerTo(const Type& pointee, Storage storage) {
  Type& type = insertOwn(Op::TypePointer);
  type.parts = {&pointee};
  type.storage = storage;
  type.llvm = llvm::PointerType::get(context_, addressSpaceOf(storage));
  return type;
}

} // namespace quern::compiler::spirv
