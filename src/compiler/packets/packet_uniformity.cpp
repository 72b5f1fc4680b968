#include "compiler/packets/packet_uniformity.h"

#include <llvm/ADT/GenericUniformityImpl.h>
#include <llvm/Analysis/TargetTransformInfoImpl.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>

#include "compiler/il/kernel_function.h"
#include "compiler/il/packet_operation.h"
#include "compiler/il/region_function.h"
#include "compiler/packets/each_item.h"
#include "compiler/packets/guards.h"

namespace quern::compiler {
namespace {

using llvm::InstructionUniformity;

/// What a region returns is the same for all, although the analysis cannot see it.
bool isResult(const llvm::Value* value) {
  const auto* phi = llvm::dyn_cast<llvm::PHINode>(value);
  return phi && !phi->use_empty() && llvm::all_of(phi->users(), llvm::IsaPred<llvm::ReturnInst>) &&
         llvm::all_of(phi->incoming_values(), llvm::IsaPred<llvm::ConstantInt>);
}

class PacketTarget : public llvm::TargetTransformInfoImplBase {
public:
  PacketTarget(llvm::Function& region, unsigned dimension, const AlignedIds& ids,
               const ExitValues& exitValues)
      : TargetTransformInfoImplBase(region.getDataLayout()),
        item_(implicitArgument(region, ImplicitArgument::Item, dimension)),
        itemIndex_(regionParameter(region, RegionParameter::ItemIndex)), ids_(ids),
        exitValues_(exitValues) {}

  bool hasBranchDivergence(const llvm::Function*) const override { return true; }

  InstructionUniformity getInstructionUniformity(const llvm::Value* value) const override {
    if (value == item_ || value == itemIndex_ || exitValues_.contains(value))
      return InstructionUniformity::NeverUniform;
    if (ids_.isPacketNumber(value) || isResult(value) || isPacketAll(*value))
      return InstructionUniformity::AlwaysUniform;
    if (const auto* instruction = llvm::dyn_cast<llvm::Instruction>(value);
        instruction && isPacketCollective(*instruction) && hasOneResult(*instruction))
      return InstructionUniformity::AlwaysUniform;
    // Every work-item has private memory of its own.
    if (llvm::isa<llvm::AllocaInst>(value))
      return InstructionUniformity::NeverUniform;
    // Another value may be there each time; functions that use memory may use private memory.
    if (const auto* instruction = llvm::dyn_cast<llvm::Instruction>(value);
        instruction && (runsForEachItem(*instruction) || isPacketOperation(*instruction)))
      return InstructionUniformity::NeverUniform;
    // Freezing an undefined value may give every work-item another one.
    if (llvm::isa<llvm::FreezeInst>(value))
      return InstructionUniformity::NeverUniform;
    return InstructionUniformity::Default;
  }

private:
  const llvm::Value* item_;
  const llvm::Value* itemIndex_;
  AlignedIds ids_;
  const ExitValues& exitValues_;
};

} // namespace

PacketUniformity::PacketUniformity(llvm::Function& region, unsigned dimension, uint64_t alignment)
    : ids_(region, alignment), dominators_(region),
      target_(std::make_unique<PacketTarget>(region, dimension, ids_, exitValues_)) {
  dependsOnAlignment_ =
      llvm::any_of(llvm::instructions(region), [this](const llvm::Instruction& instruction) {
        return ids_.isPacketNumber(&instruction);
      });
  cycles_.compute(region);
  do {
    info_.emplace(dominators_, cycles_, &target_); // needs the cycles to be there
    info_->compute();
  } while (addExitValues(cycles_, *info_, exitValues_));
}

} // namespace quern::compiler
