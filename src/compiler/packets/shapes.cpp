#include "compiler/packets/shapes.h"

#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/Analysis/ConstantFolding.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/GetElementPtrTypeIterator.h>
#include <llvm/IR/Operator.h>
#include <llvm/IR/PatternMatch.h>

#include "compiler/il/group_shape.h"
#include "compiler/il/kernel_function.h"
#include "compiler/il/region_function.h"

namespace quern::compiler {
namespace {

using namespace llvm::PatternMatch;

constexpr unsigned maxDepth = 8;
constexpr int64_t maxInt = INT32_MAX, minInt = INT32_MIN;

std::optional<int64_t> constantOf(const llvm::Value* value) {
  const auto* constant = llvm::dyn_cast<llvm::ConstantInt>(value);
  if (!constant || constant->getBitWidth() > 64)
    return std::nullopt;
  return constant->getSExtValue();
}

/// What the operation makes of an id and `constant`, in the work-item `item` of a packet less what
/// it makes in the first one, whose id is a multiple of `unit`; the packet ends before the next
/// multiple.
std::optional<int64_t> offsetInUnit(unsigned opcode, int64_t item, int64_t constant,
                                    uint64_t unit) {
  const bool divides = constant > 0 && unit % static_cast<uint64_t>(constant) == 0;
  switch (opcode) {
  // None of the bits in which its work-items differ is set in the first id.
  case llvm::Instruction::And:
    return llvm::isPowerOf2_64(unit) ? std::optional(item & constant) : std::nullopt;
  case llvm::Instruction::Xor:
    return llvm::isPowerOf2_64(unit) && constant >= 0 && static_cast<uint64_t>(constant) < unit
               ? std::optional((item ^ constant) - constant)
               : std::nullopt;
  case llvm::Instruction::AShr:
  case llvm::Instruction::LShr:
    return llvm::isPowerOf2_64(unit) && constant >= 0 && constant <= 31
               ? std::optional(item >> constant)
               : std::nullopt;
  case llvm::Instruction::UDiv:
    return divides ? std::optional(item / constant) : std::nullopt;
  case llvm::Instruction::URem:
    return divides ? std::optional(item % constant) : std::nullopt;
  default:
    return std::nullopt;
  }
}

/// Over a packet, such a number changes by less than half of what its type holds.
bool isSteady(const Shape& shape) {
  return shape.isAffine() && llvm::isInt<24>(shape.stride);
}

} // namespace

Shapes::Shapes(llvm::Function& region, Uniformities& uniformities, llvm::ScalarEvolution* evolution,
               uint64_t alignment, unsigned width)
    : region_(region), uniformity_(uniformities.of(UniformityRoot::packet(alignment))),
      ids_(region, alignment), evolution_(evolution), arrays_(region),
      item_(implicitArgument(region, ImplicitArgument::Item)),
      itemIndex_(regionParameter(region, RegionParameter::ItemIndex)),
      itemsOfDimensions_{item_, implicitArgument(region, ImplicitArgument::Item, 1),
                         implicitArgument(region, ImplicitArgument::Item, 2)},
      first_{implicitArgument(region, ImplicitArgument::First, 0),
             implicitArgument(region, ImplicitArgument::First, 1),
             implicitArgument(region, ImplicitArgument::First, 2)},
      width_(width), items_(width) {
  const uint64_t row = isFlat(region, 0) ? 0 : groupShape(region)[0];
  startsAtZero_ = row != 0 && row <= width;
  isWholeRow_ = startsAtZero_ && (hasOwnShape(region) || hasUniformGroups(region));
  if (startsAtZero_)
    items_ = static_cast<unsigned>(row);
  const llvm::ReversePostOrderTraversal<llvm::Function*> order(&region);
  for (bool changed = true; changed;) {
    changed = false;
    for (const llvm::BasicBlock* block : order)
      for (const llvm::Instruction& instruction : *block) {
        if (instruction.getType()->isVoidTy() || uniformity_.isUniform(instruction))
          continue;
        const Shape shape = compute(instruction);
        const auto [place, isNew] = shapes_.try_emplace(&instruction, shape);
        // Shapes only fall: what was varying once stays so.
        if (isNew || (!place->second.isVarying() && place->second != shape)) {
          place->second = isNew ? shape : Shape::varying();
          changed = true;
        }
      }
  }
}

Shape Shapes::of(const llvm::Value* value) const {
  if (value == item_ || value == itemIndex_)
    return Shape::affine(1);
  if (!llvm::isa<llvm::Instruction>(value) || uniformity_.isUniform(*value))
    return Shape::uniform();
  const auto found = shapes_.find(value);
  return found == shapes_.end() ? Shape::varying() : found->second;
}

bool Shapes::comparesAffine(const llvm::Value* condition) const {
  const auto* comparison = llvm::dyn_cast<llvm::ICmpInst>(condition);
  if (!comparison || !comparison->isRelational() ||
      !comparison->getOperand(0)->getType()->isIntegerTy() ||
      comparison->getOperand(0)->getType()->getIntegerBitWidth() < 32)
    return false;
  const Shape left = of(comparison->getOperand(0)), right = of(comparison->getOperand(1));
  return (isSteady(left) && right.isUniform()) || (left.isUniform() && isSteady(right));
}

Shape Shapes::compute(const llvm::Instruction& instruction) const {
  if (const auto* phi = llvm::dyn_cast<llvm::PHINode>(&instruction))
    return ofPhi(*phi);
  if (const auto* address = llvm::dyn_cast<llvm::GetElementPtrInst>(&instruction))
    return ofAddress(*address);
  if (const auto* variable = llvm::dyn_cast<llvm::AllocaInst>(&instruction))
    return Shape::affine(static_cast<int64_t>(arrays_.stride(*variable)));
  if (instruction.isBinaryOp())
    return ofBinary(instruction);
  const llvm::Value* operand = instruction.getNumOperands() ? instruction.getOperand(0) : nullptr;
  switch (instruction.getOpcode()) {
  case llvm::Instruction::Trunc:
    if (instruction.getType()->isIntegerTy() && instruction.getType()->getIntegerBitWidth() >= 8)
      return of(operand);
    return Shape::varying();
  case llvm::Instruction::AddrSpaceCast:
  case llvm::Instruction::Freeze:
    return of(operand);
  case llvm::Instruction::SExt:
  case llvm::Instruction::ZExt: {
    if (!of(operand).isShifted() || operand->getType()->getIntegerBitWidth() > 32)
      return Shape::varying();
    const std::optional<Range> values = range(operand, 0);
    if (!values || (instruction.getOpcode() == llvm::Instruction::ZExt && values->low < 0 &&
                    !llvm::cast<llvm::PossiblyNonNegInst>(instruction).hasNonNeg()))
      return Shape::varying();
    return of(operand);
  }
  case llvm::Instruction::Select:
    if (of(instruction.getOperand(0)).isUniform() && instruction.getType()->isIntOrPtrTy() &&
        of(instruction.getOperand(1)) == of(instruction.getOperand(2)))
      return of(instruction.getOperand(1));
    return Shape::varying();
  default:
    return Shape::varying();
  }
}

/// Only where the phi opens a loop do all work-items that run it come along the same edge.
Shape Shapes::ofPhi(const llvm::PHINode& phi) const {
  if (!phi.getType()->isIntOrPtrTy() || phi.getNumIncomingValues() != 2)
    return Shape::varying();
  std::optional<Shape> shape;
  bool isHeader = false;
  for (const llvm::Use& use : phi.incoming_values()) {
    const auto* definition = llvm::dyn_cast<llvm::Instruction>(use.get());
    if (definition && !shapes_.contains(definition) && !uniformity_.isUniform(*definition)) {
      isHeader = true; // not reached yet, so it comes along a back edge
      continue;
    }
    const Shape incoming = of(use.get());
    if (shape && *shape != incoming)
      return Shape::varying();
    shape = incoming;
  }
  const auto known = shapes_.find(&phi);
  if (!isHeader && known == shapes_.end())
    return Shape::varying();
  return shape.value_or(Shape::varying());
}

Shape Shapes::ofBinary(const llvm::Instruction& instruction) const {
  if (!instruction.getType()->isIntegerTy() || instruction.getType()->getIntegerBitWidth() < 8)
    return Shape::varying();
  const llvm::Value *left = instruction.getOperand(0), *right = instruction.getOperand(1);
  const Shape a = of(left), b = of(right);
  // An id that went through `int`, and was multiplied by a power of two.
  const llvm::Value* high = nullptr;
  const llvm::APInt* count = nullptr;
  if (match(&instruction, m_AShr(m_Value(high), m_APInt(count))) && count->ule(32))
    if (const llvm::Value* id = idOfSum(high); id && !of(id).isVarying())
      return scaled(of(id), int64_t{1} << (32 - count->getZExtValue()));
  if (a.isVarying() || b.isVarying())
    return Shape::varying();
  if (const Shape part = ofPartOfId(instruction); !part.isVarying())
    return part;
  switch (instruction.getOpcode()) {
  case llvm::Instruction::Or:
    if (!llvm::cast<llvm::PossiblyDisjointInst>(instruction).isDisjoint())
      return Shape::varying();
    [[fallthrough]];
  case llvm::Instruction::Add:
    return combined(a, b, llvm::AddOverflow<int64_t>);
  case llvm::Instruction::Sub:
    return combined(a, b, llvm::SubOverflow<int64_t>);
  case llvm::Instruction::Mul: {
    const std::optional<int64_t> factor = constantOf(b.isUniform() ? right : left);
    return factor ? scaled(b.isUniform() ? a : b, *factor) : Shape::varying();
  }
  case llvm::Instruction::Shl: {
    const std::optional<int64_t> count = constantOf(right);
    return count && *count >= 0 && *count <= 32 ? scaled(a, int64_t{1} << *count)
                                                : Shape::varying();
  }
  case llvm::Instruction::And:
    // What is left of an id that went through `uint`.
    if (isId(left) && match(right, m_SpecificInt(UINT32_MAX)))
      return a;
    // The low bits of a packet's first id are 0.
    if (const std::optional<int64_t> mask = constantOf(right))
      if (const uint64_t unit = ids_.unit(left);
          llvm::isPowerOf2_64(unit) && (static_cast<uint64_t>(*mask) & (unit - 1)) == unit - 1)
        return a;
    return Shape::varying();
  case llvm::Instruction::URem:
    // Nor does a packet reach beyond the next multiple of the unit.
    if (const std::optional<int64_t> divisor = constantOf(right))
      if (const uint64_t unit = ids_.unit(left);
          unit != 0 && static_cast<uint64_t>(*divisor) % unit == 0)
        return a;
    return Shape::varying();
  default:
    return Shape::varying();
  }
}

/// Of what is made of an id and constants, such as the id's place in a shorter row: the packet's
/// work-items have constants, or constants and something in common.
Shape Shapes::ofPartOfId(const llvm::Instruction& instruction) const {
  if (width_ == 0)
    return Shape::varying();
  if (startsAtZero_)
    if (const Shape shape = ofConstants(instruction); !shape.isVarying())
      return shape;
  const std::optional<int64_t> constant = constantOf(instruction.getOperand(1));
  const uint64_t unit = constant ? ids_.unit(instruction.getOperand(0)) : 0;
  if (unit < items_)
    return Shape::varying();
  std::vector<int64_t> offsets(width_);
  for (unsigned item = 0; item < width_; ++item)
    if (const auto offset = offsetInUnit(instruction.getOpcode(), item, *constant, unit))
      offsets[item] = *offset;
    else
      return Shape::varying();
  return fromOffsets(std::move(offsets));
}

/// Of what only constants and the id in a packet that begins at local id 0 are needed for.
Shape Shapes::ofConstants(const llvm::Instruction& instruction) const {
  std::vector<int64_t> offsets(width_);
  uint64_t first = 0;
  for (unsigned item = 0; item < width_; ++item) {
    const auto* value = llvm::dyn_cast_or_null<llvm::ConstantInt>(
        valueFor(&instruction, std::min(item, items_ - 1), 0));
    if (!value)
      return Shape::varying();
    const auto number = static_cast<uint64_t>(value->getSExtValue());
    if (item == 0)
      first = number;
    offsets[item] = static_cast<int64_t>(number - first); // wraps as the numbers do
  }
  return fromOffsets(std::move(offsets));
}

/// What `value` is for a work-item of a packet that begins at local id 0; null where that is not
/// made of constants.
llvm::Constant* Shapes::valueFor(const llvm::Value* value, unsigned item, unsigned depth) const {
  if (value == item_)
    return llvm::ConstantInt::get(value->getType(), item);
  if (const auto* constant = llvm::dyn_cast<llvm::ConstantInt>(value))
    return const_cast<llvm::ConstantInt*>(constant);
  const auto* instruction = llvm::dyn_cast<llvm::Instruction>(value);
  if (!instruction || depth > maxDepth ||
      !(instruction->isBinaryOp() || instruction->isCast() ||
        llvm::isa<llvm::ICmpInst, llvm::SelectInst>(instruction)))
    return nullptr;
  llvm::SmallVector<llvm::Constant*, 3> operands;
  for (const llvm::Value* operand : instruction->operands())
    if (llvm::Constant* constant = valueFor(operand, item, depth + 1))
      operands.push_back(constant);
    else
      return nullptr;
  if (const auto* comparison = llvm::dyn_cast<llvm::ICmpInst>(instruction))
    return llvm::ConstantFoldCompareInstOperands(comparison->getPredicate(), operands[0],
                                                 operands[1], region_.getDataLayout());
  return llvm::ConstantFoldInstOperands(const_cast<llvm::Instruction*>(instruction), operands,
                                        region_.getDataLayout());
}

/// The simplest shape with these offsets.
Shape Shapes::fromOffsets(std::vector<int64_t> offsets) const {
  const int64_t stride = offsets.size() > 1 ? offsets[1] : 0;
  bool isAffine = true;
  for (unsigned item = 0; item < items_; ++item)
    isAffine = isAffine && offsets[item] == Shape::affine(stride).offset(item);
  if (isAffine)
    return Shape::affine(stride);
  return {Shape::Form::Pattern, 0, &*offsets_.insert(std::move(offsets)).first};
}

Shape Shapes::combined(Shape a, Shape b,
                       llvm::function_ref<bool(int64_t, int64_t, int64_t&)> overflows) const {
  if (!a.isPattern() && !b.isPattern()) {
    int64_t stride = 0;
    return overflows(a.stride, b.stride, stride) ? Shape::varying() : Shape::affine(stride);
  }
  std::vector<int64_t> offsets(width_);
  for (unsigned item = 0; item < width_; ++item)
    if (overflows(a.offset(item), b.offset(item), offsets[item]))
      return Shape::varying();
  return fromOffsets(std::move(offsets));
}

Shape Shapes::scaled(Shape shape, int64_t factor) const {
  return combined(shape, shape, [factor](int64_t one, int64_t, int64_t& product) {
    return llvm::MulOverflow(one, factor, product) != 0;
  });
}

Shape Shapes::ofAddress(const llvm::GetElementPtrInst& address) const {
  const Shape base = of(address.getPointerOperand());
  if (base.isVarying())
    return Shape::varying();
  const llvm::DataLayout& layout = region_.getDataLayout();
  Shape sum = base;
  for (auto step = llvm::gep_type_begin(address); step != llvm::gep_type_end(address); ++step) {
    const Shape index = of(step.getOperand());
    if (index.isVarying())
      return Shape::varying();
    if (index.isUniform())
      continue;
    if (arrays_.isInterleaved(&address))
      return Shape::varying();
    // A narrow index is extended, and may wrap before.
    const int64_t bytes = step.getSequentialElementStride(layout).getFixedValue();
    const Shape product = scaled(index, bytes);
    if (step.getOperand()->getType()->getIntegerBitWidth() < 64 || product.isVarying())
      return Shape::varying();
    sum = combined(sum, product, llvm::AddOverflow<int64_t>);
    if (sum.isVarying())
      return sum;
  }
  return sum;
}

/// A number that is not negative, and hardly changes what an id of 31 bits needs.
bool Shapes::isSmall(const llvm::Value* value) const {
  return value->getType()->isIntegerTy() &&
         llvm::computeKnownBits(value, region_.getDataLayout()).countMaxActiveBits() <= 24;
}

/// A local or global id, or a global id without its offset, below maxPacketId in every work-item.
bool Shapes::isId(const llvm::Value* value) const {
  const llvm::Value* global = value;
  if (const llvm::Value* withOffset = nullptr;
      match(value, m_NUWSub(m_Value(withOffset), m_Value())))
    global = withOffset;
  const bool isGlobal = llvm::any_of(first_, [&](const llvm::Value* first) {
    const llvm::Value* local = nullptr;
    return match(global, m_c_Add(m_Specific(first), m_Value(local))) &&
           (llvm::is_contained(itemsOfDimensions_, local) || isSmall(local));
  });
  return llvm::is_contained(itemsOfDimensions_, value) || value == itemIndex_ || isGlobal ||
         isSmall(value);
}

/// The id in `high`, which is an id, or the sum of one and a small constant, times 2^32.
const llvm::Value* Shapes::idOfSum(const llvm::Value* high) const {
  const llvm::Value *shifted = nullptr, *id = nullptr;
  const llvm::APInt* constant = nullptr;
  if (!high->getType()->isIntegerTy(64))
    return nullptr;
  if (match(high, m_Add(m_Value(shifted), m_APInt(constant)))) {
    const int64_t sum = constant->getSExtValue();
    if (sum % (int64_t{1} << 32) != 0 || std::abs(sum >> 32) > maxIdSum)
      return nullptr;
    high = shifted;
  }
  return match(high, m_Shl(m_Value(id), m_SpecificInt(32))) && isId(id) ? id : nullptr;
}

std::optional<Shapes::Range> Shapes::range(const llvm::Value* value, unsigned depth) const {
  if (const std::optional<int64_t> constant = constantOf(value))
    return Range{*constant, *constant};
  if (!value->getType()->isIntegerTy() || value->getType()->getIntegerBitWidth() > 32)
    return std::nullopt;
  if (of(value).isUniform())
    return rangeOfUniform(value);
  if (depth > maxDepth || !value->getType()->isIntegerTy(32))
    return std::nullopt;
  if (const auto* conversion = llvm::dyn_cast<llvm::TruncInst>(value))
    return isId(conversion->getOperand(0)) ? std::optional(Range{0, maxPacketId - 1})
                                           : std::nullopt;
  if (const auto* operation = llvm::dyn_cast<llvm::BinaryOperator>(value))
    return rangeOfOperation(*operation, depth);
  return std::nullopt;
}

std::optional<Shapes::Range> Shapes::rangeOfUniform(const llvm::Value* value) const {
  if (!value->getType()->isIntegerTy(32))
    return std::nullopt;
  if (!evolution_)
    return Range{minInt, maxInt};
  const llvm::ConstantRange known =
      evolution_->getSignedRange(evolution_->getSCEV(const_cast<llvm::Value*>(value)));
  if (known.isEmptySet())
    return Range{minInt, maxInt};
  return Range{known.getSignedMin().getSExtValue(), known.getSignedMax().getSExtValue()};
}

/// Of what is less than the operand, whatever that is.
std::optional<Shapes::Range> Shapes::rangeOfPart(unsigned opcode, const std::optional<Range>& of,
                                                 int64_t constant) {
  const bool isShift = constant > 0 && constant < 32;
  const Range any = of.value_or(Range{minInt, maxInt});
  switch (opcode) {
  case llvm::Instruction::And:
    return constant >= 0 ? std::optional(Range{0, constant}) : std::nullopt;
  case llvm::Instruction::AShr:
    return isShift ? std::optional(Range{any.low >> constant, any.high >> constant}) : std::nullopt;
  case llvm::Instruction::LShr:
    if (!isShift)
      return std::nullopt;
    return any.low < 0 ? Range{0, int64_t{UINT32_MAX} >> constant}
                       : Range{any.low >> constant, any.high >> constant};
  default:
    return std::nullopt;
  }
}

/// Values that fit no int are fine where the program promises that there are none (nsw).
std::optional<Shapes::Range> Shapes::rangeOfOperation(const llvm::BinaryOperator& operation,
                                                      unsigned depth) const {
  const std::optional<Range> a = range(operation.getOperand(0), depth + 1);
  const std::optional<Range> b = range(operation.getOperand(1), depth + 1);
  if (const std::optional<int64_t> constant = constantOf(operation.getOperand(1)))
    if (const auto part = rangeOfPart(operation.getOpcode(), a, *constant))
      return part;
  if (!a || !b)
    return std::nullopt;
  Range result{};
  switch (operation.getOpcode()) {
  case llvm::Instruction::UDiv:
  case llvm::Instruction::URem:
    if (b->low != b->high || b->low <= 0 || a->low < 0)
      return std::nullopt;
    return operation.getOpcode() == llvm::Instruction::UDiv
               ? Range{a->low / b->low, a->high / b->low}
               : Range{0, b->low - 1};
  case llvm::Instruction::Xor:
    if (a->low < 0 || b->low < 0)
      return std::nullopt;
    return Range{0, static_cast<int64_t>(llvm::maskTrailingOnes<uint64_t>(llvm::bit_width(
                        static_cast<uint64_t>(a->high) | static_cast<uint64_t>(b->high))))};
  case llvm::Instruction::Or:
    if (!llvm::cast<llvm::PossiblyDisjointInst>(operation).isDisjoint())
      return std::nullopt;
    [[fallthrough]];
  case llvm::Instruction::Add:
    result = {a->low + b->low, a->high + b->high};
    break;
  case llvm::Instruction::Sub:
    result = {a->low - b->high, a->high - b->low};
    break;
  case llvm::Instruction::Mul: {
    const int64_t corners[] = {a->low * b->low, a->low * b->high, a->high * b->low,
                               a->high * b->high};
    result = {*std::ranges::min_element(corners), *std::ranges::max_element(corners)};
    break;
  }
  case llvm::Instruction::Shl:
    if (b->low != b->high || b->low < 0 || b->low > 31)
      return std::nullopt;
    result = {a->low * (int64_t{1} << b->low), a->high * (int64_t{1} << b->low)};
    break;
  default:
    return std::nullopt;
  }
  if (result.low >= minInt && result.high <= maxInt)
    return result;
  if (!operation.hasNoSignedWrap())
    return std::nullopt;
  return Range{std::max(result.low, minInt), std::min(result.high, maxInt)};
}

} // namespace quern::compiler
