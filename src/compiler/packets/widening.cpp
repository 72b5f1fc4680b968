#include "compiler/packets/widening.h"

#include <llvm/IR/GetElementPtrTypeIterator.h>
#include <llvm/IR/PatternMatch.h>

namespace quern::compiler {
namespace {

using namespace llvm::PatternMatch;
using llvm::Value;

constexpr unsigned maxDepth = 6, maxConversions = 2;

class Search {
public:
  explicit Search(const Shapes& shapes) : shapes_(shapes) {}

  std::optional<Widening> run(const Value* pointer) {
    const std::optional<int64_t> stride = strideOf(pointer, 0);
    if (!stride || found_.conversions.empty())
      return std::nullopt;
    found_.stride = *stride;
    return found_;
  }

private:
  std::optional<int64_t> strideOf(const Value* value, unsigned depth) {
    if (shapes_.of(value).isPattern())
      return std::nullopt;
    if (!shapes_.of(value).isVarying())
      return shapes_.of(value).stride;
    const auto* instruction = llvm::dyn_cast<llvm::Instruction>(value);
    if (!instruction || depth > maxDepth || shapes_.arrays().isInterleaved(value))
      return std::nullopt;
    if (const auto* address = llvm::dyn_cast<llvm::GetElementPtrInst>(instruction))
      return ofAddress(*address, depth);
    if (!instruction->getType()->isIntegerTy(64))
      return std::nullopt;
    const Value* operand = instruction->getOperand(0);
    if (llvm::isa<llvm::ZExtInst, llvm::SExtInst>(instruction))
      return operand->getType()->isIntegerTy(32) ? ofConversion(*instruction) : std::nullopt;
    if (match(instruction, m_And(m_Value(), m_SpecificInt(UINT32_MAX))) ||
        widensUpperHalf(*instruction))
      return ofConversion(*instruction);
    return ofOperation(*instruction, depth);
  }

  std::optional<int64_t> ofConversion(const llvm::Instruction& conversion) {
    const Shape shape = shapes_.of(conversion.getOperand(0));
    const int64_t unit = widensUpperHalf(conversion) ? int64_t{1} << 32 : 1;
    if (!shape.isAffine() || shape.stride % unit != 0 || std::abs(shape.stride / unit) > INT16_MAX)
      return std::nullopt;
    if (!llvm::is_contained(found_.conversions, &conversion)) {
      if (found_.conversions.size() == maxConversions)
        return std::nullopt;
      found_.conversions.push_back(&conversion);
    }
    if (unit == 1)
      return shape.stride;
    return shape.stride >> llvm::cast<llvm::ConstantInt>(conversion.getOperand(1))->getZExtValue();
  }

  std::optional<int64_t> ofOperation(const llvm::Instruction& operation, unsigned depth) {
    const llvm::APInt* factor = nullptr;
    int64_t result = 0;
    if (match(&operation, m_Shl(m_Value(), m_APInt(factor))) ||
        match(&operation, m_Mul(m_Value(), m_APInt(factor)))) {
      const bool isShift = operation.getOpcode() == llvm::Instruction::Shl;
      const std::optional<int64_t> stride = strideOf(operation.getOperand(0), depth + 1);
      if (!stride || !factor->isSignedIntN(32) || (isShift && factor->uge(32)) ||
          llvm::MulOverflow(*stride,
                            isShift ? int64_t{1} << factor->getZExtValue() : factor->getSExtValue(),
                            result))
        return std::nullopt;
      return result;
    }
    const bool isSub = operation.getOpcode() == llvm::Instruction::Sub;
    if (!isSub && !match(&operation, m_AddLike(m_Value(), m_Value())))
      return std::nullopt;
    const std::optional<int64_t> a = strideOf(operation.getOperand(0), depth + 1);
    const std::optional<int64_t> b = strideOf(operation.getOperand(1), depth + 1);
    if (!a || !b || (isSub ? llvm::SubOverflow(*a, *b, result) : llvm::AddOverflow(*a, *b, result)))
      return std::nullopt;
    return result;
  }

  std::optional<int64_t> ofAddress(const llvm::GetElementPtrInst& address, unsigned depth) {
    std::optional<int64_t> sum = strideOf(address.getPointerOperand(), depth + 1);
    const llvm::DataLayout& layout = address.getDataLayout();
    for (auto step = llvm::gep_type_begin(address); sum && step != llvm::gep_type_end(address);
         ++step) {
      if (step.isStruct() || llvm::isa<llvm::Constant>(step.getOperand()))
        continue;
      const std::optional<int64_t> index = step.getOperand()->getType()->isIntegerTy(64)
                                               ? strideOf(step.getOperand(), depth + 1)
                                               : std::nullopt;
      int64_t bytes = step.getSequentialElementStride(layout).getFixedValue();
      if (!index || llvm::MulOverflow(bytes, *index, bytes) || llvm::AddOverflow(*sum, bytes, *sum))
        return std::nullopt;
    }
    return sum;
  }

  const Shapes& shapes_;
  Widening found_;
};

} // namespace

bool widensUpperHalf(const llvm::Instruction& conversion) {
  const llvm::APInt* count = nullptr;
  return match(&conversion, m_AShr(m_Value(), m_APInt(count))) &&
         conversion.getType()->isIntegerTy(64) && count->ule(32);
}

std::optional<Widening> wideningOf(const Value* pointer, const Shapes& shapes) {
  return shapes.of(pointer).isVarying() ? Search(shapes).run(pointer) : std::nullopt;
}

bool isContiguousUnlessWrapped(const Value* pointer, int64_t bytes, const Shapes& shapes) {
  const std::optional<Widening> widening = wideningOf(pointer, shapes);
  return widening && std::abs(widening->stride) == bytes;
}

} // namespace quern::compiler
