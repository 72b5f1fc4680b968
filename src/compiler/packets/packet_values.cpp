#include "compiler/packets/packet_values.h"

#include <llvm/IR/CFG.h>
#include <llvm/IR/Dominators.h>

#include "compiler/il/kernel_function.h"
#include "compiler/il/region_function.h"

namespace quern::compiler {

using llvm::Value;

llvm::Type* PacketValues::typeOf(const Value* value) const {
  return plan_.shapes.of(value).isVarying() ? vectorType(value->getType()) : value->getType();
}

void PacketValues::createVariables() {
  createPositions();
  findFirstBlocks();
  for (llvm::BasicBlock& block : plan_.region)
    for (llvm::PHINode& phi : block.phis())
      plan_.sharing.forEachOwner(plan_.sharing.varyingDimensions(&phi), [&](unsigned packet) {
        setPacket(packet);
        createVariable(phi);
      });
}

/// For each phi the last block, once in each iteration of the loops that it is in, on all ways to
/// it. Work-items leave a loop in several iterations, so that for what is behind that block lies
/// outside, too.
void PacketValues::findFirstBlocks() {
  const llvm::DominatorTree dominators(plan_.region);
  for (llvm::BasicBlock& block : plan_.region) {
    const llvm::DomTreeNode* node = dominators.getNode(&block);
    if (!node || block.phis().empty())
      continue;
    const llvm::Loop* around = nullptr;
    do {
      node = node->getIDom();
      around = plan_.loops.getLoopFor(node->getBlock());
    } while (around && !around->contains(&block));
    for (llvm::PHINode& phi : block.phis())
      phisAfter_[node->getBlock()].push_back(&phi);
  }
}

void PacketValues::forgetPhis(llvm::BasicBlock& block) {
  for (llvm::PHINode* phi : phisAfter_.lookup(&block))
    plan_.sharing.forEachOwner(plan_.sharing.varyingDimensions(phi), [&](unsigned packet) {
      setPacket(packet);
      builder_.CreateStore(llvm::PoisonValue::get(typeOf(phi)), variables_.lookup(key(phi)));
    });
}

void PacketValues::createPositions() {
  const PacketTile tile = plan_.sharing.tile();
  llvm::Function& region = plan_.region;
  const auto place = [&](llvm::Argument* parameter, auto offsetOf) {
    if (parameter->use_empty())
      return;
    plan_.sharing.forEachOwner(plan_.sharing.varyingDimensions(parameter), [&](unsigned packet) {
      Value* start = function_.getArg(parameter->getArgNo());
      positions_[{parameter, packet}] =
          packet == 0 ? start : builder_.CreateNUWAdd(start, offsetOf(packet));
    });
  };
  const auto column = [&](unsigned packet) -> Value* {
    return builder_.getInt64(uint64_t{packet % tile.columns} * plan_.width);
  };
  const auto row = [&](unsigned packet) -> Value* {
    return builder_.getInt64(packet / tile.columns);
  };
  if (plan_.shapes.isWholeRow())
    positions_[{implicitArgument(region, ImplicitArgument::Item, 0), 0}] = builder_.getInt64(0);
  else
    place(implicitArgument(region, ImplicitArgument::Item, 0), column);
  place(implicitArgument(region, ImplicitArgument::Item, 1), row);
  place(regionParameter(region, RegionParameter::ItemIndex), [&](unsigned packet) {
    return builder_.CreateNUWAdd(
        builder_.CreateNUWMul(implicitArgument(function_, ImplicitArgument::Size, 0), row(packet)),
        column(packet));
  });
}

llvm::AllocaInst* PacketValues::createVariable(const Value& value) {
  llvm::BasicBlock& start = function_.getEntryBlock();
  llvm::IRBuilder<> builder(&start, start.begin());
  return variables_[key(&value)] = builder.CreateAlloca(typeOf(&value), nullptr, value.getName());
}

llvm::AllocaInst* PacketValues::memoryOf(llvm::Type* type) {
  llvm::IRBuilder<>::InsertPointGuard guard(builder_);
  llvm::BasicBlock& start = function_.getEntryBlock();
  builder_.SetInsertPoint(&start, start.begin());
  return builder_.CreateAlloca(type);
}

llvm::AllocaInst* PacketValues::scratchOf(llvm::Type* type, unsigned number) {
  llvm::AllocaInst*& memory = scratch_[{type, number}];
  if (!memory)
    memory = memoryOf(type);
  return memory;
}

void PacketValues::beginBlock(Masks masks) {
  values_.clear();
  masks_ = std::move(masks);
  packet_ = 0;
}

/// What an earlier block made of `value`, by way of a variable that is written where it was made.
/// That it was made is asked also in release builds: nothing else must be read in its place.
Value* PacketValues::fromOtherBlock(const Value& value) {
  llvm::AllocaInst* variable = variables_.lookup(key(&value));
  if (!variable) {
    Value* made = made_.lookup(key(&value));
    if (!made)
      llvm::report_fatal_error("a packet asks for a value that is not made before");
    auto* instruction = llvm::dyn_cast<llvm::Instruction>(made);
    if (!instruction || instruction->getParent() == &function_.getEntryBlock())
      return made;
    variable = createVariable(value);
    llvm::IRBuilder<>(instruction->getParent(), *instruction->getInsertionPointAfterDef())
        .CreateStore(made, variable);
    if (llvm::Instruction* branch = skips_.lookup(llvm::cast<llvm::Instruction>(value).getParent()))
      llvm::IRBuilder<>(branch).CreateStore(llvm::PoisonValue::get(made->getType()), variable);
  }
  return builder_.CreateLoad(typeOf(&value), variable, value.getName());
}

/// A vector, where it varies.
Value* PacketValues::scalar(Value* value) {
  if (auto* argument = llvm::dyn_cast<llvm::Argument>(value)) {
    const auto position = positions_.find(key(value));
    return position != positions_.end() ? position->second : function_.getArg(argument->getArgNo());
  }
  if (!llvm::isa<llvm::Instruction>(value))
    return value;
  Value*& known = values_[key(value)];
  if (!known)
    known = fromOtherBlock(*value);
  return known;
}

Value* PacketValues::shifted(Value* base, const Shape& shape) {
  const bool isPointer = base->getType()->isPointerTy();
  llvm::Type* type = isPointer ? builder_.getInt64Ty() : base->getType();
  llvm::SmallVector<llvm::Constant*, 16> steps;
  for (unsigned i = 0; i < plan_.width; ++i)
    steps.push_back(llvm::ConstantInt::get(
        builder_.getContext(),
        llvm::APInt(64, static_cast<uint64_t>(shape.offset(i))).trunc(type->getIntegerBitWidth())));
  llvm::Constant* offsets = llvm::ConstantVector::get(steps);
  return isPointer ? builder_.CreateGEP(builder_.getInt8Ty(), base, offsets)
                   : builder_.CreateAdd(builder_.CreateVectorSplat(plan_.width, base), offsets);
}

Value* PacketValues::vector(Value* value) {
  const Shape shape = plan_.shapes.of(value);
  Value* made = scalar(value);
  if (shape.isVarying())
    return made;
  return shape.isShifted() ? shifted(made, shape) : forEachItem(builder_, made, plan_.width);
}

Value* PacketValues::first(Value* value) {
  Value* made = scalar(value);
  return plan_.shapes.of(value).isVarying() ? builder_.CreateExtractElement(made, uint64_t{0})
                                            : made;
}

Value* PacketValues::any(const Masks& masks) {
  Value* all = nullptr;
  for (Value* mask : masks)
    all = all ? builder_.CreateOr(all, mask) : mask;
  return builder_.CreateOrReduce(all);
}

/// The work-items of `masks` in the packets that differ only in other dimensions than
/// `varyingDimensions` from the current one; null for all.
Value* PacketValues::maskOf(unsigned varyingDimensions, const Masks& masks) {
  Value* mask = nullptr;
  const unsigned owner = plan_.sharing.owner(varyingDimensions, packet_);
  for (unsigned packet = 0; packet < masks.size(); ++packet)
    if (plan_.sharing.owner(varyingDimensions, packet) == owner)
      mask = mask ? builder_.CreateOr(mask, masks[packet]) : masks[packet];
  return mask;
}

Value* PacketValues::maskOrAll() const {
  return mask_ ? mask_ : llvm::Constant::getAllOnesValue(vectorType(builder_.getInt1Ty()));
}

Value* PacketValues::maskBits() {
  return builder_.CreateBitCast(maskOrAll(), builder_.getIntNTy(plan_.width));
}

Value* PacketValues::holdingBits(Value* predicate) {
  Value* values = vector(predicate);
  Value* holds = builder_.CreateFreeze(
      builder_.CreateICmpNE(values, llvm::Constant::getNullValue(values->getType())));
  return builder_.CreateAnd(builder_.CreateBitCast(holds, builder_.getIntNTy(plan_.width)),
                            maskBits());
}

void PacketValues::prepareEdges(llvm::BasicBlock& from) {
  for (llvm::BasicBlock* to : llvm::successors(&from))
    for (llvm::PHINode& phi : to->phis())
      plan_.sharing.forEachOwner(plan_.sharing.varyingDimensions(&phi), [&](unsigned packet) {
        setPacket(packet);
        scalar(phi.getIncomingValueForBlock(&from));
      });
}

void PacketValues::passToPhis(llvm::BasicBlock& from, llvm::BasicBlock& to, const Masks& masks) {
  const bool isHeader = plan_.loops.isLoopHeader(&to);
  llvm::SmallVector<std::pair<llvm::AllocaInst*, Value*>> passed;
  for (llvm::PHINode& phi : to.phis()) {
    Value* incoming = phi.getIncomingValueForBlock(&from);
    const bool isVarying = plan_.shapes.of(&phi).isVarying();
    const unsigned varyingDimensions = plan_.sharing.varyingDimensions(&phi);
    plan_.sharing.forEachOwner(varyingDimensions, [&](unsigned packet) {
      setPacket(packet);
      llvm::AllocaInst* variable = variables_.lookup(key(&phi));
      Value* value = isVarying ? vector(incoming) : scalar(incoming);
      // Of work-items that do not go on to a loop's first or next iteration it does not matter what
      // that makes of their values, for those that leave it are kept behind it.
      Value* mask = isHeader ? nullptr : maskOf(varyingDimensions, masks);
      if (mask) {
        Value* before = builder_.CreateLoad(value->getType(), variable);
        value = builder_.CreateSelect(
            isVarying ? forEachElement(builder_, mask, elementsOf(phi.getType()))
                      : builder_.CreateOrReduce(mask),
            value, before);
      }
      passed.emplace_back(variable, value);
    });
  }
  for (auto [variable, value] : passed)
    builder_.CreateStore(value, variable);
}

} // namespace quern::compiler
