#include "compiler/packets/bits_of_first.h"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/GetElementPtrTypeIterator.h>

#include "compiler/il/kernel_function.h"

namespace quern::compiler {
namespace {

using llvm::KnownBits;

constexpr unsigned maxDepth = 10;

std::optional<KnownBits> bitsOf(const llvm::Value& value, const PacketPlan& plan, unsigned depth);

unsigned widthOf(const llvm::Value& value, const PacketPlan& plan) {
  return static_cast<unsigned>(plan.region.getDataLayout().getTypeSizeInBits(value.getType()));
}

/// Of a parameter or a constant. Blocks of several rows add to the row's number.
KnownBits ofLeaf(const llvm::Value& value, const PacketPlan& plan) {
  if (plan.shapes.isWholeRow() &&
      &value == implicitArgument(plan.region, ImplicitArgument::Item, 0))
    return KnownBits::makeConstant(llvm::APInt(64, 0));
  if (plan.sharing.varyingDimensions(&value) != 0)
    return KnownBits(widthOf(value, plan));
  return llvm::computeKnownBits(&value, plan.region.getDataLayout());
}

std::optional<KnownBits> ofOperation(unsigned opcode, const KnownBits& a, const KnownBits& b) {
  switch (opcode) {
  case llvm::Instruction::Add:
    return KnownBits::add(a, b);
  case llvm::Instruction::Sub:
    return KnownBits::sub(a, b);
  case llvm::Instruction::Mul:
    return KnownBits::mul(a, b);
  case llvm::Instruction::Shl:
    return KnownBits::shl(a, b);
  case llvm::Instruction::LShr:
    return KnownBits::lshr(a, b);
  case llvm::Instruction::AShr:
    return KnownBits::ashr(a, b);
  case llvm::Instruction::And:
    return a & b;
  case llvm::Instruction::Or:
    return a | b;
  case llvm::Instruction::Xor:
    return a ^ b;
  case llvm::Instruction::UDiv:
    return KnownBits::udiv(a, b);
  case llvm::Instruction::SDiv:
    return KnownBits::sdiv(a, b);
  case llvm::Instruction::URem:
    return KnownBits::urem(a, b);
  case llvm::Instruction::SRem:
    return KnownBits::srem(a, b);
  default:
    return std::nullopt;
  }
}

std::optional<KnownBits> ofAddress(const llvm::GetElementPtrInst& address, const PacketPlan& plan,
                                   unsigned depth) {
  const llvm::DataLayout& layout = plan.region.getDataLayout();
  std::optional<KnownBits> sum = bitsOf(*address.getPointerOperand(), plan, depth);
  for (auto step = llvm::gep_type_begin(address); sum && step != llvm::gep_type_end(address);
       ++step) {
    const unsigned bits = sum->getBitWidth();
    uint64_t constant = 0;
    if (llvm::StructType* type = step.getStructTypeOrNull()) {
      const auto field = llvm::cast<llvm::ConstantInt>(step.getOperand())->getZExtValue();
      constant = layout.getStructLayout(type)->getElementOffset(field).getFixedValue();
      sum = KnownBits::add(*sum, KnownBits::makeConstant(llvm::APInt(bits, constant)));
      continue;
    }
    const std::optional<KnownBits> index = bitsOf(*step.getOperand(), plan, depth);
    if (!index)
      return std::nullopt;
    const uint64_t each = step.getSequentialElementStride(layout).getFixedValue();
    sum = KnownBits::add(*sum, KnownBits::mul(index->sextOrTrunc(bits),
                                              KnownBits::makeConstant(llvm::APInt(bits, each))));
  }
  return sum;
}

std::optional<KnownBits> bitsOf(const llvm::Value& value, const PacketPlan& plan, unsigned depth) {
  const auto* instruction = llvm::dyn_cast<llvm::Instruction>(&value);
  if (!instruction)
    return ofLeaf(value, plan);
  if (depth > maxDepth || plan.shapes.of(&value).isVarying())
    return std::nullopt;
  if (const auto* address = llvm::dyn_cast<llvm::GetElementPtrInst>(instruction))
    return ofAddress(*address, plan, depth + 1);
  const unsigned bits = widthOf(value, plan);
  if (llvm::isa<llvm::CastInst>(instruction)) {
    const std::optional<KnownBits> from = bitsOf(*instruction->getOperand(0), plan, depth + 1);
    if (!from || instruction->getType()->isFPOrFPVectorTy())
      return std::nullopt;
    return llvm::isa<llvm::SExtInst>(instruction) ? from->sextOrTrunc(bits)
                                                  : from->zextOrTrunc(bits);
  }
  if (!instruction->isBinaryOp() || !value.getType()->isIntegerTy())
    return std::nullopt;
  const std::optional<KnownBits> a = bitsOf(*instruction->getOperand(0), plan, depth + 1);
  const std::optional<KnownBits> b = bitsOf(*instruction->getOperand(1), plan, depth + 1);
  return a && b ? ofOperation(instruction->getOpcode(), *a, *b) : std::nullopt;
}

} // namespace

std::optional<KnownBits> bitsOfFirst(const llvm::Value& value, const PacketPlan& plan) {
  return bitsOf(value, plan, 0);
}

} // namespace quern::compiler
