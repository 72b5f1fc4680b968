// Arithmetic, comparisons, logical and bit instructions (SPIR-V 1.6, 3.52.13 to 3.52.15).
#include <llvm/IR/MDBuilder.h>

#include "compiler/spirv/failure.h"
#include "compiler/spirv/function_reader.h"

namespace quern::compiler::spirv {
namespace {

using Operation = llvm::Instruction::BinaryOps;
using Predicate = llvm::CmpInst::Predicate;

enum class Of { Integers, Floats, Booleans };

struct Binary {
  Operation operation;
  Of operands;
};

std::optional<Binary> binaryOf(Op op) {
  switch (op) {
  case Op::IAdd:
    return Binary{Operation::Add, Of::Integers};
  case Op::ISub:
    return Binary{Operation::Sub, Of::Integers};
  case Op::IMul:
    return Binary{Operation::Mul, Of::Integers};
  case Op::UDiv:
    return Binary{Operation::UDiv, Of::Integers};
  case Op::SDiv:
    return Binary{Operation::SDiv, Of::Integers};
  case Op::UMod:
    return Binary{Operation::URem, Of::Integers};
  case Op::SRem:
    return Binary{Operation::SRem, Of::Integers};
  case Op::ShiftLeftLogical:
    return Binary{Operation::Shl, Of::Integers};
  case Op::ShiftRightLogical:
    return Binary{Operation::LShr, Of::Integers};
  case Op::ShiftRightArithmetic:
    return Binary{Operation::AShr, Of::Integers};
  case Op::BitwiseAnd:
    return Binary{Operation::And, Of::Integers};
  case Op::BitwiseOr:
    return Binary{Operation::Or, Of::Integers};
  case Op::BitwiseXor:
    return Binary{Operation::Xor, Of::Integers};
  case Op::LogicalAnd:
    return Binary{Operation::And, Of::Booleans};
  case Op::LogicalOr:
    return Binary{Operation::Or, Of::Booleans};
  case Op::LogicalNotEqual:
    return Binary{Operation::Xor, Of::Booleans};
  case Op::FAdd:
    return Binary{Operation::FAdd, Of::Floats};
  case Op::FSub:
    return Binary{Operation::FSub, Of::Floats};
  case Op::FMul:
    return Binary{Operation::FMul, Of::Floats};
  case Op::FDiv:
    return Binary{Operation::FDiv, Of::Floats};
  default:
    return std::nullopt;
  }
}

std::optional<Predicate> predicateOf(Op op) {
  switch (op) {
  case Op::IEqual:
    return Predicate::ICMP_EQ;
  case Op::INotEqual:
    return Predicate::ICMP_NE;
  case Op::UGreaterThan:
    return Predicate::ICMP_UGT;
  case Op::SGreaterThan:
    return Predicate::ICMP_SGT;
  case Op::UGreaterThanEqual:
    return Predicate::ICMP_UGE;
  case Op::SGreaterThanEqual:
    return Predicate::ICMP_SGE;
  case Op::ULessThan:
    return Predicate::ICMP_ULT;
  case Op::SLessThan:
    return Predicate::ICMP_SLT;
  case Op::ULessThanEqual:
    return Predicate::ICMP_ULE;
  case Op::SLessThanEqual:
    return Predicate::ICMP_SLE;
  case Op::FOrdEqual:
    return Predicate::FCMP_OEQ;
  case Op::FUnordEqual:
    return Predicate::FCMP_UEQ;
  case Op::FOrdNotEqual:
  case Op::LessOrGreater:
    return Predicate::FCMP_ONE;
  case Op::FUnordNotEqual:
    return Predicate::FCMP_UNE;
  case Op::FOrdLessThan:
    return Predicate::FCMP_OLT;
  case Op::FUnordLessThan:
    return Predicate::FCMP_ULT;
  case Op::FOrdGreaterThan:
    return Predicate::FCMP_OGT;
  case Op::FUnordGreaterThan:
    return Predicate::FCMP_UGT;
  case Op::FOrdLessThanEqual:
    return Predicate::FCMP_OLE;
  case Op::FUnordLessThanEqual:
    return Predicate::FCMP_ULE;
  case Op::FOrdGreaterThanEqual:
    return Predicate::FCMP_OGE;
  case Op::FUnordGreaterThanEqual:
    return Predicate::FCMP_UGE;
  case Op::Ordered:
    return Predicate::FCMP_ORD;
  case Op::Unordered:
    return Predicate::FCMP_UNO;
  default:
    return std::nullopt;
  }
}

/// Of quotients of float, as Clang says it (OpenCL C 3.0, 7.4 "Relative Error as ULPs").
constexpr float divisionError = 2.5f;

} // namespace

bool FunctionReader::readArithmetic(const Instruction& i) {
  if (readBinary(i) || readComparison(i) || readFloatTest(i) || readBits(i) || readDotProduct(i))
    return true;
  switch (i.op) {
  case Op::SNegate:
    requireInteger(operand(i, 0));
    define(i, builder_.CreateNeg(operand(i, 0).value));
    return true;
  case Op::FNegate: {
    requireFloat(operand(i, 0));
    define(i, builder_.CreateFNegFMF(operand(i, 0).value, fastMath(i)));
    return true;
  }
  case Op::SMod: {
    // The result has the sign of the divisor.
    const Value a = operand(i, 0);
    const Value b = operand(i, 1);
    requireInteger(a);
    requireSame(a, b);
    llvm::Value* rest = builder_.CreateSRem(a.value, b.value);
    llvm::Value* differs = builder_.CreateICmpSLT(builder_.CreateXor(rest, b.value),
                                                  llvm::Constant::getNullValue(rest->getType()));
    llvm::Value* adds = builder_.CreateAnd(differs, builder_.CreateIsNotNull(rest));
    define(i, builder_.CreateSelect(adds, builder_.CreateAdd(rest, b.value), rest));
    return true;
  }
  case Op::FRem:
  case Op::FMod:
    define(i, floatRemainder(i));
    return true;
  case Op::VectorTimesScalar: {
    const Value vector = operand(i, 0);
    const Value scalar = operand(i, 1);
    requireFloat(vector);
    require(vector.type->op == Op::TypeVector &&
                scalar.value->getType() == vector.type->scalar().llvm,
            "has operands that are no vector and a scalar like its components");
    llvm::Value* splat = builder_.CreateVectorSplat(vector.type->components(), scalar.value);
    define(i, builder_.CreateFMulFMF(vector.value, splat, fastMath(i)));
    return true;
  }
  case Op::IAddCarry:
  case Op::ISubBorrow:
    define(i, withCarry(i));
    return true;
  case Op::UMulExtended:
  case Op::SMulExtended:
    define(i, wideProduct(i));
    return true;
  case Op::FmaKHR: {
    const Value a = operand(i, 0);
    requireFloat(a);
    requireSame(a, operand(i, 1));
    requireSame(a, operand(i, 2));
    define(i, call("fma", a.type->llvm, {asIs(a), asIs(operand(i, 1)), asIs(operand(i, 2))},
                   Effects::None));
    return true;
  }
  case Op::LogicalNot: {
    require(operand(i, 0).value->getType()->getScalarType()->isIntegerTy(1),
            "has an operand that is not Boolean");
    define(i, builder_.CreateNot(operand(i, 0).value));
    return true;
  }
  case Op::LogicalEqual: {
    requireSame(operand(i, 0), operand(i, 1));
    require(operand(i, 0).value->getType()->getScalarType()->isIntegerTy(1),
            "has operands that are not Boolean");
    define(i, builder_.CreateICmpEQ(operand(i, 0).value, operand(i, 1).value));
    return true;
  }
  case Op::Any:
  case Op::All:
    define(i, anyOrAll(i));
    return true;
  case Op::Select: {
    const Value condition = operand(i, 0);
    const Value a = operand(i, 1);
    const Value b = operand(i, 2);
    requireSame(a, b);
    const auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(condition.value->getType());
    const auto* chosen = llvm::dyn_cast<llvm::FixedVectorType>(a.value->getType());
    require(condition.value->getType()->getScalarType()->isIntegerTy(1) &&
                (!vector || (chosen && chosen->getNumElements() == vector->getNumElements())),
            "has a condition that is not Boolean or has not the shape of what it chooses from");
    define(i, builder_.CreateSelect(condition.value, a.value, b.value));
    return true;
  }
  default:
    return false;
  }
}

bool FunctionReader::readBinary(const Instruction& i) {
  const std::optional<Binary> binary = binaryOf(i.op);
  if (!binary)
    return false;
  const Value a = operand(i, 0);
  Value b = operand(i, 1);
  const bool isShift = llvm::Instruction::isShift(binary->operation);
  if (binary->operands == Of::Integers) {
    requireInteger(a);
    requireInteger(b);
    // The width of what is shifted and of the count may differ.
    if (isShift && a.type->components() == b.type->components())
      b.value = builder_.CreateZExtOrTrunc(b.value, a.value->getType());
  } else if (binary->operands == Of::Floats) {
    requireFloat(a);
  } else {
    require(a.value->getType()->getScalarType()->isIntegerTy(1),
            "has operands that are not Boolean");
  }
  requireSame(a, b);
  llvm::Value* result = builder_.CreateBinOp(binary->operation, a.value, b.value);
  if (auto* instruction = llvm::dyn_cast<llvm::BinaryOperator>(result)) {
    if (binary->operands == Of::Floats)
      instruction->setFastMathFlags(fastMath(i));
    if (llvm::isa<llvm::OverflowingBinaryOperator>(instruction)) {
      instruction->setHasNoSignedWrap(
          module_.decorations().has(i.result, Decoration::NoSignedWrap));
      instruction->setHasNoUnsignedWrap(
          module_.decorations().has(i.result, Decoration::NoUnsignedWrap));
    }
    if (i.op == Op::FDiv && result->getType()->getScalarType()->isFloatTy() &&
        !module_.options().correctlyRoundedDivideSqrt)
      instruction->setMetadata(llvm::LLVMContext::MD_fpmath,
                               llvm::MDBuilder(module_.context()).createFPMath(divisionError));
  }
  define(i, result);
  return true;
}

bool FunctionReader::readComparison(const Instruction& i) {
  const std::optional<Predicate> predicate = predicateOf(i.op);
  if (!predicate)
    return false;
  const Value a = operand(i, 0);
  const Value b = operand(i, 1);
  requireSame(a, b);
  if (llvm::CmpInst::isFPPredicate(*predicate))
    requireFloat(a);
  else if (!(a.type && a.type->isPointer()))
    requireInteger(a);
  define(i, builder_.CreateCmp(*predicate, a.value, b.value));
  return true;
}

/// A comparison of what is left of the number without its sign, which no option of the program
/// takes away.
bool FunctionReader::readFloatTest(const Instruction& i) {
  if (i.op != Op::IsNan && i.op != Op::IsInf && i.op != Op::IsFinite && i.op != Op::IsNormal &&
      i.op != Op::SignBitSet)
    return false;
  const Value x = operand(i, 0);
  requireFloat(x);
  llvm::Type* type = x.value->getType();
  const llvm::fltSemantics& semantics = type->getScalarType()->getFltSemantics();
  const unsigned bits = type->getScalarSizeInBits();
  llvm::Type* integers = type->getWithNewType(builder_.getIntNTy(bits));
  llvm::Value* word = builder_.CreateBitCast(x.value, integers);
  if (i.op == Op::SignBitSet) {
    define(i, builder_.CreateICmpSLT(word, llvm::Constant::getNullValue(integers)));
    return true;
  }
  llvm::Value* magnitude = builder_.CreateAnd(
      word, llvm::ConstantInt::get(integers, llvm::APInt::getSignedMaxValue(bits)));
  const auto bitsOf = [&](const llvm::APFloat& number) {
    return llvm::ConstantInt::get(integers, number.bitcastToAPInt());
  };
  llvm::Constant* infinity = bitsOf(llvm::APFloat::getInf(semantics));
  if (i.op == Op::IsNan)
    define(i, builder_.CreateICmpUGT(magnitude, infinity));
  else if (i.op == Op::IsInf)
    define(i, builder_.CreateICmpEQ(magnitude, infinity));
  else if (i.op == Op::IsFinite)
    define(i, builder_.CreateICmpULT(magnitude, infinity));
  else
    define(i, builder_.CreateAnd(
                  builder_.CreateICmpUGE(magnitude,
                                         bitsOf(llvm::APFloat::getSmallestNormalized(semantics))),
                  builder_.CreateICmpULT(magnitude, infinity)));
  return true;
}

bool FunctionReader::readBits(const Instruction& i) {
  switch (i.op) {
  case Op::Not:
    requireInteger(operand(i, 0));
    define(i, builder_.CreateNot(operand(i, 0).value));
    return true;
  case Op::BitReverse:
    requireInteger(operand(i, 0));
    define(i, builder_.CreateUnaryIntrinsic(llvm::Intrinsic::bitreverse, operand(i, 0).value));
    return true;
  case Op::BitCount: {
    const Value x = operand(i, 0);
    requireInteger(x);
    const Type& result = resultType(i);
    require(result.scalar().isInteger() && result.components() == x.type->components(),
            "has a result type that has not the shape of its operand");
    define(i, builder_.CreateZExtOrTrunc(
                  builder_.CreateUnaryIntrinsic(llvm::Intrinsic::ctpop, x.value), result.llvm));
    return true;
  }
  case Op::BitFieldInsert:
  case Op::BitFieldSExtract:
  case Op::BitFieldUExtract: {
    llvm::SmallVector<Argument> arguments;
    const size_t values = i.op == Op::BitFieldInsert ? 2 : 1;
    for (size_t k = 0; k < i.operands.size(); ++k) {
      Value x = operand(i, k);
      requireInteger(x);
      if (k >= values) {
        const Type& unsignedInt = module_.types().integer(32);
        require(x.type->op == Op::TypeInt, "has an offset or a count that is no whole number");
        x = {&unsignedInt, builder_.CreateZExtOrTrunc(x.value, unsignedInt.llvm)};
      }
      arguments.push_back(k >= values ? asUnsigned(x) : asIs(x));
    }
    const llvm::StringRef name = i.op == Op::BitFieldInsert     ? "bitfield_insert"
                                 : i.op == Op::BitFieldSExtract ? "bitfield_extract_signed"
                                                                : "bitfield_extract_unsigned";
    define(i, call(name, arguments[0].value->getType(), arguments, Effects::None));
    return true;
  }
  default:
    return false;
  }
}

bool FunctionReader::readDotProduct(const Instruction& i) {
  if (i.op == Op::Dot) {
    const Value a = operand(i, 0);
    const Value b = operand(i, 1);
    requireFloat(a);
    requireSame(a, b);
    llvm::Value* sum = nullptr;
    for (unsigned k = 0; k < a.type->components(); ++k) {
      const auto part = [&](const Value& x) {
        return x.type->op == Op::TypeVector ? builder_.CreateExtractElement(x.value, k) : x.value;
      };
      llvm::Value* product = builder_.CreateFMulFMF(part(a), part(b), fastMath(i));
      sum = sum ? builder_.CreateFAddFMF(sum, product, fastMath(i)) : product;
    }
    define(i, sum);
    return true;
  }
  const bool accumulates =
      i.op == Op::SDotAccSat || i.op == Op::UDotAccSat || i.op == Op::SUDotAccSat;
  if (!accumulates && i.op != Op::SDot && i.op != Op::UDot && i.op != Op::SUDot)
    return false;
  const bool isUnsigned = i.op == Op::UDot || i.op == Op::UDotAccSat;
  const bool isMixed = i.op == Op::SUDot || i.op == Op::SUDotAccSat;
  const Type& result = resultType(i);
  require(result.isInteger(), "has a result type that is no whole number");
  // A format of packed vectors stands behind operands that are scalars.
  const auto vectorOf = [&](size_t index, bool extendsUnsigned) {
    Value x = operand(i, index);
    requireInteger(x);
    if (x.type->op != Op::TypeVector) {
      require(x.value->getType()->isIntegerTy(32), "has a packed vector that is not of 32 bits");
      x.value =
          builder_.CreateBitCast(x.value, llvm::FixedVectorType::get(builder_.getInt8Ty(), 4));
    }
    auto* wide = x.value->getType()->getWithNewType(result.llvm);
    return extendsUnsigned ? builder_.CreateZExtOrTrunc(x.value, wide)
                           : builder_.CreateSExtOrTrunc(x.value, wide);
  };
  llvm::Value* a = vectorOf(0, isUnsigned);
  llvm::Value* b = vectorOf(1, isUnsigned || isMixed);
  require(a->getType() == b->getType(), "has operands of different types");
  llvm::Value* products = builder_.CreateMul(a, b);
  const unsigned components =
      llvm::cast<llvm::FixedVectorType>(products->getType())->getNumElements();
  llvm::Value* sum = builder_.CreateExtractElement(products, uint64_t{0});
  for (unsigned k = 1; k < components; ++k)
    sum = builder_.CreateAdd(sum, builder_.CreateExtractElement(products, k));
  if (accumulates) {
    require(operand(i, 2).value->getType() == result.llvm,
            "has an accumulator that is not of the result's type");
    sum = builder_.CreateBinaryIntrinsic(isUnsigned ? llvm::Intrinsic::uadd_sat
                                                    : llvm::Intrinsic::sadd_sat,
                                         sum, operand(i, 2).value);
  }
  define(i, sum);
  return true;
}

/// fmod, or for OpFMod what has the sign of the divisor.
llvm::Value* FunctionReader::floatRemainder(const Instruction& i) {
  const Value a = operand(i, 0);
  const Value b = operand(i, 1);
  requireFloat(a);
  requireSame(a, b);
  llvm::Value* rest = call("fmod", a.type->llvm, {asIs(a), asIs(b)}, Effects::None);
  if (i.op == Op::FRem)
    return rest;
  llvm::Constant* zero = llvm::Constant::getNullValue(a.type->llvm);
  llvm::Value* differs =
      builder_.CreateXor(builder_.CreateFCmpOLT(rest, zero), builder_.CreateFCmpOLT(b.value, zero));
  llvm::Value* adds = builder_.CreateAnd(differs, builder_.CreateFCmpONE(rest, zero));
  return builder_.CreateSelect(adds, builder_.CreateFAdd(rest, b.value), rest);
}

/// The low and the high half of a product of twice the width.
llvm::Value* FunctionReader::wideProduct(const Instruction& i) {
  const Value a = operand(i, 0);
  const Value b = operand(i, 1);
  requireInteger(a);
  requireSame(a, b);
  llvm::Type* type = a.value->getType();
  const unsigned bits = type->getScalarSizeInBits();
  llvm::Type* wide = type->getWithNewType(builder_.getIntNTy(2 * bits));
  const auto extended = [&](llvm::Value* x) {
    return i.op == Op::SMulExtended ? builder_.CreateSExt(x, wide) : builder_.CreateZExt(x, wide);
  };
  llvm::Value* product = builder_.CreateMul(extended(a.value), extended(b.value));
  llvm::Value* high = builder_.CreateTrunc(builder_.CreateLShr(product, bits), type);
  llvm::Type* pair = llvm::StructType::get(type, type);
  llvm::Value* result = builder_.CreateInsertValue(llvm::PoisonValue::get(pair),
                                                   builder_.CreateTrunc(product, type), 0);
  return builder_.CreateInsertValue(result, high, 1);
}

llvm::Value* FunctionReader::withCarry(const Instruction& i) {
  const Value a = operand(i, 0);
  const Value b = operand(i, 1);
  requireInteger(a);
  requireSame(a, b);
  const bool adds = i.op == Op::IAddCarry;
  llvm::Value* low =
      adds ? builder_.CreateAdd(a.value, b.value) : builder_.CreateSub(a.value, b.value);
  llvm::Value* carry =
      adds ? builder_.CreateICmpULT(low, a.value) : builder_.CreateICmpULT(a.value, b.value);
  llvm::Type* pair = llvm::StructType::get(low->getType(), low->getType());
  llvm::Value* result = builder_.CreateInsertValue(llvm::PoisonValue::get(pair), low, 0);
  return builder_.CreateInsertValue(result, builder_.CreateZExt(carry, low->getType()), 1);
}

llvm::Value* FunctionReader::anyOrAll(const Instruction& i) {
  Value x = operand(i, 0);
  require(x.type && (x.type->scalar().isInteger() ||
                     (x.type->op == Op::TypeVector && x.type->scalar().op == Op::TypeBool)),
          "has an operand that is no Boolean vector");
  // LLVM's back end leaves OpenCL C's any and all of integers as they are, which ask for signs, of
  // scalars, too.
  if (x.type->scalar().isInteger())
    x.value = builder_.CreateICmpSLT(x.value, llvm::Constant::getNullValue(x.type->llvm));
  if (x.type->op != Op::TypeVector)
    return x.value;
  llvm::Value* result = builder_.CreateExtractElement(x.value, uint64_t{0});
  for (unsigned k = 1; k < x.type->components(); ++k) {
    llvm::Value* next = builder_.CreateExtractElement(x.value, k);
    result = i.op == Op::Any ? builder_.CreateOr(result, next) : builder_.CreateAnd(result, next);
  }
  return result;
}

} // namespace quern::compiler::spirv
