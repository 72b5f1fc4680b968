#include "compiler/packets/no_wrap_speculation.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/IR/GetElementPtrTypeIterator.h>
#include <llvm/IR/PatternMatch.h>

#include "compiler/il/division.h"

namespace quern::compiler {
namespace {

using namespace llvm::PatternMatch;
using llvm::Value;
using Kind = NoWrapSpeculation::Kind;

constexpr unsigned maxDepth = 16, maxConditions = 6;

/// Strides "where nothing wraps" of numbers that follow them modulo their types.
class Search {
public:
  explicit Search(const Shapes& shapes) : shapes_(shapes) {}

  std::optional<NoWrapSpeculation> run(const Value* pointer) {
    const std::optional<int64_t> stride = strideOf(pointer, 0);
    if (!stride || found_.conditions.empty())
      return std::nullopt;
    found_.stride = *stride;
    return found_;
  }

private:
  using Stride = std::optional<int64_t>;

  Stride strideOf(const Value* value, unsigned depth) {
    const Shape shape = shapes_.of(value);
    if (shape.isPattern())
      return std::nullopt;
    if (!shape.isVarying())
      return shape.stride;
    const auto* instruction = llvm::dyn_cast<llvm::Instruction>(value);
    if (!instruction || depth > maxDepth || shapes_.arrays().isInterleaved(value))
      return std::nullopt;
    if (const auto known = known_.find(value); known != known_.end())
      return known->second;
    const Stride stride = ofInstruction(*instruction, depth + 1);
    known_[value] = stride;
    return stride;
  }

  Stride ofInstruction(const llvm::Instruction& instruction, unsigned depth) {
    if (const auto* address = llvm::dyn_cast<llvm::GetElementPtrInst>(&instruction))
      return ofAddress(*address, depth);
    if (!instruction.getType()->isIntegerTy(64) && !instruction.getType()->isIntegerTy(32))
      return std::nullopt;
    const Value* operand = instruction.getOperand(0);
    switch (instruction.getOpcode()) {
    case llvm::Instruction::ZExt:
    case llvm::Instruction::SExt:
      if (!operand->getType()->isIntegerTy(32))
        return std::nullopt;
      return require(instruction,
                     llvm::isa<llvm::ZExtInst>(instruction) ? Kind::Unsigned : Kind::Signed,
                     strideOf(operand, depth));
    case llvm::Instruction::Trunc:
      return instruction.getType()->isIntegerTy(32) ? strideOf(operand, depth) : std::nullopt;
    case llvm::Instruction::Freeze:
      return strideOf(operand, depth);
    case llvm::Instruction::Select:
      return ofSelect(instruction, depth);
    default:
      return instruction.isBinaryOp() ? ofOperation(instruction, depth) : std::nullopt;
    }
  }

  /// Notes that an operand of this stride must not wrap. The instruction then has the same stride.
  Stride require(const llvm::Instruction& instruction, Kind kind, Stride stride) {
    if (!stride || *stride == 0)
      return stride;
    if (std::abs(*stride) > INT16_MAX || found_.conditions.size() == maxConditions)
      return std::nullopt;
    found_.conditions.push_back({&instruction, kind, *stride});
    return stride;
  }

  Stride ofSelect(const llvm::Instruction& select, unsigned depth) {
    if (!shapes_.of(select.getOperand(0)).isUniform())
      return std::nullopt;
    const Stride a = strideOf(select.getOperand(1), depth);
    return a && a == strideOf(select.getOperand(2), depth) ? a : std::nullopt;
  }

  Stride ofOperation(const llvm::Instruction& operation, unsigned depth) {
    const Stride a = strideOf(operation.getOperand(0), depth);
    if (!a)
      return std::nullopt;
    switch (operation.getOpcode()) {
    case llvm::Instruction::And:
    case llvm::Instruction::LShr:
    case llvm::Instruction::AShr:
    case llvm::Instruction::UDiv:
    case llvm::Instruction::URem:
    case llvm::Instruction::SDiv:
    case llvm::Instruction::SRem:
      return ofPart(operation, *a);
    default:
      break;
    }
    const Stride b = strideOf(operation.getOperand(1), depth);
    if (!b)
      return std::nullopt;
    if (*a == 0 && *b == 0)
      return 0;
    int64_t result = 0;
    switch (operation.getOpcode()) {
    case llvm::Instruction::Mul:
    case llvm::Instruction::Shl:
      return ofProduct(operation, *a);
    case llvm::Instruction::Sub:
      return llvm::SubOverflow(*a, *b, result) ? std::nullopt : Stride(result);
    default:
      if (!match(&operation, m_AddLike(m_Value(), m_Value())) || llvm::AddOverflow(*a, *b, result))
        return std::nullopt;
      return result;
    }
  }

  static Stride ofProduct(const llvm::Instruction& product, int64_t stride) {
    const auto* constant = llvm::dyn_cast<llvm::ConstantInt>(product.getOperand(1));
    const bool isShift = product.getOpcode() == llvm::Instruction::Shl;
    int64_t result = 0;
    if (!constant || !constant->getValue().isSignedIntN(32) ||
        (isShift && constant->getValue().uge(33)) ||
        llvm::MulOverflow(
            stride, isShift ? int64_t{1} << constant->getZExtValue() : constant->getSExtValue(),
            result))
      return std::nullopt;
    return result;
  }

  /// Of an operation that makes a row or a column, or another part, of a number with stride `a`.
  Stride ofPart(const llvm::Instruction& operation, int64_t a) {
    const Value* right = operation.getOperand(1);
    const auto* constant = llvm::dyn_cast<llvm::ConstantInt>(right);
    if (operation.getType()->isIntegerTy(64) && constant) {
      if (match(&operation, m_And(m_Value(), m_SpecificInt(UINT32_MAX))))
        return require(operation, Kind::Unsigned, a);
      constexpr int64_t upper = int64_t{1} << 32;
      if (operation.getOpcode() == llvm::Instruction::AShr && constant->getValue().ule(32) &&
          a % upper == 0) {
        const Stride stride = require(operation, Kind::UpperHalf, a / upper);
        return stride ? Stride(a >> constant->getZExtValue()) : std::nullopt;
      }
    }
    const bool isSigned = isSignedDivision(operation.getOpcode());
    if (!shapes_.of(right).isUniform())
      return std::nullopt;
    if (a == 0 && !isSigned)
      return 0;
    if (a < 0 || a > INT16_MAX || shapes_.width() == 0 || !fitsPacket(operation, constant, a))
      return std::nullopt;
    // Negative numbers are not divided this way, not even where they are all the same.
    if (!isRequired(operation)) {
      if (found_.conditions.size() == maxConditions)
        return std::nullopt;
      found_.conditions.push_back({&operation, Kind::Division, a});
    }
    const bool leavesRest =
        isRemainder(operation.getOpcode()) || operation.getOpcode() == llvm::Instruction::And;
    return leavesRest ? a : 0;
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

  Stride ofAddress(const llvm::GetElementPtrInst& address, unsigned depth) {
    Stride sum = strideOf(address.getPointerOperand(), depth);
    const llvm::DataLayout& layout = address.getDataLayout();
    for (auto step = llvm::gep_type_begin(address); sum && step != llvm::gep_type_end(address);
         ++step) {
      if (step.isStruct() || llvm::isa<llvm::Constant>(step.getOperand()))
        continue;
      const Stride index = step.getOperand()->getType()->isIntegerTy(64)
                               ? strideOf(step.getOperand(), depth)
                               : std::nullopt;
      int64_t bytes = step.getSequentialElementStride(layout).getFixedValue();
      if (!index || llvm::MulOverflow(bytes, *index, bytes) || llvm::AddOverflow(*sum, bytes, *sum))
        return std::nullopt;
    }
    return sum;
  }

  const Shapes& shapes_;
  NoWrapSpeculation found_;
  llvm::DenseMap<const Value*, Stride> known_;
};

} // namespace

std::optional<NoWrapSpeculation> noWrapSpeculationOf(const Value* pointer, const Shapes& shapes) {
  return shapes.of(pointer).isVarying() ? Search(shapes).run(pointer) : std::nullopt;
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
