#include "compiler/regions/region_emitter.h"

#include <algorithm>

#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Analysis/PostDominators.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Transforms/Utils/Cloning.h>
#include <llvm/Transforms/Utils/SSAUpdater.h>

#include "compiler/il/boundary.h"
#include "compiler/il/names.h"
#include "compiler/il/region_function.h"
#include "compiler/il/rematerialise.h"
#include "compiler/il/work_item_functions.h"

namespace quern::compiler {
namespace {

/// A scope wider than the work-group needs an ordering that other threads see.
bool ordersOtherThreads(const llvm::CallInst& barrier) {
  if (isCollective(*boundaryOf(barrier)))
    return false;
  const auto* scope = llvm::dyn_cast<llvm::ConstantInt>(barrier.getArgOperand(1));
  return !scope ||
         (scope->getZExtValue() > workGroupScope && scope->getZExtValue() != subGroupScope);
}

class Emitter {
public:
  Emitter(const RegionPlan& plan, const Region& region)
      : plan_(plan), region_(region), function_(*createRegionFunction(plan.item, region.number)),
        builder_(function_.getContext()),
        recomputed_(
            builder_, [this](llvm::Value* value) { return thereAtStart(value); },
            Rematerialiser::Promises::Kept) {
    for (const llvm::BasicBlock* block : region.blocks)
      inRegion_.insert(block);
  }

  llvm::Function* run() {
    for (unsigned i = 0; i < plan_.item.arg_size(); ++i)
      map_[plan_.item.getArg(i)] = function_.getArg(i);
    start_ = llvm::BasicBlock::Create(function_.getContext(), "start", &function_);
    cloneBlocks();
    addExits();
    fetch();
    // Before `repair`, which follows the edges of the finished function.
    builder_.CreateBr(cloneOf(region_.entry));
    remap();
    redirectResults();
    spread();
    repair();
    leave();
    std::vector<unsigned> exits = region_.exits;
    if (region_.returns)
      exits.insert(exits.begin(), 0);
    setRegionExits(function_, exits);
    if (exits.size() > 1 && hasDivergentExits())
      function_.addFnAttr(names::divergentExitsAttribute);
    return &function_;
  }

private:
  llvm::BasicBlock* cloneOf(const llvm::BasicBlock* block) {
    return llvm::cast<llvm::BasicBlock>(map_[block]);
  }
  bool isDefinedHere(const llvm::Instruction* value) const {
    return inRegion_.contains(value->getParent());
  }
  llvm::Argument* parameter(RegionParameter which) { return regionParameter(function_, which); }

  void cloneBlocks() {
    for (llvm::BasicBlock* block : region_.blocks) {
      llvm::BasicBlock* clone = llvm::CloneBasicBlock(block, map_, "", &function_);
      clone->setName(block->getName());
      map_[block] = clone;
    }
    for (llvm::BasicBlock* block : region_.blocks) {
      for (llvm::PHINode& phi : llvm::make_early_inc_range(cloneOf(block)->phis()))
        phi.removeIncomingValueIf(
            [&](unsigned i) { return !inRegion_.contains(phi.getIncomingBlock(i)); },
            /*DeletePHIIfEmpty=*/false);
      // Variables get their places in `start`.
      for (llvm::Instruction& instruction : *block)
        if (llvm::isa<llvm::AllocaInst>(instruction)) {
          llvm::cast<llvm::Instruction>(map_[&instruction])->eraseFromParent();
          map_.erase(&instruction);
        }
    }
  }

  void addExits() {
    for (unsigned exit : region_.exits) {
      const Region& next = plan_.graph.regions()[exit];
      auto* block =
          llvm::BasicBlock::Create(function_.getContext(), "to." + llvm::Twine(exit), &function_);
      exitBlocks_.emplace_back(exit, block);
      map_[next.entryBarrier->getParent()] = block;
      builder_.SetInsertPoint(block);
      if (ordersOtherThreads(*next.entryBarrier))
        builder_.CreateFence(llvm::AtomicOrdering::AcquireRelease);
      builder_.CreateRet(builder_.getInt32(exit));
    }
    for (llvm::BasicBlock* block : region_.blocks)
      if (auto* end = llvm::dyn_cast<llvm::ReturnInst>(cloneOf(block)->getTerminator())) {
        builder_.SetInsertPoint(end);
        builder_.CreateRet(builder_.getInt32(0));
        end->eraseFromParent();
      }
  }

  /// Gives every value from outside that the region uses, and every one that it may pass on
  /// changed, its value at the start.
  void fetch() {
    builder_.SetInsertPoint(start_);
    for (llvm::BasicBlock* block : region_.blocks)
      for (llvm::Instruction& instruction : *block)
        for (llvm::Value* operand : instruction.operands()) {
          if (auto* variable = llvm::dyn_cast<llvm::AllocaInst>(operand))
            addressOf(variable);
          else if (auto* value = llvm::dyn_cast<llvm::Instruction>(operand);
                   value && isLiveIn(value))
            valueAtStart(value);
        }
    for (const auto* set :
         {&plan_.values.carriedInto(region_.number), &plan_.values.recomputedIn(region_.number)})
      for (llvm::Instruction* value : *set)
        if (isDefinedHere(value))
          valueAtStart(value);
    for (auto [value, start] : atStart_)
      if (!isDefinedHere(value))
        map_[value] = start;
  }

  bool isLiveIn(llvm::Instruction* value) const {
    return plan_.values.carriedInto(region_.number).contains(value) ||
           plan_.values.recomputedIn(region_.number).contains(value);
  }

  llvm::Value* valueAtStart(llvm::Instruction* value) {
    if (const auto found = atStart_.find(value); found != atStart_.end())
      return found->second;
    llvm::Value* result = plan_.values.recomputedIn(region_.number).contains(value)
                              ? recomputed_.of(value)
                              : load(value);
    atStart_[value] = result;
    return result;
  }

  llvm::Value* load(llvm::Instruction* value) {
    llvm::LoadInst* result = builder_.CreateAlignedLoad(
        typeInSlot(*value), slotOf(value, parameter(RegionParameter::UniformsIn)),
        alignmentOf(value), value->getName());
    markIndependent(result);
    return result->getType() == value->getType()
               ? static_cast<llvm::Value*>(result)
               : builder_.CreateTrunc(result, value->getType(), "", /*IsNUW=*/true);
  }

  /// A condition of each work-item is a byte, so that packets load and store those of neighbours
  /// at once.
  llvm::Type* typeInSlot(const llvm::Instruction& value) {
    return value.getType()->isIntegerTy(1) && plan_.values.transport(&value) == Transport::Context
               ? builder_.getInt8Ty()
               : value.getType();
  }

  /// Each work-item has its own slot.
  void markIndependent(llvm::Instruction* access) {
    access->setMetadata(llvm::LLVMContext::MD_access_group,
                        function_.getMetadata(names::accessGroupMetadata));
  }

  llvm::Value* slotOf(const llvm::Instruction* value, llvm::Value* uniforms) {
    if (plan_.values.transport(value) == Transport::Uniform)
      return builder_.CreateConstInBoundsGEP1_64(builder_.getInt8Ty(), uniforms,
                                                 plan_.layout.uniformOffset(value));
    return itemAddress(value);
  }

  llvm::Value* itemAddress(const llvm::Instruction* value) {
    uint64_t bytes = plan_.layout.slotOf(value).bytes;
    if (const auto* variable = llvm::dyn_cast<llvm::AllocaInst>(value))
      if (const uint64_t element = plan_.interleaved.elementBytes(*variable))
        bytes = element;
    return plan_.layout.itemAddress(builder_, value, bytes, parameter(RegionParameter::Context),
                                    parameter(RegionParameter::Items),
                                    parameter(RegionParameter::ItemIndex));
  }

  llvm::Align alignmentOf(const llvm::Instruction* value) const {
    return function_.getDataLayout().getABITypeAlign(value->getType());
  }

  /// What a cheap computation is made of, if that is there at the start; null if it must be
  /// computed, too.
  llvm::Value* thereAtStart(llvm::Value* value) {
    if (llvm::isa<llvm::Argument>(value))
      return map_[value];
    if (auto* variable = llvm::dyn_cast<llvm::AllocaInst>(value))
      return addressOf(variable);
    auto* instruction = llvm::cast<llvm::Instruction>(value);
    if (plan_.values.transport(instruction) == Transport::Uniform)
      return valueAtStart(instruction);
    auto* address = llvm::dyn_cast<llvm::GetElementPtrInst>(instruction);
    if (!address || !plan_.interleaved.isAddress(address))
      return nullptr;
    llvm::Instruction* copy = address->clone();
    for (llvm::Use& operand : copy->operands())
      operand = recomputed_.of(operand);
    return InterleavedVariables::spread(
        *llvm::cast<llvm::GetElementPtrInst>(builder_.Insert(copy, address->getName())),
        parameter(RegionParameter::Items));
  }

  llvm::Value* addressOf(llvm::AllocaInst* variable) {
    if (const auto found = map_.find(variable); found != map_.end())
      return found->second;
    llvm::Value* address = nullptr;
    switch (plan_.variables.place(variable)) {
    case VariablePlace::Stack: {
      llvm::IRBuilder<>::InsertPointGuard guard(builder_);
      builder_.SetInsertPoint(start_, start_->begin());
      llvm::Instruction* copy = variable->clone();
      address = builder_.Insert(copy, variable->getName());
      break;
    }
    case VariablePlace::Scratch:
      address = builder_.CreateConstInBoundsGEP1_64(
          builder_.getInt8Ty(), parameter(RegionParameter::Context),
          plan_.layout.sharedOffset(variable), variable->getName());
      break;
    case VariablePlace::Group:
      address = builder_.CreateConstInBoundsGEP1_64(
          builder_.getInt8Ty(), parameter(RegionParameter::UniformsIn),
          plan_.layout.uniformOffset(variable), variable->getName());
      break;
    case VariablePlace::Context:
      address = itemAddress(variable);
      break;
    }
    map_[variable] = address;
    return address;
  }

  void remap() {
    for (llvm::BasicBlock* block : region_.blocks)
      for (llvm::Instruction& instruction : llvm::make_early_inc_range(*cloneOf(block))) {
        llvm::RemapInstruction(&instruction, map_,
                               llvm::RF_NoModuleLevelChanges | llvm::RF_IgnoreMissingLocals);
        // Markers are for variables in the frame only.
        if (const auto* marker = llvm::dyn_cast<llvm::LifetimeIntrinsic>(&instruction))
          if (!llvm::isa<llvm::AllocaInst>(marker->getArgOperand(0)))
            instruction.eraseFromParent();
      }
  }

  /// What work-items store for all of the group is there when the region has ended.
  void redirectResults() {
    for (llvm::BasicBlock* block : region_.blocks)
      for (llvm::Instruction& instruction : *block) {
        const auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction);
        const auto* variable =
            store ? llvm::dyn_cast<llvm::AllocaInst>(store->getPointerOperand()) : nullptr;
        if (!variable || plan_.variables.place(variable) != VariablePlace::Group)
          continue;
        auto* copy = llvm::cast<llvm::StoreInst>(map_[store]);
        builder_.SetInsertPoint(copy);
        copy->setOperand(llvm::StoreInst::getPointerOperandIndex(),
                         builder_.CreateConstInBoundsGEP1_64(
                             builder_.getInt8Ty(), parameter(RegionParameter::UniformsOut),
                             plan_.layout.uniformOffset(variable)));
      }
  }

  /// Elements of interleaved variables.
  void spread() {
    for (llvm::BasicBlock* block : region_.blocks)
      for (llvm::Instruction& instruction : *block) {
        const auto found = map_.find(&instruction);
        const llvm::Value* pointer = llvm::getLoadStorePointerOperand(&instruction);
        if (found == map_.end())
          continue;
        if (plan_.interleaved.isAddress(&instruction) &&
            llvm::isa<llvm::GetElementPtrInst>(instruction))
          map_[&instruction] =
              InterleavedVariables::spread(*llvm::cast<llvm::GetElementPtrInst>(found->second),
                                           parameter(RegionParameter::Items));
        else if (pointer && plan_.interleaved.isAddress(pointer))
          for (llvm::Instruction* access :
               InterleavedVariables::spread(*llvm::cast<llvm::Instruction>(found->second),
                                            parameter(RegionParameter::Items)))
            markIndependent(access);
      }
  }

  /// A value that is both live at the start and made again here (it lives around a loop with a
  /// barrier) has two definitions now; uses get the one that reaches them.
  void repair() {
    for (auto [value, start] : atStart_) {
      if (!isDefinedHere(value))
        continue;
      auto* clone = llvm::cast<llvm::Instruction>(map_[value]);
      llvm::SSAUpdater updater;
      updater.Initialize(value->getType(), value->getName());
      updater.AddAvailableValue(start_, start);
      updater.AddAvailableValue(clone->getParent(), clone);
      llvm::SmallVector<llvm::Use*> uses;
      for (llvm::Use& use : clone->uses())
        uses.push_back(&use);
      for (llvm::Use* use : uses) {
        const auto* user = llvm::cast<llvm::Instruction>(use->getUser());
        if (llvm::isa<llvm::PHINode>(user) || user->getParent() != clone->getParent())
          updater.RewriteUse(*use);
      }
      for (auto [exit, block] : exitBlocks_)
        if (plan_.values.carriedInto(exit).contains(value))
          atExit_[{block, value}] = updater.GetValueInMiddleOfBlock(block);
    }
  }

  /// Stores, before each barrier, what the next region is given and this one has made or changed.
  void leave() {
    for (auto [exit, block] : exitBlocks_) {
      builder_.SetInsertPoint(block, block->getFirstInsertionPt());
      for (llvm::Instruction* value : plan_.values.carriedInto(exit)) {
        if (!isDefinedHere(value))
          continue;
        const auto found = atExit_.find({block, value});
        llvm::Value* last = map_[value];
        if (found != atExit_.end())
          last = found->second;
        if (isThere(*value, *last))
          continue;
        llvm::Type* type = typeInSlot(*value);
        llvm::Value* inSlot = type == last->getType() ? last : builder_.CreateZExt(last, type);
        llvm::StoreInst* store = builder_.CreateAlignedStore(
            inSlot, slotOf(value, parameter(RegionParameter::UniformsOut)), alignmentOf(value));
        if (plan_.values.transport(value) == Transport::Context)
          markIndependent(store);
        else
          store->setMetadata(names::uniformMetadata, llvm::MDNode::get(function_.getContext(), {}));
      }
    }
  }

  /// Whether the slot of `value` holds `last` since the region's start.
  bool isThere(const llvm::Instruction& value, llvm::Value& last) const {
    llvm::Value* origin = &last;
    while (const auto* phi = llvm::dyn_cast<llvm::PHINode>(origin)) {
      llvm::Value* only = phi->hasConstantValue();
      if (!only)
        break;
      origin = only;
    }
    return llvm::any_of(atStart_, [&](const auto& given) {
      const auto [other, start] = given;
      return start == origin &&
             (other == &value ||
              (plan_.values.transport(&value) == Transport::Context &&
               plan_.values.transport(other) == Transport::Context &&
               plan_.layout.slotOf(&value).offset == plan_.layout.slotOf(other).offset));
    });
  }

  /// Whether work-items that diverge at some branch may reach different exits before their paths
  /// join again.
  bool hasDivergentExits() {
    const llvm::PostDominatorTree joins(function_);
    return std::ranges::any_of(region_.blocks, [&](const llvm::BasicBlock* block) {
      if (!plan_.uniformity.hasDivergentTerminator(*block))
        return false;
      const llvm::DomTreeNode* node = joins.getNode(cloneOf(block));
      return !node || !node->getIDom() || !node->getIDom()->getBlock();
    });
  }

  const RegionPlan& plan_;
  const Region& region_;
  llvm::Function& function_;
  llvm::IRBuilder<> builder_;
  Rematerialiser recomputed_; ///< from what is there at the start
  llvm::ValueToValueMapTy map_;
  llvm::SmallPtrSet<const llvm::BasicBlock*, 32> inRegion_;
  llvm::BasicBlock* start_ = nullptr;
  std::vector<std::pair<unsigned, llvm::BasicBlock*>> exitBlocks_;
  llvm::MapVector<llvm::Instruction*, llvm::Value*> atStart_;
  llvm::DenseMap<std::pair<llvm::BasicBlock*, llvm::Instruction*>, llvm::Value*> atExit_;
};

} // namespace

llvm::Function* emitRegion(const RegionPlan& plan, const Region& region) {
  return Emitter(plan, region).run();
}

} // namespace quern::compiler
