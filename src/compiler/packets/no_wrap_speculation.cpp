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
    case llvm::Instruction::And:
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
    if (operation.isIntDivRem() && !constant)
      return true;
    if (!constant)
      return false;
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
