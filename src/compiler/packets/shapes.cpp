#include "compiler/packets/shapes.h"

#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>
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

std::optional<int64_t> constantOf(const llvm::Value* value) {
  const auto* constant = llvm::dyn_cast<llvm::ConstantInt>(value);
  if (!constant || constant->getBitWidth() > 64)
    return std::nullopt;
  return constant->getSExtValue();
}

/// What the operation makes of a number and `constant`, in a work-item whose number is larger by
/// `offset` than that of the packet's first one, less what it makes in that one, whose number is a
/// multiple of `unit`; the packet ends before the next multiple.
std::optional<int64_t> offsetInUnit(unsigned opcode, int64_t offset, int64_t constant,
                                    uint64_t unit) {
  const bool divides = constant > 0 && unit % static_cast<uint64_t>(constant) == 0;
  switch (opcode) {
  // None of the bits in which its work-items differ is set in the first number.
  case llvm::Instruction::And:
    return llvm::isPowerOf2_64(unit) ? std::optional(offset & constant) : std::nullopt;
  case llvm::Instruction::Xor:
    return llvm::isPowerOf2_64(unit) && constant >= 0 && static_cast<uint64_t>(constant) < unit
               ? std::optional((offset ^ constant) - constant)
               : std::nullopt;
  case llvm::Instruction::AShr:
  case llvm::Instruction::LShr:
    return llvm::isPowerOf2_64(unit) && constant >= 0 && constant <= 31
               ? std::optional(offset >> constant)
               : std::nullopt;
  case llvm::Instruction::UDiv:
    return divides ? std::optional(offset / constant) : std::nullopt;
  case llvm::Instruction::URem:
    return divides ? std::optional(offset % constant) : std::nullopt;
  default:
    return std::nullopt;
  }
}

} // namespace

Shapes::Shapes(llvm::Function& region, const Uniformity& uniformity,
               llvm::ScalarEvolution& evolution, UniformityRoot root, unsigned width)
    : region_(region), isColumn_(root.of == UniformityRoot::Of::Column), uniformity_(uniformity),
      ids_(region, root.alignment), evolution_(evolution), arrays_(region),
      item_(implicitArgument(region, ImplicitArgument::Item, isColumn_ ? 1 : 0)),
      itemIndex_(isColumn_ ? nullptr : regionParameter(region, RegionParameter::ItemIndex)),
      itemsOfDimensions_{implicitArgument(region, ImplicitArgument::Item, 0),
                         implicitArgument(region, ImplicitArgument::Item, 1),
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
        const auto* phi = llvm::dyn_cast<llvm::PHINode>(&instruction);
        const Shape shape =
            phi ? ofPhi(*phi)
                : evolved(instruction, [this](const llvm::Value* value) { return of(value); });
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
  if (uniformity_.isUniform(*value))
    return Shape::uniform();
  const auto found = shapes_.find(value);
  return found == shapes_.end() ? Shape::varying() : found->second;
}

/// What a packet of another row has need not be made from that of the first, where nobody may run:
/// so along a column no value has a shape that goes through a variable or may wrap.
Shape Shapes::evolved(const llvm::Instruction& instruction, Operands of) const {
  if (const auto* address = llvm::dyn_cast<llvm::GetElementPtrInst>(&instruction))
    return ofAddress(*address, of);
  if (const auto* conversion = llvm::dyn_cast<llvm::CastInst>(&instruction))
    return ofConversion(*conversion, of);
  if (instruction.isBinaryOp())
    return ofBinary(instruction, of);
  if (llvm::isa<llvm::SelectInst>(instruction) && instruction.getType()->isIntOrPtrTy() &&
      of(instruction.getOperand(0)).isUniform() &&
      of(instruction.getOperand(1)) == of(instruction.getOperand(2)))
    return of(instruction.getOperand(1));
  if (isColumn_)
    return Shape::varying();
  if (const auto* variable = llvm::dyn_cast<llvm::AllocaInst>(&instruction))
    return Shape::affine(static_cast<int64_t>(arrays_.stride(*variable)));
  if (llvm::isa<llvm::FreezeInst>(instruction))
    return of(instruction.getOperand(0));
  return Shape::varying();
}

Shape Shapes::ofConversion(const llvm::CastInst& conversion, Operands of) const {
  const llvm::Value* operand = conversion.getOperand(0);
  switch (conversion.getOpcode()) {
  case llvm::Instruction::Trunc:
    return conversion.getType()->isIntegerTy() && conversion.getType()->getIntegerBitWidth() >= 8 &&
                   !of(operand).factor
               ? of(operand)
               : Shape::varying();
  case llvm::Instruction::AddrSpaceCast:
    return of(operand);
  case llvm::Instruction::SExt:
  case llvm::Instruction::ZExt: {
    const bool isRight = conversion.getOpcode() == llvm::Instruction::SExt ||
                         llvm::cast<llvm::PossiblyNonNegInst>(conversion).hasNonNeg();
    return !isColumn_ && of(operand).isShifted() && isExact(operand) &&
                   (isRight || !range(operand).getSignedMin().isNegative())
               ? of(operand)
               : Shape::varying();
  }
  default:
    return Shape::varying();
  }
}

/// Only where the phi opens a loop do all work-items that run it come along the same edge.
Shape Shapes::ofPhi(const llvm::PHINode& phi) const {
  if (!phi.getType()->isIntOrPtrTy() || phi.getNumIncomingValues() != 2 || isColumn_)
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

Shape Shapes::ofBinary(const llvm::Instruction& instruction, Operands of) const {
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
  if (a.isUniform() && b.isUniform())
    return Shape::uniform();
  if (const Shape part = ofPartOfId(instruction, a); !part.isVarying())
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
  case llvm::Instruction::Mul:
    return a.isUniform() ? product(b, left) : b.isUniform() ? product(a, right) : Shape::varying();
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

/// Of what is made of an id of shape `id` and constants, such as the id's place in a shorter row:
/// the packet's work-items have constants, or constants and something in common.
Shape Shapes::ofPartOfId(const llvm::Instruction& instruction, Shape id) const {
  if (width_ == 0)
    return Shape::varying();
  if (startsAtZero_)
    if (const Shape shape = ofConstants(instruction); !shape.isVarying())
      return shape;
  const std::optional<int64_t> constant = constantOf(instruction.getOperand(1));
  const uint64_t unit = constant ? ids_.unit(instruction.getOperand(0)) : 0;
  for (unsigned item = 0; item < items_; ++item)
    if (static_cast<uint64_t>(id.offset(item)) >= unit)
      return Shape::varying();
  std::vector<int64_t> offsets(width_);
  for (unsigned item = 0; item < width_; ++item)
    if (const auto offset = offsetInUnit(instruction.getOpcode(), id.offset(item), *constant, unit))
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
    const auto ofLeaf = [&](const llvm::Value* leaf) -> std::optional<llvm::KnownBits> {
      if (leaf == item_)
        return llvm::KnownBits::makeConstant(llvm::APInt(64, std::min(item, items_ - 1)));
      return std::nullopt;
    };
    const std::optional<llvm::KnownBits> bits = bitsOf(instruction, ofLeaf, 0);
    if (!bits || !bits->isConstant())
      return Shape::varying();
    const auto number = static_cast<uint64_t>(bits->getConstant().getSExtValue());
    if (item == 0)
      first = number;
    offsets[item] = static_cast<int64_t>(number - first); // wraps as the numbers do
  }
  return fromOffsets(std::move(offsets));
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
    const bool areAlike = a.factor == b.factor || a.isUniform() || b.isUniform();
    return !areAlike || overflows(a.stride, b.stride, stride)
               ? Shape::varying()
               : Shape::affine(stride, a.factor ? a.factor : b.factor);
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

/// Times what is uniform.
Shape Shapes::product(Shape shape, const llvm::Value* factor) const {
  if (const std::optional<int64_t> constant = constantOf(factor))
    return scaled(shape, *constant);
  return isColumn_ && shape.isAffine() && !shape.factor ? Shape::affine(shape.stride, factor)
                                                        : Shape::varying();
}

Shape Shapes::ofAddress(const llvm::GetElementPtrInst& address, Operands of) const {
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

std::optional<llvm::APInt> strideInRow(const llvm::SCEV& number, llvm::Function& region,
                                       llvm::ScalarEvolution& evolution) {
  llvm::Argument* item = implicitArgument(region, ImplicitArgument::Item);
  llvm::ValueToSCEVMapTy next;
  next[item] = evolution.getAddExpr(evolution.getSCEV(item), evolution.getOne(item->getType()));
  const auto* stride = llvm::dyn_cast<llvm::SCEVConstant>(evolution.getMinusSCEV(
      llvm::SCEVParameterRewriter::rewrite(&number, evolution, next), &number));
  return stride ? std::optional(stride->getAPInt()) : std::nullopt;
}

const Shapes& LaneShapes::of(UniformityRoot root, unsigned width) {
  std::unique_ptr<Shapes>& shapes = known_[{root, width}];
  if (!shapes)
    shapes = std::make_unique<Shapes>(*region_, uniformities_->of(root), *evolution_, root, width);
  return *shapes;
}

bool LaneShapes::invalidate(llvm::Function& region, const llvm::PreservedAnalyses& preserved,
                            llvm::FunctionAnalysisManager::Invalidator& invalidator) {
  auto checker = preserved.getChecker<ShapeAnalysis>();
  return !(checker.preserved() || checker.preservedSet<llvm::AllAnalysesOn<llvm::Function>>()) ||
         invalidator.invalidate<UniformityAnalysis>(region, preserved) ||
         invalidator.invalidate<llvm::ScalarEvolutionAnalysis>(region, preserved);
}

LaneShapes ShapeAnalysis::run(llvm::Function& region, llvm::FunctionAnalysisManager& analyses) {
  return {region, analyses.getResult<UniformityAnalysis>(region),
          analyses.getResult<llvm::ScalarEvolutionAnalysis>(region)};
}

llvm::AnalysisKey ShapeAnalysis::Key;

} // namespace quern::compiler
