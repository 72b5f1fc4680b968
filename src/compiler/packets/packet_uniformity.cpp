#include "compiler/packets/packet_uniformity.h"

#include <llvm/ADT/GenericUniformityImpl.h>
#include <llvm/Analysis/TargetTransformInfoImpl.h>
#include <llvm/IR/Instructions.h>

#include "compiler/il/kernel_function.h"
#include "compiler/il/region_function.h"

namespace quern::compiler {
namespace {

using llvm::InstructionUniformity;

class PacketTarget : public llvm::TargetTransformInfoImplBase {
public:
  PacketTarget(llvm::Function& region, unsigned dimension)
      : TargetTransformInfoImplBase(region.getDataLayout()),
        item_(hidden(region, Hidden::Item, dimension)),
        itemIndex_(regionParameter(region, RegionParameter::ItemIndex)) {}

  bool hasBranchDivergence(const llvm::Function*) const override { return true; }

  InstructionUniformity getInstructionUniformity(const llvm::Value* value) const override {
    if (value == item_ || value == itemIndex_)
      return InstructionUniformity::NeverUniform;
    // Every work-item has private memory of its own.
    if (llvm::isa<llvm::AllocaInst>(value))
      return InstructionUniformity::NeverUniform;
    // Freezing an undefined value may give every work-item another one.
    if (llvm::isa<llvm::FreezeInst>(value))
      return InstructionUniformity::NeverUniform;
    return InstructionUniformity::Default;
  }

private:
  const llvm::Value* item_;
  const llvm::Value* itemIndex_;
};

} // namespace

PacketUniformity::PacketUniformity(llvm::Function& region, unsigned dimension)
    : dominators_(region), target_(std::make_unique<PacketTarget>(region, dimension)) {
  cycles_.compute(region);
  info_.emplace(dominators_, cycles_, &target_); // needs the cycles to be there
  info_->compute();
}

} // namespace quern::compiler
