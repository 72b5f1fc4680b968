#include "compiler/regions/uniformity.h"

#include <llvm/ADT/GenericUniformityImpl.h>
#include <llvm/Analysis/TargetTransformInfoImpl.h>
#include <llvm/IR/Instructions.h>

#include "compiler/il/address_space.h"
#include "compiler/il/kernel_function.h"
#include "compiler/il/names.h"

namespace quern::compiler {
namespace {

using llvm::InstructionUniformity;

bool mayBePrivate(unsigned addressSpace) {
  return addressSpace == address_space::privateMemory || addressSpace == address_space::generic;
}

/// Whether `value` is that of one way where all other ways leave it undefined. LLVM's analysis
/// counts it as uniform when the defined value is, because an undefined one may be anything; but of
/// the work-items that keep it, it is not known whose was defined.
bool isPartlyDefined(const llvm::Value* value) {
  const auto* phi = llvm::dyn_cast<llvm::PHINode>(value);
  return phi && phi->hasConstantOrUndefValue() && !phi->hasConstantValue();
}

class WorkGroupTarget : public llvm::TargetTransformInfoImplBase {
public:
  WorkGroupTarget(llvm::Function& item, const ExitValues& exitValues)
      : TargetTransformInfoImplBase(item.getDataLayout()),
        firstItemParameter_(implicitArgument(item, ImplicitArgument::Item)->getArgNo()),
        exitValues_(exitValues) {}

  bool hasBranchDivergence(const llvm::Function*) const override { return true; }

  InstructionUniformity getInstructionUniformity(const llvm::Value* value) const override {
    if (const auto* argument = llvm::dyn_cast<llvm::Argument>(value))
      return argument->getArgNo() >= firstItemParameter_ ? InstructionUniformity::NeverUniform
                                                         : InstructionUniformity::Default;
    if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(value)) {
      // The launch description is the same for everyone, although its pointer has no address space
      // that says so.
      if (load->hasMetadata(llvm::LLVMContext::MD_invariant_load))
        return InstructionUniformity::Default;
      if (load->hasMetadata(names::uniformMetadata))
        return InstructionUniformity::AlwaysUniform;
      return load->isVolatile() || load->isAtomic() || mayBePrivate(load->getPointerAddressSpace())
                 ? InstructionUniformity::NeverUniform
                 : InstructionUniformity::Default;
    }
    if (llvm::isa<llvm::AllocaInst, llvm::AtomicRMWInst, llvm::AtomicCmpXchgInst>(value))
      return InstructionUniformity::NeverUniform;
    if (const auto* call = llvm::dyn_cast<llvm::CallBase>(value))
      return call->doesNotAccessMemory() ? InstructionUniformity::Default
                                         : InstructionUniformity::NeverUniform;
    // Freezing an undefined value may give every work-item another one.
    if (llvm::isa<llvm::FreezeInst>(value) || isPartlyDefined(value) || exitValues_.contains(value))
      return InstructionUniformity::NeverUniform;
    return InstructionUniformity::Default;
  }

private:
  unsigned firstItemParameter_;
  const ExitValues& exitValues_;
};

} // namespace

Uniformity::Uniformity(llvm::Function& item, bool subGroupsMeet)
    : dominators_(item), target_(std::make_unique<WorkGroupTarget>(item, exitValues_)) {
  cycles_.compute(item);
  do {
    info_.emplace(dominators_, cycles_, &target_); // needs the cycles to be there
    info_->compute();
  } while (addExitValues(cycles_, *info_, exitValues_));
  nothingIsUniform_ = subGroupsMeet && llvm::any_of(item, [this](const llvm::BasicBlock& block) {
                        return info_->hasDivergentTerminator(block);
                      });
}

bool Uniformity::hasDivergentTerminator(const llvm::BasicBlock& block) const {
  if (nothingIsUniform_)
    return block.getTerminator()->getNumSuccessors() > 1;
  return info_->hasDivergentTerminator(block);
}

bool Uniformity::isUniform(const llvm::Instruction& value) const {
  if (nothingIsUniform_ || info_->isDivergent(&value))
    return false;
  for (const llvm::Use& use : value.uses())
    if (info_->isDivergentUse(use))
      return false;
  return true;
}

} // namespace quern::compiler
