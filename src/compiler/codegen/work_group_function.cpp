#include "compiler/codegen/work_group_function.h"

#include <llvm/ADT/BitVector.h>
#include <llvm/ADT/SetVector.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/MDBuilder.h>
#include <llvm/Transforms/Utils/Cloning.h>

#include "abi/checked_launch.h"
#include "abi/cpu_kernel.h"
#include "compiler/codegen/following_regions.h"
#include "compiler/codegen/group_collectives.h"
#include "compiler/codegen/loop_properties.h"
#include "compiler/il/address_space.h"
#include "compiler/il/argument_layout.h"
#include "compiler/il/group_shape.h"
#include "compiler/il/kernel_function.h"
#include "compiler/il/names.h"
#include "compiler/il/work_item_functions.h"
#include "compiler/packets/report.h"
#include "compiler/packets/shapes.h"

namespace quern::compiler {
namespace {

/// Parameters of abi::KernelEntry.
enum EntryParameter : unsigned {
  Arguments,
  Launch,
  Scratch,
  GroupXBegin,
  GroupXEnd,
  GroupY,
  GroupZ
};

/// abi::GroupScratch::context.
constexpr uint64_t contextAlignment = 128;
/// Of a context on the stack of a thread, which may be one of the program.
constexpr uint64_t maxSmallContextBytes = 16 << 10;
/// Of vectors where nothing is said of them.
constexpr unsigned leastVectorBits = 128;
/// A way that leads through so many regions is cut for LLVM's analyses.
constexpr size_t regionsOnOneWay = 16;

llvm::Function* createEntry(llvm::Function& region, const std::string& symbol) {
  llvm::LLVMContext& context = region.getContext();
  llvm::Type* pointer = llvm::PointerType::get(context, 0);
  llvm::Type* int64 = llvm::Type::getInt64Ty(context);
  llvm::Function* entry = llvm::Function::Create(
      llvm::FunctionType::get(llvm::Type::getVoidTy(context),
                              {pointer, pointer, pointer, int64, int64, int64, int64}, false),
      llvm::GlobalValue::ExternalLinkage, symbol);
  region.getParent()->getFunctionList().insert(region.getIterator(), entry);
  for (llvm::StringRef attribute :
       {names::kernelAttribute, names::localBytesAttribute, names::privateBytesAttribute,
        names::contextUniformBytesAttribute, names::contextItemBytesAttribute,
        names::flushDenormalsAttribute, names::subGroupSizeAttribute, names::flatAttribute,
        names::seesOffsetAttribute, names::storedBytesAttribute, names::divisorArgumentsAttribute,
        names::smallArgumentsAttribute, names::chosenWidthAttribute,
        names::alternativeWidthsAttribute, names::unlikelyWidthsAttribute,
        names::packetDimensionAttribute, names::groupShapeAttribute})
    if (region.hasFnAttribute(attribute))
      entry->addFnAttr(region.getFnAttribute(attribute));
  entry->addFnAttr(llvm::Attribute::NoUnwind);
  static constexpr const char* parameterNames[] = {
      "arguments", "launch", "scratch", "group.x.begin", "group.x.end", "group.y", "group.z"};
  for (llvm::Argument& parameter : entry->args()) {
    parameter.setName(parameterNames[parameter.getArgNo()]);
    parameter.addAttr(llvm::Attribute::NoUndef);
    if (parameter.getType()->isPointerTy()) {
      parameter.addAttr(llvm::Attribute::NoAlias);
      parameter.addAttr(llvm::Attribute::ReadOnly);
    }
  }
  const auto describe = [&](unsigned index, uint64_t bytes, uint64_t alignment) {
    entry->addDereferenceableParamAttr(index, bytes);
    entry->addParamAttr(index, llvm::Attribute::getWithAlignment(context, llvm::Align(alignment)));
  };
  describe(1, sizeof(abi::LaunchInfo), alignof(abi::LaunchInfo));
  describe(2, sizeof(abi::GroupScratch), alignof(abi::GroupScratch));
  return entry;
}

/// Bytes of the context where each work-group is one packet, so that it may be a variable, whose
/// parts LLVM turns into values: then what lives across a barrier stays in registers. Otherwise 0.
uint64_t bytesOfSmallContext(const std::vector<llvm::Function*>& regions) {
  const llvm::Function& region = *regions.front();
  const std::array<uint64_t, maxDimensions> required = requiredWorkGroupSize(region);
  const uint64_t itemBytes = numberAttribute(region, names::contextItemBytesAttribute);
  if (required[0] == 0 || itemBytes == 0)
    return 0;
  uint64_t width = UINT64_MAX, widest = 0;
  for (const llvm::Function* one : regions)
    if (const uint64_t own = numberAttribute(*one, names::packetWidthAttribute)) {
      width = std::min(width, own);
      widest = std::max(widest, own);
    }
  for (unsigned dimension = 0; dimension < maxDimensions; ++dimension)
    if (isFlat(region, dimension) || required[dimension] > width)
      return 0;
  const uint64_t items = required[0] * required[1] * required[2];
  const uint64_t bytes =
      numberAttribute(region, names::contextUniformBytesAttribute) + itemBytes * widest;
  return widest != 0 && items <= width && bytes <= maxSmallContextBytes ? bytes : 0;
}

} // namespace

WorkGroupFunction::WorkGroupFunction(std::vector<llvm::Function*> regions,
                                     const std::string& symbol, llvm::Function* withoutPackets,
                                     llvm::Function* subGroupPackets, unsigned vectorBits)
    : regions_(std::move(regions)), withoutPackets_(withoutPackets),
      subGroupPackets_(subGroupPackets), vectorBits_(vectorBits),
      function_(*createEntry(*regions_.front(), symbol)), builder_(function_.getContext()),
      int64_(builder_.getInt64Ty()), entry_(newBlock("entry")) {
  builder_.SetInsertPoint(entry_);
}

llvm::BasicBlock* WorkGroupFunction::newBlock(const llvm::Twine& name) {
  return llvm::BasicBlock::Create(function_.getContext(), name, &function_);
}

llvm::Function* WorkGroupFunction::build() {
  if (const uint64_t bytes = numberAttribute(*regions_.front(), names::uniformBytesAttribute)) {
    llvm::Type* type = llvm::ArrayType::get(builder_.getInt8Ty(), bytes);
    for (auto [place, name] :
         {std::pair(&uniformsIn_, "uniforms.in"), std::pair(&uniformsOut_, "uniforms.out")}) {
      llvm::AllocaInst* block = builder_.CreateAlloca(type, nullptr, name);
      block->setAlignment(llvm::Align(64));
      *place = block;
    }
  } else {
    uniformsIn_ = uniformsOut_ = llvm::PoisonValue::get(builder_.getPtrTy());
  }
  if (regions_.front()->hasFnAttribute(names::nextRegionOffsetAttribute))
    lowestNext_ = builder_.CreateAlloca(builder_.getInt32Ty(), nullptr, "next.lowest");
  const bool anyHasPackets = std::ranges::any_of(
      regions_, [](const llvm::Function* region) { return hasPackets(*region); });
  if (anyHasPackets)
    next_ = builder_.CreateAlloca(builder_.getInt32Ty(), nullptr, "next.region");
  local_ = scratchField(builder_.getPtrTy(address_space::local), offsetof(abi::GroupScratch, local),
                        "local");
  if (const uint64_t bytes = bytesOfSmallContext(regions_)) {
    llvm::AllocaInst* context = builder_.CreateAlloca(
        llvm::ArrayType::get(builder_.getInt8Ty(), bytes), nullptr, "context");
    context->setAlignment(llvm::Align(contextAlignment));
    context_ = context;
  } else {
    context_ = scratchField(builder_.getPtrTy(), offsetof(abi::GroupScratch, context), "context");
  }
  loadArguments();
  loadLaunch();
  if (withoutPackets_)
    leaveLargeIds();
  else if (anyHasPackets || subGroupPackets_)
    setNumberAttribute(function_, names::rangeLimitAttribute, maxPacketId);
  if (subGroupPackets_)
    leaveSubGroups();
  computePosition(1, function_.getArg(GroupY));
  computePosition(2, function_.getArg(GroupZ));
  if (isFlat(*regions_.front(), 0))
    addFlatGroup();
  else
    addGroupLoop();
  inlineRegions();
  return &function_;
}

/// Packets rely on ids below 2^31 (packets/shapes.h).
void WorkGroupFunction::leaveLargeIds() {
  llvm::Value* limit = builder_.getInt64(maxPacketId);
  llvm::Value* areLarge = builder_.getFalse();
  for (unsigned dimension = 0; dimension < 3; ++dimension) {
    llvm::Value* end = builder_.CreateAdd(globalOffset_[dimension], globalSize_[dimension]);
    for (llvm::Value* id : {globalOffset_[dimension], end})
      areLarge = builder_.CreateOr(areLarge, builder_.CreateICmpUGT(id, limit));
  }
  leaveTo(*withoutPackets_, areLarge, "large.ids");
}

/// Where all groups have the size that the form counts work-items by. Otherwise where no row of a
/// group ends inside a sub-group, or each group has only one.
void WorkGroupFunction::leaveSubGroups() {
  if (hasOwnShape(*subGroupPackets_)) {
    llvm::Value* outside = builder_.getInt64(0);
    for (unsigned dimension = 0; dimension < 3; ++dimension)
      outside = builder_.CreateOr(
          outside, builder_.CreateURem(globalSize_[dimension], launchSize_[dimension]));
    leaveTo(*subGroupPackets_, builder_.CreateICmpEQ(outside, builder_.getInt64(0)), "sub.groups");
    return;
  }
  llvm::Value* rest = builder_.CreateAnd(builder_.CreateOr(launchSize_[0], globalSize_[0]),
                                         subGroupSize(*regions_.front()) - 1);
  llvm::Value* one = builder_.getInt64(1);
  llvm::Value* hasOneRow = builder_.CreateAnd(builder_.CreateICmpEQ(launchSize_[1], one),
                                              builder_.CreateICmpEQ(launchSize_[2], one));
  leaveTo(*subGroupPackets_,
          builder_.CreateOr(builder_.CreateICmpEQ(rest, builder_.getInt64(0)), hasOneRow),
          "sub.groups");
}

/// Lets `other` do everything if `condition` holds.
void WorkGroupFunction::leaveTo(llvm::Function& other, llvm::Value* condition, const char* name) {
  llvm::BasicBlock* leaving = newBlock(name);
  llvm::BasicBlock* staying = newBlock(name + llvm::Twine(".not"));
  builder_.CreateCondBr(condition, leaving, staying);
  builder_.SetInsertPoint(leaving);
  llvm::SmallVector<llvm::Value*> arguments;
  for (llvm::Argument& argument : function_.args())
    arguments.push_back(&argument);
  llvm::CallInst* call = builder_.CreateCall(&other, arguments);
  if (auto* kernel = llvm::cast_or_null<llvm::DISubprogram>(
          regions_.front()->getMetadata(names::subprogramMetadata)))
    call->setDebugLoc(llvm::DILocation::get(call->getContext(), kernel->getLine(), 0, kernel));
  builder_.CreateRetVoid();
  builder_.SetInsertPoint(staying);
  entry_ = staying;
}

llvm::Value* WorkGroupFunction::scratchField(llvm::Type* type, uint64_t offset, const char* name) {
  llvm::Value* address =
      builder_.CreateConstInBoundsGEP1_64(builder_.getInt8Ty(), function_.getArg(Scratch), offset);
  return builder_.CreateAlignedLoad(type, address, llvm::Align(8), name);
}

/// A size in LaunchInfo, which is at least 1, or an offset.
llvm::Value* WorkGroupFunction::launchField(uint64_t offset, bool isSize, const char* name) {
  llvm::Value* address =
      builder_.CreateConstInBoundsGEP1_64(builder_.getInt8Ty(), function_.getArg(Launch), offset);
  llvm::LoadInst* value = builder_.CreateAlignedLoad(int64_, address, llvm::Align(8), name);
  if (isSize)
    value->setMetadata(llvm::LLVMContext::MD_range,
                       llvm::MDBuilder(function_.getContext())
                           .createRange(llvm::APInt(64, 1), llvm::APInt(64, 0)));
  return value;
}

/// Loads each argument once. The block itself has no alignment to rely on; structs are copied to
/// where they have theirs.
void WorkGroupFunction::loadArguments() {
  llvm::Function& region = *regions_.front();
  const ArgumentLayout layout = layOutArguments(region, kernelArgumentCount(region));
  for (unsigned i = 0; i < layout.places.size(); ++i) {
    const ArgumentPlace& place = layout.places[i];
    llvm::Argument* parameter = region.getArg(i);
    llvm::Value* address = builder_.CreateConstInBoundsGEP1_64(
        builder_.getInt8Ty(), function_.getArg(Arguments), place.offset);
    llvm::Value* value = nullptr;
    if (place.isByValue) {
      llvm::AllocaInst* copy = builder_.CreateAlloca(
          llvm::ArrayType::get(builder_.getInt8Ty(), place.bytes), nullptr, parameter->getName());
      copy->setAlignment(place.alignment);
      builder_.CreateMemCpy(copy, place.alignment, address, llvm::Align(1), place.bytes);
      value = copy;
    } else if (parameter->getType()->isPointerTy() &&
               parameter->getType()->getPointerAddressSpace() == address_space::local) {
      llvm::Value* offset = builder_.CreateAlignedLoad(int64_, address, llvm::Align(1));
      value =
          builder_.CreateInBoundsGEP(builder_.getInt8Ty(), local_, offset, parameter->getName());
    } else {
      llvm::LoadInst* load = builder_.CreateAlignedLoad(parameter->getType(), address,
                                                        llvm::Align(1), parameter->getName());
      if (parameter->hasNoAliasAttr())
        load->setMetadata(names::disjointMetadata, llvm::MDNode::get(function_.getContext(), {}));
      value = load;
    }
    arguments_.push_back(value);
  }
}

void WorkGroupFunction::loadLaunch() {
  const llvm::Function& region = *regions_.front();
  const std::array<uint64_t, 3> required = requiredWorkGroupSize(region);
  groupsAreFull_ = hasUniformGroups(region);
  for (unsigned i = 0; i < 3; ++i) {
    const uint64_t index = i * sizeof(uint64_t);
    launchSize_[i] =
        required[0] != 0 && !isFlat(region, i)
            ? llvm::cast<llvm::Value>(builder_.getInt64(required[i]))
            : launchField(offsetof(abi::LaunchInfo, tileSize) + index, true, "tile.size");
    globalSize_[i] =
        launchField(offsetof(abi::LaunchInfo, globalSize) + index, true, "global.size");
    globalOffset_[i] =
        launchField(offsetof(abi::LaunchInfo, globalOffset) + index, false, "global.offset");
  }
}

/// Size and first global id of the group at `group` in a dimension. Groups at the upper edge may be
/// cut off by the global size.
void WorkGroupFunction::computePosition(unsigned dimension, llvm::Value* group) {
  group_[dimension] = group;
  llvm::Value* start = builder_.CreateNUWMul(group, launchSize_[dimension]);
  first_[dimension] = builder_.CreateNUWAdd(start, globalOffset_[dimension], "first");
  size_[dimension] = launchSize_[dimension];
  if (groupsAreFull_ && !isFlat(*regions_.front(), dimension))
    return;
  llvm::Value* rest = builder_.CreateNUWSub(globalSize_[dimension], start);
  size_[dimension] = builder_.CreateBinaryIntrinsic(llvm::Intrinsic::umin, rest,
                                                    launchSize_[dimension], {}, "size");
}

/// All groups of the row as one.
void WorkGroupFunction::computeRange() {
  computePosition(0, function_.getArg(GroupXBegin));
  llvm::Value* end = builder_.CreateNUWMul(function_.getArg(GroupXEnd), launchSize_[0]);
  end = builder_.CreateBinaryIntrinsic(llvm::Intrinsic::umin, end, globalSize_[0]);
  size_[0] = builder_.CreateNUWSub(
      end, builder_.CreateNUWMul(function_.getArg(GroupXBegin), launchSize_[0]), "size");
}

void WorkGroupFunction::addRegions(llvm::BasicBlock* done) {
  if (hasOwnShape(*regions_.front()))
    for (unsigned dimension = 0; dimension < 3; ++dimension)
      size_[dimension] = builder_.getInt64(groupShape(*regions_.front())[dimension]);
  if (regions_.front()->hasFnAttribute(names::shadowsLocalAttribute))
    clearLocalShadow();
  items_ = builder_.CreateNUWMul(builder_.CreateNUWMul(size_[0], size_[1]), size_[2], "items");
  for (unsigned i = 0; i < regions_.size(); ++i)
    heads_.push_back(newBlock("region." + llvm::Twine(i)));
  for (const llvm::Function* region : regions_)
    if (const std::optional<Collective> collective = collectiveOf(*region))
      beginVote(*collective);
  if (lowestNext_) {
    std::vector<std::vector<unsigned>> exits;
    for (const llvm::Function* region : regions_)
      exits.push_back(regionExits(*region));
    following_ = followingRegions(exits);
    beginNextRegions();
  }
  addWayIn();
  for (unsigned i = 0; i < regions_.size(); ++i)
    addRegion(i, done);
  if (lowestNext_)
    addDivergentDispatch(done);
}

/// Nothing of the group's local memory has been written.
void WorkGroupFunction::clearLocalShadow() {
  llvm::Value* shadow = scratchField(builder_.getPtrTy(address_space::global),
                                     offsetof(abi::CheckedScratch, written), "written.local");
  llvm::Value* bytes = scratchField(int64_, offsetof(abi::GroupScratch, localBytes), "local.bytes");
  builder_.CreateMemSet(shadow, builder_.getInt8(0), bytes, llvm::MaybeAlign());
}

/// Where work-items only store the result of a vote that they decide (regions/group_results.h), it
/// has the other one before.
void WorkGroupFunction::beginVote(const Collective& collective) {
  const llvm::StringRef name = combineName(collective.combine);
  if (!collective.isUniform || collective.slots[1] || (name != "any" && name != "all"))
    return;
  llvm::Value* place = builder_.CreateConstInBoundsGEP1_64(builder_.getInt8Ty(), uniformsOut_,
                                                           collective.slots.front()->offset);
  builder_.CreateStore(builder_.getInt32(name == "all" ? 1 : 0), place);
}

/// To the first region. ScalarEvolution asks every condition on the only way to a loop what it
/// implies, which takes time that grows with the square of the number of regions. So there seem to
/// be ways into the middle: no NDRange has more than three dimensions, which LLVM does not know.
void WorkGroupFunction::addWayIn() {
  if (heads_.size() <= regionsOnOneWay) {
    builder_.CreateBr(heads_.front());
    return;
  }
  llvm::Value* dimensions = launchField(offsetof(abi::LaunchInfo, workDim), true, "work.dim");
  llvm::SwitchInst* way = builder_.CreateSwitch(dimensions, heads_.front());
  for (size_t i = regionsOnOneWay; i < heads_.size(); i += regionsOnOneWay)
    way->addCase(builder_.getInt64(maxDimensions + i), heads_[i]);
}

void WorkGroupFunction::addFlatGroup() {
  llvm::BasicBlock* groups = newBlock("groups");
  llvm::BasicBlock* end = newBlock("end");
  builder_.CreateCondBr(
      builder_.CreateICmpULT(function_.getArg(GroupXBegin), function_.getArg(GroupXEnd)), groups,
      end);
  builder_.SetInsertPoint(groups);
  computeRange();
  addRegions(end);
  builder_.SetInsertPoint(end);
  builder_.CreateRetVoid();
}

void WorkGroupFunction::addGroupLoop() {
  llvm::BasicBlock* loop = newBlock("group");
  llvm::BasicBlock* done = newBlock("group.done");
  llvm::BasicBlock* end = newBlock("end");
  llvm::Value* begin = function_.getArg(GroupXBegin);
  builder_.CreateCondBr(builder_.CreateICmpULT(begin, function_.getArg(GroupXEnd)), loop, end);

  builder_.SetInsertPoint(loop);
  llvm::PHINode* group = builder_.CreatePHI(int64_, 2, "group.x");
  group->addIncoming(begin, entry_);
  computePosition(0, group);
  addRegions(done);

  builder_.SetInsertPoint(done);
  llvm::Value* next = builder_.CreateNUWAdd(group, builder_.getInt64(1), "group.x.next");
  group->addIncoming(next, done);
  builder_.CreateCondBr(builder_.CreateICmpULT(next, function_.getArg(GroupXEnd)), loop, end)
      ->setMetadata(llvm::LLVMContext::MD_loop, outerLoopProperties(*function_.getArg(GroupXEnd)));
  builder_.SetInsertPoint(end);
  builder_.CreateRetVoid();
}

/// The loops of one region and the jump to the next. `done` is where a group that has ended goes.
void WorkGroupFunction::addRegion(unsigned number, llvm::BasicBlock* done) {
  builder_.SetInsertPoint(heads_[number]);
  if (const std::optional<Collective> collective = collectiveOf(*regions_[number]))
    addCollective(number, *collective);
  if (!actsForItem(*regions_[number])) {
    llvm::Value* zero = builder_.getInt64(0);
    addDispatch(number, call(*regions_[number], {zero, zero, zero}, zero), done);
    return;
  }
  if (!hasPackets(*regions_[number])) {
    addDispatch(number, addItemLoops(number), done);
    return;
  }
  if (regions_[number]->hasFnAttribute(names::exchangedAttribute))
    addEitherDimension(number);
  else
    addPacketsOrItems(number);
  addDispatch(number, builder_.CreateLoad(builder_.getInt32Ty(), next_), done);
}

bool WorkGroupFunction::repeats(llvm::Function& region, unsigned dimension) {
  return implicitArgument(region, ImplicitArgument::Item, dimension)->use_empty();
}

/// Runs the region for one work-item after the other. Returns the number of the region that
/// follows.
llvm::Value* WorkGroupFunction::addItemLoops(unsigned number) {
  // From the inside out: each loop begins with index 0 and runs at least once, for no group is
  // empty.
  std::array<llvm::BasicBlock*, 3> bodies{};
  std::array<llvm::PHINode*, 3> indices{};
  llvm::Value* row = nullptr;
  llvm::BasicBlock* outside = builder_.GetInsertBlock();
  for (int dimension = 2; dimension >= 1; --dimension) {
    bodies[dimension] = newBlock("items." + llvm::Twine("xyz"[dimension]));
    builder_.CreateBr(bodies[dimension]);
    builder_.SetInsertPoint(bodies[dimension]);
    indices[dimension] = builder_.CreatePHI(int64_, 2, "item." + llvm::Twine("xyz"[dimension]));
    indices[dimension]->addIncoming(builder_.getInt64(0), outside);
    outside = bodies[dimension];
    row = row ? builder_.CreateNUWAdd(builder_.CreateNUWMul(row, size_[dimension]),
                                      indices[dimension])
              : llvm::cast<llvm::Value>(indices[dimension]);
  }
  llvm::Value* next =
      addRow(number, {nullptr, indices[1], indices[2]}, builder_.CreateNUWMul(row, size_[0]));
  for (unsigned dimension = 1; dimension < 3; ++dimension) {
    llvm::BasicBlock* after = newBlock("items." + llvm::Twine("xyz"[dimension]) + ".done");
    llvm::Value* index =
        builder_.CreateAdd(indices[dimension], builder_.getInt64(1), "", true, true);
    indices[dimension]->addIncoming(index, builder_.GetInsertBlock());
    llvm::BranchInst* again = builder_.CreateCondBr(builder_.CreateICmpULT(index, size_[dimension]),
                                                    bodies[dimension], after);
    const bool repeated = repeats(*regions_[number], dimension);
    if (repeated || regions_[number]->hasFnAttribute(names::packetAttribute))
      again->setMetadata(llvm::LLVMContext::MD_loop,
                         outerLoopProperties(*size_[dimension], repeated));
    builder_.SetInsertPoint(after);
  }
  return next;
}

/// The collective function before region `number`: for the whole group, or for one sub-group after
/// the other.
void WorkGroupFunction::addCollective(unsigned number, const Collective& collective) {
  if (!collective.slots[1]) {
    beginVote(collective); // the next one
    return;
  }
  if (!collective.ofSubGroup) {
    combine(number, collective, builder_.getInt64(0), items_);
    return;
  }
  llvm::BasicBlock* before = builder_.GetInsertBlock();
  llvm::BasicBlock* loop = newBlock("sub.group");
  llvm::BasicBlock* after = newBlock("sub.groups.done");
  llvm::Value* full = builder_.getInt64(subGroupSize(*regions_[number]));
  builder_.CreateBr(loop);
  builder_.SetInsertPoint(loop);
  llvm::PHINode* first = builder_.CreatePHI(int64_, 2, "first.item");
  first->addIncoming(builder_.getInt64(0), before);
  llvm::Value* count = builder_.CreateBinaryIntrinsic(llvm::Intrinsic::umin,
                                                      builder_.CreateNUWSub(items_, first), full);
  combine(number, collective, first, count);
  llvm::Value* next = builder_.CreateNUWAdd(first, full);
  first->addIncoming(next, loop);
  builder_.CreateCondBr(builder_.CreateICmpULT(next, items_), loop, after);
  builder_.SetInsertPoint(after);
}

/// Makes the results of the `count` work-items from `first` on.
void WorkGroupFunction::combine(unsigned number, const Collective& collective, llvm::Value* first,
                                llvm::Value* count) {
  llvm::Value* none = llvm::ConstantPointerNull::get(builder_.getPtrTy());
  std::vector<llvm::Value*> arguments;
  for (const std::optional<Collective::Slot>& slot : collective.slots)
    arguments.push_back(slot ? slotOf(*slot, first) : none);
  if (collective.isUniform)
    arguments.front() = builder_.CreateConstInBoundsGEP1_64(builder_.getInt8Ty(), uniformsIn_,
                                                            collective.slots.front()->offset);
  const llvm::StringRef name = combineName(collective.combine);
  if (vectorBits_ != 0 && !lowestNext_ && !collective.ofSubGroup &&
      combineInVectors(builder_, name, arguments[0], arguments[1], count, vectorBits_)) {
    addToReport(*regions_[number], "begins with the collective function " + name.str() +
                                       ", in vectors of " + std::to_string(vectorBits_) + " bits");
    return;
  }
  arguments.insert(arguments.end(), {count, lowestNext_ ? slotOf(nextRegionSlot(), first) : none,
                                     builder_.getInt32(number - 1)});
  builder_.CreateCall(function_.getParent()->getFunction(collective.combine), arguments);
}

/// The element of work-item `first` in an array of the context.
llvm::Value* WorkGroupFunction::slotOf(const Collective::Slot& slot, llvm::Value* first) {
  const uint64_t shared = numberAttribute(*regions_.front(), names::contextUniformBytesAttribute);
  llvm::Value* start =
      builder_.CreateNUWAdd(builder_.CreateNUWMul(items_, builder_.getInt64(slot.offset)),
                            builder_.CreateNUWMul(first, builder_.getInt64(slot.bytes)));
  return builder_.CreateInBoundsGEP(builder_.getInt8Ty(), context_,
                                    builder_.CreateNUWAdd(start, builder_.getInt64(shared)));
}

/// The work-items of one row. Returns the number of the region that follows.
llvm::Value* WorkGroupFunction::addRow(unsigned number, const Triple& item, llvm::Value* rowStart) {
  llvm::BasicBlock* done = newBlock("items.x.done");
  llvm::BasicBlock* before = builder_.GetInsertBlock();
  llvm::BasicBlock* body = newBlock("items.x");
  builder_.CreateBr(body);
  builder_.SetInsertPoint(body);
  llvm::PHINode* index = builder_.CreatePHI(int64_, 2, "item.x");
  index->addIncoming(builder_.getInt64(0), before);
  llvm::Value* next =
      call(*regions_[number], {index, item[1], item[2]}, builder_.CreateNUWAdd(rowStart, index));
  llvm::Value* following = builder_.CreateAdd(index, builder_.getInt64(1), "", true, true);
  index->addIncoming(following, builder_.GetInsertBlock());
  llvm::BranchInst* latch =
      builder_.CreateCondBr(builder_.CreateICmpULT(following, size_[0]), body, done);
  latch->setMetadata(llvm::LLVMContext::MD_loop, itemLoopProperties(*regions_[number]));
  done->moveAfter(&function_.back());
  builder_.SetInsertPoint(done);
  return next;
}

llvm::Value* WorkGroupFunction::call(llvm::Function& form, const Triple& item,
                                     llvm::Value* itemIndex) {
  std::vector<llvm::Value*> arguments = arguments_;
  arguments.insert(arguments.end(), {function_.getArg(Launch), function_.getArg(Scratch), local_});
  for (const Triple& triple : {group_, size_, first_, item})
    arguments.insert(arguments.end(), triple.begin(), triple.end());
  arguments.insert(arguments.end(), {context_, items_, itemIndex, uniformsIn_, uniformsOut_});
  calls_.push_back(builder_.CreateCall(&form, arguments, "next"));
  return calls_.back();
}

void WorkGroupFunction::addDispatch(unsigned number, llvm::Value* next, llvm::BasicBlock* done) {
  if (const uint64_t bytes = numberAttribute(*regions_.front(), names::uniformBytesAttribute))
    builder_.CreateMemCpy(uniformsIn_, llvm::Align(64), uniformsOut_, llvm::Align(64), bytes);
  if (lowestNext_)
    leaveDivergent(number, done);
  else
    addJump(number, next, done);
}

/// Where each work-item's next region is kept. Those that end in the first one leave nothing there.
Collective::Slot WorkGroupFunction::nextRegionSlot() const {
  return {numberAttribute(*regions_.front(), names::nextRegionOffsetAttribute), sizeof(uint32_t)};
}

void WorkGroupFunction::beginNextRegions() {
  if (!llvm::is_contained(regionExits(*regions_.front()), 0u))
    return;
  const Collective::Slot slot = nextRegionSlot();
  builder_.CreateMemSet(slotOf(slot, builder_.getInt64(0)), builder_.getInt8(UINT8_MAX),
                        builder_.CreateNUWMul(items_, builder_.getInt64(slot.bytes)),
                        llvm::Align(slot.bytes));
}

/// Work-items may wait for different regions then: goes to where that is looked up, unless there is
/// but one.
void WorkGroupFunction::leaveDivergent(unsigned number, llvm::BasicBlock* done) {
  const std::vector<unsigned>& following = following_[number];
  if (following.empty()) {
    builder_.CreateUnreachable();
  } else if (following.size() == 1) {
    builder_.CreateBr(following.front() == 0 ? done : heads_[following.front()]);
  } else {
    if (!dispatch_)
      dispatch_ = newBlock("dispatch");
    builder_.CreateBr(dispatch_);
  }
}

/// Work-items wait for different regions or have ended; the lowest region goes first. Sub-groups
/// that meet among themselves are ahead in that order of what the whole group meets at. And a
/// work-item that returned before a barrier does not keep the others from it, as on most devices,
/// although the specification leaves that undefined. One place for all regions: a jump from each
/// to every other would make of n regions n * n values for each that they have in common.
void WorkGroupFunction::addDivergentDispatch(llvm::BasicBlock* done) {
  if (!dispatch_)
    return;
  builder_.SetInsertPoint(dispatch_);
  combineInVectors(builder_, "min_uint_reduce", lowestNext_,
                   slotOf(nextRegionSlot(), builder_.getInt64(0)), items_,
                   std::max(vectorBits_, leastVectorBits));
  llvm::Value* lowest = builder_.CreateLoad(builder_.getInt32Ty(), lowestNext_);
  llvm::BitVector targets(regions_.size());
  for (const std::vector<unsigned>& following : following_)
    if (following.size() > 1)
      for (unsigned region : following)
        targets.set(region);
  const bool mayEnd = targets.test(0);
  targets.reset(0);
  const auto last = static_cast<unsigned>(targets.find_last());
  llvm::SwitchInst* dispatch = builder_.CreateSwitch(lowest, mayEnd ? done : heads_[last]);
  for (unsigned region : targets.set_bits())
    if (mayEnd || region != last)
      dispatch->addCase(builder_.getInt32(region - 1), heads_[region]);
}

/// All work-items of a group end a region at the same barrier, so the last one's answer is
/// everyone's.
void WorkGroupFunction::addJump(unsigned number, llvm::Value* next, llvm::BasicBlock* done) {
  const std::vector<unsigned> exits = regionExits(*regions_[number]);
  const auto target = [&](unsigned exit) { return exit == 0 ? done : heads_[exit]; };
  if (exits.empty()) {
    builder_.CreateUnreachable();
  } else if (exits.size() == 1) {
    builder_.CreateBr(target(exits.front()));
  } else {
    llvm::SwitchInst* dispatch =
        builder_.CreateSwitch(next, target(exits.front()), exits.size() - 1);
    for (unsigned i = 1; i < exits.size(); ++i)
      dispatch->addCase(builder_.getInt32(exits[i]), target(exits[i]));
  }
}

void WorkGroupFunction::inlineRegions() {
  if (llvm::MDNode* subprogram = regions_.front()->getMetadata(names::subprogramMetadata))
    function_.setSubprogram(llvm::cast<llvm::DISubprogram>(subprogram));
  llvm::SetVector<llvm::Function*> forms;
  for (llvm::CallInst* call : calls_) {
    forms.insert(call->getCalledFunction());
    llvm::InlineFunctionInfo info;
    llvm::InlineFunction(*call, info);
  }
  forms.insert_range(regions_); // also those that only run in packets
  for (const llvm::Function* region : regions_)
    if (region->hasFnAttribute(names::exchangedAttribute))
      forms.insert(&formOf(*region, names::exchangedAttribute));
  for (llvm::Function* form : forms)
    form->eraseFromParent();
}

} // namespace quern::compiler
