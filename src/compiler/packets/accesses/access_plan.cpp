#include "compiler/packets/accesses/access_plan.h"

#include <llvm/IR/InstIterator.h>

#include "compiler/il/address_space.h"
#include "compiler/packets/accesses/access_forms.h"
#include "compiler/packets/no_wrap_speculation.h"
#include "compiler/packets/packet_emitter.h"
#include "compiler/target/target_model.h"

namespace quern::compiler {
namespace {

/// The first one that an access has is its own; the last one all have.
constexpr AccessForm forms[] = {eachItemAccess, interleavedAccess, groupResultStore, uniformAccess,
                                chunkAccess,    contiguousAccess,  tableLookup,      patternAccess,
                                shortRowAccess, speculativeAccess, scatteredAccess};

Masking maskingOf(const llvm::Instruction& access, const PacketPlan& plan) {
  if (plan.masked.contains(access.getParent()))
    return Masking::Some;
  if (!plan.isAtEdge)
    return Masking::All;
  return plan.shapes.isWholeRow() ? Masking::Known : Masking::Some;
}

std::unique_ptr<AccessLowering> chooseLowering(const PacketAccess& access) {
  std::unique_ptr<AccessLowering> chosen;
  for (const AccessForm form : forms)
    if ((chosen = form(access)))
      break;
  return chosen;
}

} // namespace

int64_t PacketAccess::bytes() const {
  return static_cast<int64_t>(
      plan.region.getDataLayout().getTypeStoreSize(element()).getFixedValue());
}

Shape PacketAccess::shape() const {
  return plan.shapes.of(pointer());
}

int PacketAccess::direction() const {
  const Shape shape = this->shape();
  if (!shape.isAffine() || element()->isIntegerTy(1) || std::abs(shape.stride) != bytes())
    return 0;
  return shape.stride > 0 ? 1 : -1;
}

double AccessLowering::costOfConflicts(const TargetModel& target) const {
  const PacketPlan& plan = access_.plan;
  const llvm::Value* address = access_.pointer();
  if (address->getType()->getPointerAddressSpace() == address_space::privateMemory ||
      !plan.loops.getLoopFor(access_.instruction.getParent()))
    return 0;
  const Shape shape = access_.shape();
  if (shape.isAffine())
    return shape.factor ? 0 : target.cacheConflicts(shape.stride, plan.width);
  const std::optional<NoWrapSpeculation> speculation =
      shape.isVarying() ? noWrapSpeculationOf(address, plan.shapes) : std::nullopt;
  return speculation ? target.cacheConflicts(speculation->stride, plan.width) : 0;
}

AccessPlan::AccessPlan(const PacketPlan& plan) {
  for (llvm::Instruction& instruction : llvm::instructions(plan.region)) {
    if (!llvm::getLoadStorePointerOperand(&instruction))
      continue;
    const InterleaveGroup* group = plan.groups.groupOf(&instruction);
    if (group && group->place().access != &instruction)
      continue;
    made_.push_back(chooseLowering({instruction, group, maskingOf(instruction, plan), plan}));
    lowerings_[&instruction] = made_.back().get();
    if (group)
      for (const InterleaveGroup::Member& member : group->members)
        lowerings_[member.access] = made_.back().get();
  }
}

} // namespace quern::compiler
