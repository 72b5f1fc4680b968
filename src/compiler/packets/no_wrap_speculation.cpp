#include "compiler/packets/no_wrap_speculation.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/IR/PatternMatch.h>

#include "compiler/il/division.h"

namespace quern::compiler {
namespace {

using namespace llvm::PatternMatch;
using llvm::Value;
using Kind = NoWrapSpeculation::Kind;

/// Shapes "where nothing wraps" of numbers that follow them modulo their types.
class Search {
public:
  explicit Search(const Shapes& shapes) : shapes_(shapes) {}

  std::optional<NoWrapSpeculation> run(const Value* pointer) {
    const Shape shape = shapeOf(pointer);
    if (shape.isVarying() || found_.conditions.empty())
      return std::nullopt;
    found_.stride = shape.stride;
    return found_;
  }

private:
  Shape shapeOf(const Value* value) {
    const Shape shape = shapes_.of(value);
    if (shape.isUniform() || shape.isAffine())
      return shape;
    const auto* instruction = llvm::dyn_cast<llvm::Instruction>(value);
    if (!instruction || shape.isPattern() || depth_ == ShapeLimits::speculation ||
        shapes_.arrays().isInterleaved(value))
      return Shape::varying();
    if (const auto known = known_.find(value); known != known_.end())
      return known->second;
    ++depth_;
    const Shape found = ofInstruction(*instruction);
    --depth_;
    known_[value] = found;
    return found;
  }

  Shape ofInstruction(const llvm::Instruction& instruction) {
    const llvm::Type* type = instruction.getType();
    const bool isNumber = type->isIntegerTy(64) || type->isIntegerTy(32);
    if (!isNumber && !llvm::isa<llvm::GetElementPtrInst>(instruction))
      return Shape::varying();
    switch (instruction.getOpcode()) {
    case llvm::Instruction::ZExt:
    case llvm::Instruction::SExt:
      if (!instruction.getOperand(0)->getType()->isIntegerTy(32))
        return Shape::varying();
      return require(instruction,
                     llvm::isa<llvm::ZExtInst>(instruction) ? Kind::Unsigned : Kind::Signed,
                     shapeOf(instruction.getOperand(0)));
    case llvm::Instruction::And: {
      const Shape part = ofPart(instruction);
      return part.isVarying() ? ofBits(instruction) : part;
    }
    case llvm::Instruction::Or:
    case llvm::Instruction::Xor: {
      const Shape known =
          shapes_.evolved(instruction, [this](const Value* operand) { return shapeOf(operand); });
      return known.isVarying() ? ofBits(instruction) : known;
    }
    case llvm::Instruction::LShr:
    case llvm::Instruction::AShr:
    case llvm::Instruction::UDiv:
    case llvm::Instruction::URem:
    case llvm::Instruction::SDiv:
    case llvm::Instruction::SRem:
      return ofPart(instruction);
    case llvm::Instruction::Call:
      return ofLimited(instruction);
    case llvm::Instruction::PHI:
    case llvm::Instruction::Alloca:
      return Shape::varying();
    default:
      return shapes_.evolved(instruction,
                             [this](const Value* operand) { return shapeOf(operand); });
    }
  }

  /// Notes that an operand of this shape must not wrap. The instruction then has the same.
  Shape require(const llvm::Instruction& instruction, Kind kind, Shape shape) {
    if (!shape.isAffine())
      return shape;
    if (std::abs(shape.stride) > INT16_MAX || found_.conditions.size() == ShapeLimits::tests)
      return Shape::varying();
    found_.conditions.push_back({&instruction, kind, shape.stride});
    return shape;
  }

  /// Of an operation on bits with a number that is the same for all work-items. What a mask is
  /// likely to be is seen by how it is made.
  Shape ofBits(const llvm::Instruction& operation) {
    for (const unsigned operand : {0u, 1u}) {
      const Shape number = shapeOf(operation.getOperand(operand));
      const Value* bits = operation.getOperand(1 - operand);
      if (!number.isAffine() || std::abs(number.stride) > INT16_MAX || !shapeOf(bits).isUniform())
        continue;
      const bool isAnd = operation.getOpcode() == llvm::Instruction::And;
      const Kind kind = isAnd && !endsInZeros(*bits) ? Kind::BitsSet : Kind::BitsClear;
      if (shapes_.width() == 0 || found_.conditions.size() == ShapeLimits::tests ||
          !mayHold(*bits, kind, number.stride))
        return Shape::varying();
      found_.conditions.push_back({&operation, kind, number.stride, operand});
      return isAnd && kind == Kind::BitsClear ? Shape::uniform() : number;
    }
    return Shape::varying();
  }

  /// Whether a mask is one of high bits: a power of two or its multiple, or the complement of what
  /// is not.
  static bool endsInZeros(const Value& bits) {
    const Value* inverted = nullptr;
    if (const auto* constant = llvm::dyn_cast<llvm::ConstantInt>(&bits))
      return !constant->getValue()[0];
    if (match(&bits, m_Not(m_Value(inverted))))
      return !endsInZeros(*inverted);
    return match(&bits, m_Shl(m_Value(), m_Value())) || match(&bits, m_Neg(m_Value()));
  }

  /// Whether enough of the lowest bits of a constant are as they must be; others may be.
  bool mayHold(const Value& bits, Kind kind, int64_t stride) const {
    const auto* constant = llvm::dyn_cast<llvm::ConstantInt>(&bits);
    if (!constant)
      return true;
    const llvm::APInt& value = constant->getValue();
    const unsigned count = kind == Kind::BitsSet ? value.countr_one() : value.countr_zero();
    return llvm::maskTrailingOnes<uint64_t>(count) >=
           static_cast<uint64_t>(std::abs(stride)) * (shapes_.width() - 1);
  }

  /// Of an operation that makes a row or a column, or another part, of a number.
  Shape ofPart(const llvm::Instruction& operation) {
    const Value* right = operation.getOperand(1);
    const auto* constant = llvm::dyn_cast<llvm::ConstantInt>(right);
    const Shape left = shapeOf(operation.getOperand(0));
    if (left.isVarying())
      return left;
    const int64_t stride = left.stride;
    if (operation.getType()->isIntegerTy(64) && constant) {
      if (match(&operation, m_And(m_Value(), m_SpecificInt(UINT32_MAX))))
        return require(operation, Kind::Unsigned, left);
      constexpr int64_t upper = int64_t{1} << 32;
      if (operation.getOpcode() == llvm::Instruction::AShr && constant->getValue().ule(32) &&
          stride % upper == 0) {
        const Shape half = require(operation, Kind::UpperHalf, Shape::affine(stride / upper));
        return half.isVarying() ? half : Shape::affine(stride >> constant->getZExtValue());
      }
    }
    const bool isSigned = isSignedDivision(operation.getOpcode());
    if (!shapes_.of(right).isUniform())
      return Shape::varying();
    if (stride == 0 && !isSigned)
      return Shape::uniform();
    if (stride < 0 || stride > INT16_MAX || shapes_.width() == 0 ||
        !fitsPacket(operation, constant, stride))
      return Shape::varying();
    // Negative numbers are not divided this way, not even where they are all the same.
    if (!isRequired(operation)) {
      if (found_.conditions.size() == ShapeLimits::tests)
        return Shape::varying();
      found_.conditions.push_back({&operation, Kind::Division, stride});
    }
    const bool leavesRest =
        isRemainder(operation.getOpcode()) || operation.getOpcode() == llvm::Instruction::And;
    return leavesRest ? left : Shape::uniform();
  }

  Shape ofLimited(const llvm::Instruction& instruction) {
    const auto* limited = llvm::dyn_cast<llvm::MinMaxIntrinsic>(&instruction);
    const Value* number = limited ? limitedNumber(*limited, shapes_) : nullptr;
    return number && number->getType()->isIntegerTy(32)
               ? require(instruction, Kind::Limit, shapeOf(number))
               : Shape::varying();
  }

  /// Whether the same holds for both the quotient and the remainder, of which one is known.
  bool isRequired(const llvm::Instruction& division) const {
    return llvm::any_of(found_.conditions, [&](const NoWrapSpeculation::Condition& condition) {
      const llvm::Instruction& other = *condition.instruction;
      return division.isIntDivRem() && other.isIntDivRem() &&
             other.getOperand(0) == division.getOperand(0) &&
             other.getOperand(1) == division.getOperand(1) &&
             isSignedDivision(division.getOpcode()) == isSignedDivision(other.getOpcode());
    });
  }

  /// Whether what a constant divides by is greater than the packet, and what is no constant
  /// divides.
  bool fitsPacket(const llvm::Instruction& operation, const llvm::ConstantInt* constant,
                  int64_t stride) const {
    if (!constant)
      return operation.isIntDivRem() || operation.isShift();
    const int64_t span = stride * (shapes_.width() - 1);
    const llvm::APInt& value = constant->getValue();
    if (operation.getOpcode() == llvm::Instruction::And)
      return value.isMask() && value.sge(span);
    if (operation.isIntDivRem())
      return value.sgt(span);
    return value.ult(31) && int64_t{1} << value.getZExtValue() > span;
  }

  const Shapes& shapes_;
  NoWrapSpeculation found_;
  llvm::DenseMap<const Value*, Shape> known_;
  unsigned depth_ = 0;
};

} // namespace

std::optional<NoWrapSpeculation> noWrapSpeculationOf(const Value* pointer, const Shapes& shapes) {
  return shapes.of(pointer).isVarying() ? Search(shapes).run(pointer) : std::nullopt;
}

const Value* limitedNumber(const llvm::MinMaxIntrinsic& limited, const Shapes& shapes) {
  for (const auto& [number, limit] : {std::pair(limited.getLHS(), limited.getRHS()),
                                      std::pair(limited.getRHS(), limited.getLHS())})
    if (shapes.of(limit).isUniform() && !shapes.of(number).isUniform())
      return number;
  return nullptr;
}

std::optional<NoWrapSpeculation> usefulNoWrapSpeculation(const llvm::Instruction& access,
                                                         const Shapes& shapes) {
  const llvm::Type* type = llvm::getLoadStoreType(&access);
  const int64_t bytes =
      access.getDataLayout().getTypeStoreSize(const_cast<llvm::Type*>(type)).getFixedValue();
  std::optional<NoWrapSpeculation> speculation =
      noWrapSpeculationOf(llvm::getLoadStorePointerOperand(&access), shapes);
  if (!speculation || type->isIntegerTy(1))
    return std::nullopt;
  const bool isOne = speculation->stride == 0 && llvm::isa<llvm::LoadInst>(access);
  return isOne || std::abs(speculation->stride) == bytes ? speculation : std::nullopt;
}

} // namespace quern::compiler
