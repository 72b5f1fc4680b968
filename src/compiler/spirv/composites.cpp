// Vectors, arrays and structures as values (SPIR-V 1.6, 3.52.12).
#include "base/sentence.h"
#include "compiler/spirv/failure.h"
#include "compiler/spirv/function_reader.h"

namespace quern::compiler::spirv {
namespace {

/// The part of a composite type that `index` names.
const Type& partOf(const Type& type, uint64_t index) {
  uint64_t count = 0;
  if (type.op == Op::TypeStruct)
    count = type.parts.size();
  else if (type.op == Op::TypeVector)
    count = type.components();
  else if (type.op == Op::TypeArray)
    count = type.llvm->getArrayNumElements();
  else
    throw RuleBroken{sentence("goes into the type ", type.id, ", which has no parts")};
  if (index >= count)
    throw RuleBroken{
        sentence("names the part ", index, " of the type ", type.id, ", which has ", count)};
  return *type.parts[type.op == Op::TypeStruct ? index : 0];
}

} // namespace

bool FunctionReader::readComposite(const Instruction& i) {
  switch (i.op) {
  case Op::CopyObject:
  case Op::ExpectKHR:
  case Op::ArithmeticFenceEXT:
  case Op::CopyLogical: // types of the same layout are the same in our IR
    define(i, operand(i, 0).value);
    return true;
  case Op::Undef:
    require(resultType(i).llvm && resultType(i).llvm->isSized(), "has a type without values");
    define(i, llvm::UndefValue::get(resultType(i).llvm));
    return true;
  case Op::CompositeConstruct:
    define(i, construct(i));
    return true;
  case Op::CompositeExtract:
    define(i, extract(operand(i, 0), i.operands.subspan(1)));
    return true;
  case Op::CompositeInsert: {
    const Value into = operand(i, 1);
    require(into.type, "has an operand that is no composite");
    define(i, insert(into.value, *into.type, operand(i, 0).value, i.operands.subspan(2)));
    return true;
  }
  case Op::VectorShuffle:
    define(i, shuffle(i));
    return true;
  case Op::VectorExtractDynamic: {
    const Value vector = operand(i, 0);
    requireInteger(operand(i, 1));
    require(vector.value->getType()->isVectorTy() && !operand(i, 1).value->getType()->isVectorTy(),
            "has operands that are no vector and an index");
    define(i, builder_.CreateExtractElement(vector.value, operand(i, 1).value));
    return true;
  }
  case Op::VectorInsertDynamic: {
    const Value vector = operand(i, 0);
    requireInteger(operand(i, 2));
    require(vector.value->getType()->isVectorTy() &&
                operand(i, 1).value->getType() == vector.value->getType()->getScalarType() &&
                !operand(i, 2).value->getType()->isVectorTy(),
            "has operands that are no vector, component and index");
    define(i, builder_.CreateInsertElement(vector.value, operand(i, 1).value, operand(i, 2).value));
    return true;
  }
  default:
    return false;
  }
}

llvm::Value* FunctionReader::construct(const Instruction& i) {
  const Type& type = resultType(i);
  llvm::Value* result = type.llvm ? llvm::PoisonValue::get(type.llvm) : nullptr;
  if (type.op == Op::TypeVector) {
    // Of scalars and of vectors.
    unsigned count = 0;
    for (size_t k = 0; k < i.operands.size(); ++k) {
      const Value part = operand(i, k);
      const auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(part.value->getType());
      require(part.value->getType()->getScalarType() == type.scalar().llvm,
              "has a constituent that is not like the result's components");
      for (unsigned m = 0; m < (vector ? vector->getNumElements() : 1); ++m, ++count) {
        require(count < type.components(), "has too many constituents");
        llvm::Value* element = vector ? builder_.CreateExtractElement(part.value, m) : part.value;
        result = builder_.CreateInsertElement(result, element, count);
      }
    }
    require(count == type.components(), "has too few constituents");
    return result;
  }
  require(type.isComposite(), "has a result type that is no composite");
  const uint64_t count =
      type.op == Op::TypeStruct ? type.parts.size() : type.llvm->getArrayNumElements();
  require(i.operands.size() == count, "has ", i.operands.size(), " constituents for a type of ",
          count);
  for (unsigned k = 0; k < count; ++k) {
    require(operand(i, k).value->getType() == partOf(type, k).llvm,
            "has a constituent of another type than the result's part");
    result = builder_.CreateInsertValue(result, operand(i, k).value, k);
  }
  return result;
}

llvm::Value* FunctionReader::extract(const Value& from, std::span<const uint32_t> path) {
  llvm::Value* value = from.value;
  const Type* type = from.type;
  for (const uint32_t index : path) {
    require(type, "has an operand that is no composite");
    const Type& part = partOf(*type, index);
    value = type->op == Op::TypeVector ? builder_.CreateExtractElement(value, index)
                                       : builder_.CreateExtractValue(value, index);
    type = &part;
  }
  return value;
}

llvm::Value* FunctionReader::insert(llvm::Value* into, const Type& type, llvm::Value* part,
                                    std::span<const uint32_t> path) {
  if (path.empty()) {
    require(part->getType() == type.llvm, "inserts a value of another type than the part's");
    return part;
  }
  const Type& inner = partOf(type, path[0]);
  // A part that is replaced as a whole is not looked at: the program does not read it.
  llvm::Value* old = path.size() > 1 ? extract({&type, into}, path.first(1)) : nullptr;
  llvm::Value* changed = insert(old, inner, part, path.subspan(1));
  return type.op == Op::TypeVector ? builder_.CreateInsertElement(into, changed, path[0])
                                   : builder_.CreateInsertValue(into, changed, path[0]);
}

llvm::Value* FunctionReader::shuffle(const Instruction& i) {
  const Value a = operand(i, 0);
  const Value b = operand(i, 1);
  require(a.type && b.type && a.type->op == Op::TypeVector && b.type->op == Op::TypeVector &&
              a.type->scalar().llvm == b.type->scalar().llvm,
          "has operands that are no vectors of the same components");
  const std::span<const uint32_t> components = i.operands.subspan(2);
  require(!components.empty(), "chooses no components");
  const unsigned first = a.type->components();
  const unsigned second = b.type->components();
  // LLVM shuffles vectors of one length.
  const unsigned length = std::max(first, second);
  const auto widened = [&](const Value& x) {
    llvm::SmallVector<int> mask;
    for (unsigned k = 0; k < length; ++k)
      mask.push_back(k < x.type->components() ? static_cast<int>(k) : -1);
    return x.type->components() == length ? x.value : builder_.CreateShuffleVector(x.value, mask);
  };
  llvm::SmallVector<int> mask;
  for (const uint32_t component : components) {
    constexpr uint32_t undefined = UINT32_MAX;
    require(component == undefined || component < first + second, "names the component ", component,
            " of ", first + second);
    mask.push_back(component == undefined ? -1
                   : component < first    ? static_cast<int>(component)
                                          : static_cast<int>(component - first + length));
  }
  return builder_.CreateShuffleVector(widened(a), widened(b), mask);
}

} // namespace quern::compiler::spirv
