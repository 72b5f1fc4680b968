#include "compiler/il/uniformity.h"

#include <llvm/ADT/DepthFirstIterator.h>
#include <llvm/ADT/GenericUniformityImpl.h>
#include <llvm/Analysis/TargetTransformInfoImpl.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>

#include "compiler/il/address_space.h"
#include "compiler/il/aligned_ids.h"
#include "compiler/il/boundary.h"
#include "compiler/il/kernel_function.h"
#include "compiler/il/names.h"
#include "compiler/il/packet_condition.h"
#include "compiler/il/packet_operation.h"
#include "compiler/il/region_function.h"
#include "compiler/il/sub_group_form.h"
#include "compiler/il/work_item_functions.h"

namespace quern::compiler {
namespace {

using llvm::InstructionUniformity;
using Of = UniformityRoot::Of;

bool mayBePrivate(unsigned addressSpace) {
  return addressSpace == address_space::privateMemory || addressSpace == address_space::generic;
}

/// What a region returns is the same for all, although the analysis cannot see it.
bool isResult(const llvm::Value& value) {
  const auto* phi = llvm::dyn_cast<llvm::PHINode>(&value);
  return phi && !phi->use_empty() && llvm::all_of(phi->users(), llvm::IsaPred<llvm::ReturnInst>) &&
         llvm::all_of(phi->incoming_values(), llvm::IsaPred<llvm::ConstantInt>);
}

/// Whether `value` is that of one way where all other ways leave it undefined. LLVM's analysis
/// counts it as uniform when the defined value is, because an undefined one may be anything; but of
/// the work-items that keep it, it is not known whose was defined.
bool isPartlyDefined(const llvm::Value& value) {
  const auto* phi = llvm::dyn_cast<llvm::PHINode>(&value);
  return phi && phi->hasConstantOrUndefValue() && !phi->hasConstantValue();
}

/// Whether the load is from a struct that the kernel has been passed, which nobody writes to.
bool readsArgument(const llvm::LoadInst& load) {
  const auto* argument =
      llvm::dyn_cast<llvm::Argument>(llvm::getUnderlyingObject(load.getPointerOperand()));
  return argument && argument->onlyReadsMemory() && argument->hasNoAliasAttr();
}

InstructionUniformity ofLoadInBody(const llvm::LoadInst& load) {
  // The launch description is the same for everyone, although its pointer has no address space that
  // says so.
  if (load.hasMetadata(llvm::LLVMContext::MD_invariant_load))
    return InstructionUniformity::Default;
  if (load.hasMetadata(names::uniformMetadata))
    return InstructionUniformity::AlwaysUniform;
  const bool isPrivate = mayBePrivate(load.getPointerAddressSpace()) && !readsArgument(load);
  return load.isVolatile() || load.isAtomic() || isPrivate ? InstructionUniformity::NeverUniform
                                                           : InstructionUniformity::Default;
}

/// In a work-item body a value is kept for later regions, for all by whichever work-item has it.
InstructionUniformity inBody(const llvm::Value& value) {
  if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(&value))
    return ofLoadInBody(*load);
  const auto* call = llvm::dyn_cast<llvm::CallBase>(&value);
  return llvm::isa<llvm::AtomicRMWInst, llvm::AtomicCmpXchgInst>(value) || isPartlyDefined(value) ||
                 (call && !call->doesNotAccessMemory())
             ? InstructionUniformity::NeverUniform
             : InstructionUniformity::Default;
}

/// Where `ids` are those of packets that are sub-groups, or of none that are known.
InstructionUniformity inSubGroups(const llvm::Value& value, const AlignedIds& ids) {
  if (ids.isPacketNumber(&value))
    return InstructionUniformity::AlwaysUniform;
  const auto* call = llvm::dyn_cast<llvm::CallInst>(&value);
  const llvm::Function* callee = call ? call->getCalledFunction() : nullptr;
  const auto function = callee ? workItemFunction(callee->getName()) : std::nullopt;
  if (function == WorkItemFunction::SubGroupId || function == WorkItemFunction::SubGroupSize)
    return InstructionUniformity::AlwaysUniform;
  return function || (call && isSubGroupOperation(*call)) ? InstructionUniformity::NeverUniform
                                                          : inBody(value);
}

/// Whether a packet's work-items get the same of `operation`, wherever the next packet's do not.
bool isSameInPacket(const llvm::Instruction& operation, UniformityRoot root) {
  return isPacketOperation(operation) && hasOneResult(operation) &&
         (isPacketCollective(operation) || (root.of == Of::Row && root.alignment > 1));
}

InstructionUniformity inRegion(const llvm::Value& value, const AlignedIds& ids,
                               UniformityRoot root) {
  if (ids.isPacketNumber(&value) || isResult(value) || isPacketAll(value))
    return InstructionUniformity::AlwaysUniform;
  const auto* instruction = llvm::dyn_cast<llvm::Instruction>(&value);
  if (!instruction)
    return InstructionUniformity::Default;
  if (isSameInPacket(*instruction, root))
    return InstructionUniformity::AlwaysUniform;
  // Another value may be there each time; functions that use memory may use private memory.
  return runsForEachItem(*instruction) || isPacketOperation(*instruction)
             ? InstructionUniformity::NeverUniform
             : InstructionUniformity::Default;
}

/// Parameters that differ.
llvm::SmallPtrSet<const llvm::Value*, 4> varyingParameters(llvm::Function& function,
                                                           UniformityRoot root) {
  llvm::SmallPtrSet<const llvm::Value*, 4> varying;
  const Of of = root.of;
  if (of == Of::SubGroup && root.alignment > 1)
    varying.insert(implicitArgument(function, ImplicitArgument::Item));
  else if (of == Of::WorkGroup || of == Of::SubGroup)
    for (unsigned i = implicitArgument(function, ImplicitArgument::Item)->getArgNo();
         i < function.arg_size(); ++i)
      varying.insert(function.getArg(i));
  else
    varying.insert({implicitArgument(function, ImplicitArgument::Item, of == Of::Row ? 0 : 1),
                    regionParameter(function, RegionParameter::ItemIndex)});
  return varying;
}

/// Whether `phi` has different values from blocks of `cycle`.
bool tellsTheWay(const llvm::PHINode& phi, const llvm::Cycle& cycle) {
  const llvm::Value* first = nullptr;
  for (unsigned i = 0; i < phi.getNumIncomingValues(); ++i) {
    if (!cycle.contains(phi.getIncomingBlock(i)))
      continue;
    if (first && first != phi.getIncomingValue(i))
      return true;
    first = phi.getIncomingValue(i);
  }
  return false;
}

bool subGroupsMeet(const llvm::Function& function) {
  return llvm::any_of(llvm::instructions(function), [](const llvm::Instruction& instruction) {
    const std::optional<Boundary> boundary = boundaryOf(instruction);
    return boundary && isOfSubGroup(*boundary);
  });
}

} // namespace

class Uniformity::Target : public llvm::TargetTransformInfoImplBase {
public:
  Target(llvm::Function& function, UniformityRoot root, const Values& exitValues)
      : TargetTransformInfoImplBase(function.getDataLayout()), root_(root),
        varying_(varyingParameters(function, root)), exitValues_(exitValues) {
    if (root.of != Of::WorkGroup)
      ids_.emplace(function, root.alignment);
  }

  bool hasBranchDivergence(const llvm::Function*) const override { return true; }

  /// Every work-item has private memory of its own, and freezing an undefined value may give every
  /// work-item another one.
  InstructionUniformity getInstructionUniformity(const llvm::Value* value) const override {
    if (varying_.contains(value) || exitValues_.contains(value) ||
        llvm::isa<llvm::AllocaInst, llvm::FreezeInst>(value))
      return InstructionUniformity::NeverUniform;
    return root_.of == Of::WorkGroup  ? inBody(*value)
           : root_.of == Of::SubGroup ? inSubGroups(*value, *ids_)
                                      : inRegion(*value, *ids_, root_);
  }

private:
  UniformityRoot root_;
  Values varying_;
  const Values& exitValues_;
  std::optional<AlignedIds> ids_;
};

Uniformity::Uniformity(llvm::Function& function, UniformityRoot root,
                       const llvm::DominatorTree& dominators, const llvm::CycleInfo& cycles)
    : target_(std::make_unique<Target>(function, root, exitValues_)) {
  do {
    info_.emplace(dominators, cycles, &target_);
    info_->compute();
  } while (addExitValues(cycles));
  nothingIsUniform_ = root.of == Of::WorkGroup && subGroupsMeet(function) &&
                      llvm::any_of(function, [this](const llvm::BasicBlock& block) {
                        return hasDivergentTerminator(block);
                      });
}

/// Adds to `exitValues_` what tells by which way work-items left a cycle, and is uniform so far
/// although they may diverge there: a phi of a block outside that has different values from several
/// blocks of the cycle. LLVM's analysis looks only for values that the cycle computes, not for
/// constants. Returns whether there were any.
bool Uniformity::addExitValues(const llvm::CycleInfo& cycles) {
  const size_t before = exitValues_.size();
  for (const llvm::Cycle* outermost : cycles.toplevel_cycles())
    for (const llvm::Cycle* cycle : llvm::depth_first(outermost)) {
      if (llvm::none_of(cycle->blocks(), [this](const llvm::BasicBlock* block) {
            return hasDivergentTerminator(*block);
          }))
        continue;
      llvm::SmallVector<llvm::BasicBlock*> exits;
      cycle->getExitBlocks(exits);
      for (const llvm::BasicBlock* exit : exits)
        for (const llvm::PHINode& phi : exit->phis())
          if (tellsTheWay(phi, *cycle) && !info_->isDivergent(&phi))
            exitValues_.insert(&phi);
    }
  return exitValues_.size() != before;
}

bool Uniformity::isUniformWhereUsed(const llvm::Instruction& value) const {
  return isUniform(value) && llvm::none_of(value.uses(), [this](const llvm::Use& use) {
           return info_->isDivergentUse(use);
         });
}

bool Uniformity::isUniformAt(const llvm::Use& use) const {
  return isUniform(*use.get()) && !info_->isDivergentUse(use);
}

/// A region is ended together, whatever it returns.
bool Uniformity::hasDivergentTerminator(const llvm::BasicBlock& block) const {
  return block.getTerminator()->getNumSuccessors() > 1 &&
         (nothingIsUniform_ || info_->hasDivergentTerminator(block));
}

Uniformities::Structure::Structure(llvm::Function& function) : dominators(function) {
  cycles.compute(function);
}

Uniformities::Uniformities(llvm::Function& function)
    : function_(&function), structure_(std::make_unique<Structure>(function)) {}

const Uniformity& Uniformities::of(UniformityRoot root) {
  if (root.of == Of::Row && root.alignment != 1) {
    const AlignedIds ids(*function_, root.alignment);
    if (llvm::none_of(llvm::instructions(*function_), [&](const llvm::Instruction& instruction) {
          return ids.isPacketNumber(&instruction) || isSameInPacket(instruction, root);
        }))
      root.alignment = 1;
  }
  std::unique_ptr<Uniformity>& uniformity = known_[root];
  if (!uniformity)
    uniformity =
        std::make_unique<Uniformity>(*function_, root, structure_->dominators, structure_->cycles);
  return *uniformity;
}

llvm::AnalysisKey UniformityAnalysis::Key;

} // namespace quern::compiler
