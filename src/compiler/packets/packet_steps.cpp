#include "compiler/packets/packet_steps.h"

#include <llvm/IR/GetElementPtrTypeIterator.h>

#include "compiler/il/kernel_function.h"
#include "compiler/il/region_function.h"

namespace quern::compiler {
namespace {

using llvm::Value;

/// Larger steps are not followed, so that no sum or product of theirs overflows.
constexpr unsigned maxStepBits = 24;
constexpr unsigned maxDepth = 64;

std::optional<Step> sum(const std::optional<Step>& a, const std::optional<Step>& b, int64_t sign) {
  if (!a || !b || (a->factor && b->count != 0) || (b->factor && a->count != 0))
    return std::nullopt;
  return Step{a->count + sign * b->count, a->factor ? a->factor : b->factor};
}

std::optional<int64_t> constantFactor(const llvm::Instruction& product) {
  const auto* constant = llvm::dyn_cast<llvm::ConstantInt>(product.getOperand(1));
  if (!constant || !constant->getValue().isSignedIntN(maxStepBits))
    return std::nullopt;
  if (product.getOpcode() == llvm::Instruction::Mul)
    return constant->getSExtValue();
  if (constant->getValue().ult(maxStepBits))
    return int64_t{1} << constant->getZExtValue();
  return std::nullopt;
}

} // namespace

std::optional<Step> PacketSteps::of(const Value* value, unsigned dimension, unsigned depth) {
  if ((sharing_.varyingDimensions(value) & 1u << dimension) == 0)
    return Step();
  if (value == implicitArgument(region_, ImplicitArgument::Item, dimension) ||
      (dimension == 0 && value == regionParameter(region_, RegionParameter::ItemIndex)))
    return Step{.count = 1};
  const auto* instruction = llvm::dyn_cast<llvm::Instruction>(value);
  if (!instruction || depth > maxDepth)
    return std::nullopt;
  if (const auto found = known_[dimension].find(value); found != known_[dimension].end())
    return found->second;
  std::optional<Step> step = compute(*instruction, dimension, depth + 1);
  if (step && !llvm::isInt<maxStepBits>(step->count))
    step.reset();
  known_[dimension][value] = step;
  order_[dimension].push_back(value);
  return step;
}

std::optional<Step> PacketSteps::compute(const llvm::Instruction& instruction, unsigned dimension,
                                         unsigned depth) {
  const auto ofOperand = [&](unsigned number) {
    return of(instruction.getOperand(number), dimension, depth);
  };
  switch (instruction.getOpcode()) {
  case llvm::Instruction::Add:
    return sum(ofOperand(0), ofOperand(1), 1);
  case llvm::Instruction::Sub:
    return sum(ofOperand(0), ofOperand(1), -1);
  case llvm::Instruction::Or:
    return llvm::cast<llvm::PossiblyDisjointInst>(instruction).isDisjoint()
               ? sum(ofOperand(0), ofOperand(1), 1)
               : std::nullopt;
  case llvm::Instruction::Trunc: {
    const std::optional<Step> step = ofOperand(0);
    return step && !step->factor ? step : std::nullopt;
  }
  case llvm::Instruction::Shl:
  case llvm::Instruction::Mul:
    return ofProduct(instruction, dimension, depth);
  case llvm::Instruction::GetElementPtr:
    return ofAddress(llvm::cast<llvm::GetElementPtrInst>(instruction), dimension, depth);
  case llvm::Instruction::PHI:
    return ofPhi(llvm::cast<llvm::PHINode>(instruction), dimension, depth);
  default:
    return std::nullopt;
  }
}

/// Along dimension 0 a phi grows as in each packet, if what it gets does so.
std::optional<Step> PacketSteps::ofPhi(const llvm::PHINode& phi, unsigned dimension,
                                       unsigned depth) {
  const Shape shape = shapes_.of(&phi);
  if (dimension != 0 || !(shape.isUniform() || shape.isAffine()))
    return std::nullopt;
  auto& known = known_[dimension];
  auto& order = order_[dimension];
  const size_t before = order.size();
  known[&phi] = Step{.count = shape.stride};
  const bool isSo = llvm::all_of(phi.incoming_values(), [&](const llvm::Use& incoming) {
    const std::optional<Step> step = of(incoming, dimension, depth);
    return step && !step->factor && step->count == shape.stride;
  });
  if (isSo)
    return known[&phi];
  // What became known since may rely on it.
  for (; order.size() > before; order.pop_back())
    known.erase(order.back());
  return std::nullopt;
}

std::optional<Step> PacketSteps::ofProduct(const llvm::Instruction& product, unsigned dimension,
                                           unsigned depth) {
  if (const std::optional<int64_t> factor = constantFactor(product)) {
    std::optional<Step> step = of(product.getOperand(0), dimension, depth);
    if (step)
      step->count *= *factor;
    return step;
  }
  if (product.getOpcode() != llvm::Instruction::Mul)
    return std::nullopt;
  for (const unsigned number : {0u, 1u}) {
    Value* other = product.getOperand(1 - number);
    if (sharing_.varyingDimensions(other) != 0 || !shapes_.of(other).isUniform())
      continue;
    std::optional<Step> step = of(product.getOperand(number), dimension, depth);
    if (!step || step->factor)
      return std::nullopt;
    step->factor = other;
    return step;
  }
  return std::nullopt;
}

std::optional<Step> PacketSteps::ofAddress(const llvm::GetElementPtrInst& address,
                                           unsigned dimension, unsigned depth) {
  std::optional<Step> step = of(address.getPointerOperand(), dimension, depth);
  for (auto part = llvm::gep_type_begin(address); part != llvm::gep_type_end(address); ++part) {
    if (part.isStruct())
      continue;
    std::optional<Step> ofIndex = of(part.getOperand(), dimension, depth);
    const uint64_t bytes = part.getSequentialElementStride(address.getDataLayout()).getFixedValue();
    // A narrow index is extended, and may wrap before.
    if (!ofIndex || !llvm::isUInt<maxStepBits>(bytes) ||
        (ofIndex->count != 0 && !part.getOperand()->getType()->isIntegerTy(64)))
      return std::nullopt;
    ofIndex->count *= static_cast<int64_t>(bytes);
    step = sum(step, ofIndex, 1);
  }
  return step;
}

} // namespace quern::compiler
