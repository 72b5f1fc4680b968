#include "compiler/packets/packet_values.h"

#include <llvm/IR/IntrinsicInst.h>

#include "compiler/packets/each_item.h"
#include "compiler/packets/guards.h"

#include "compiler/il/boundary.h"
#include "compiler/il/kernel_function.h"
#include "compiler/il/packet_operation.h"
#include "compiler/il/region_function.h"
#include "compiler/il/sub_group_form.h"

namespace quern::compiler {

using llvm::Value;

PacketValues::PacketValues(const PacketPlan& plan, llvm::Function& function,
                           llvm::IRBuilder<>& builder)
    : plan_(plan), function_(function), builder_(builder),
      steps_(plan.region, plan.sharing, plan.shapes) {}

llvm::VectorType* PacketValues::vectorType(llvm::Type* element) const {
  return llvm::FixedVectorType::get(element, plan_.width);
}

llvm::Type* PacketValues::typeOf(const Value* value) const {
  return plan_.shapes.of(value).isVarying() ? vectorType(value->getType()) : value->getType();
}

void PacketValues::createVariables() {
  createPositions();
  for (llvm::BasicBlock& block : plan_.region)
    for (llvm::PHINode& phi : block.phis())
      plan_.sharing.forEachOwner(plan_.sharing.varyingDimensions(&phi), [&](unsigned packet) {
        setPacket(packet);
        createVariable(phi);
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
  }
  return builder_.CreateLoad(typeOf(&value), variable, value.getName());
}

/// A scalar or a vector, as the shape says.
Value* PacketValues::current(Value* value) {
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
  Value* made = current(value);
  if (shape.isVarying())
    return made;
  return shape.isShifted() ? shifted(made, shape) : builder_.CreateVectorSplat(plan_.width, made);
}

Value* PacketValues::first(Value* value) {
  Value* made = current(value);
  return plan_.shapes.of(value).isVarying() ? builder_.CreateExtractElement(made, uint64_t{0})
                                            : made;
}

Value* PacketValues::any(const Masks& masks) {
  Value* all = nullptr;
  for (Value* mask : masks)
    all = all ? builder_.CreateOr(all, mask) : mask;
  return builder_.CreateOrReduce(all);
}

Value* PacketValues::maskOf(unsigned varyingDimensions, const Masks& masks) {
  Value* mask = nullptr;
  const unsigned owner = plan_.sharing.owner(varyingDimensions, packet_);
  for (unsigned packet = 0; packet < masks.size(); ++packet)
    if (plan_.sharing.owner(varyingDimensions, packet) == owner)
      mask = mask ? builder_.CreateOr(mask, masks[packet]) : masks[packet];
  return mask;
}

Value* PacketValues::maskOrAll() {
  return mask_ ? mask_ : llvm::Constant::getAllOnesValue(vectorType(builder_.getInt1Ty()));
}

void PacketValues::prepareEdges(llvm::BasicBlock& from) {
  for (llvm::BasicBlock* to : llvm::successors(&from))
    for (llvm::PHINode& phi : to->phis())
      plan_.sharing.forEachOwner(plan_.sharing.varyingDimensions(&phi), [&](unsigned packet) {
        setPacket(packet);
        current(phi.getIncomingValueForBlock(&from));
      });
}

void PacketValues::passToPhis(llvm::BasicBlock& from, llvm::BasicBlock& to, const Masks& masks) {
  const bool isRepeated =
      plan_.loops.isLoopHeader(&to) && plan_.loops.getLoopFor(&to)->contains(&from);
  llvm::SmallVector<std::pair<llvm::AllocaInst*, Value*>> passed;
  for (llvm::PHINode& phi : to.phis()) {
    Value* incoming = phi.getIncomingValueForBlock(&from);
    const bool isVarying = plan_.shapes.of(&phi).isVarying();
    const unsigned varyingDimensions = plan_.sharing.varyingDimensions(&phi);
    plan_.sharing.forEachOwner(varyingDimensions, [&](unsigned packet) {
      setPacket(packet);
      llvm::AllocaInst* variable = variables_.lookup(key(&phi));
      Value* value = isVarying ? vector(incoming) : scalar(incoming);
      // Work-items that do not go on to the next iteration have left the loop: what it makes of
      // their values does not matter, for those that leave it are kept behind it.
      Value* mask = isVarying && isRepeated ? nullptr : maskOf(varyingDimensions, masks);
      if (mask) {
        Value* before = builder_.CreateLoad(value->getType(), variable);
        value =
            builder_.CreateSelect(isVarying ? mask : builder_.CreateOrReduce(mask), value, before);
      }
      passed.emplace_back(variable, value);
    });
  }
  for (auto [variable, value] : passed)
    builder_.CreateStore(value, variable);
}

void PacketValues::define(llvm::Instruction& instruction, Value* value) {
  values_[key(&instruction)] = made_[key(&instruction)] = value;
}

void PacketValues::emit(llvm::Instruction& instruction) {
  if (llvm::isa<llvm::PHINode>(instruction) || instruction.isDebugOrPseudoInst())
    return;
  if (isPacketBarrier(instruction))
    return;
  if (const auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
      call && (call->isAssumeLikeIntrinsic() || call->isLifetimeStartOrEnd()))
    return;
  builder_.SetCurrentDebugLocation(instruction.getDebugLoc());
  if (isPacketAll(instruction)) {
    Value* all = holdsForAll(instruction.getOperand(0));
    setPacket(0);
    define(instruction, all);
    return;
  }
  const InterleaveGroup* group = plan_.accesses.groupOf(&instruction);
  if (group && group->place().access != &instruction)
    return;
  unsigned varyingDimensions = 0;
  if (group)
    for (auto [access, offset] : group->members)
      varyingDimensions |= plan_.sharing.varyingDimensions(access);
  else
    varyingDimensions = plan_.sharing.varyingDimensions(&instruction);
  // What all packets store alike, those that run it must store.
  if (instruction.mayWriteToMemory() && !masks_.empty())
    varyingDimensions = TileSharing::everyDimension;
  const bool asksForMask = instruction.mayReadOrWriteMemory() || instruction.isIntDivRem() ||
                           llvm::isa<llvm::CallInst>(instruction);
  plan_.sharing.forEachOwner(varyingDimensions, [&](unsigned packet) {
    setPacket(packet);
    mask_ = asksForMask ? maskOf(varyingDimensions, masks_) : nullptr;
    if (group)
      emitGroup(*group);
    else
      emitOne(instruction);
  });
}

void PacketValues::emitOne(llvm::Instruction& instruction) {
  if (isCombinable(instruction) && plan_.shapes.of(instruction.getOperand(0)).isUniform()) {
    emitCombined(llvm::cast<llvm::AtomicRMWInst>(instruction));
    return;
  }
  if (isPacketCollective(instruction)) {
    define(instruction, emitGroupCollective(llvm::cast<llvm::CallInst>(instruction)));
    return;
  }
  if (isSubGroupOperation(instruction)) {
    define(instruction, emitSubGroupOperation(llvm::cast<llvm::CallInst>(instruction)));
    return;
  }
  if (runsForEachItem(instruction)) {
    emitEachItem(instruction);
    return;
  }
  if (auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction)) {
    emitStore(*store);
    return;
  }
  if (auto* variable = llvm::dyn_cast<llvm::AllocaInst>(&instruction)) {
    define(*variable, emitVariable(*variable));
    return;
  }
  if (auto* address = llvm::dyn_cast<llvm::GetElementPtrInst>(&instruction);
      address && plan_.shapes.arrays().isInterleaved(address)) {
    define(*address, emitInterleavedAddress(*address));
    return;
  }
  const Shape shape = plan_.shapes.of(&instruction);
  if (shape.isVarying())
    define(instruction, emitVector(instruction));
  else if (shape.isShifted() && llvm::isa<llvm::SExtInst, llvm::ZExtInst>(instruction))
    define(instruction, emitWide(instruction));
  else if (Value* stepped = fromOtherRow(instruction))
    define(instruction, stepped);
  else
    define(instruction, emitScalar(instruction));
}

} // namespace quern::compiler
