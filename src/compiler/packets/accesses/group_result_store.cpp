#include "compiler/il/region_function.h"
#include "compiler/packets/accesses/access_forms.h"
#include "compiler/packets/packet_values.h"
#include "compiler/target/target_model.h"

namespace quern::compiler {
namespace {

using llvm::Value;

/// The value of the first work-item that runs this. Where nobody does, the place gets what it has,
/// so that LLVM sees a value there instead of memory.
class GroupResultStore final : public AccessLowering {
public:
  using AccessLowering::AccessLowering;

  const char* name() const override { return "uniform"; }

  double cost(const TargetModel& target, bool /*isMasked*/) const override {
    return target.access(access_.instruction, 1, false) + TargetModel::anyBranch;
  }

  void emit(PacketValues& values) const override {
    llvm::IRBuilder<>& builder = values.builder();
    Value* place = values.scalar(access_.pointer());
    Value* stored = valueOfOne(values);
    Value* before = builder.CreateAlignedLoad(stored->getType(), place, store().getAlign());
    builder.CreateAlignedStore(
        builder.CreateSelect(builder.CreateOrReduce(values.mask()), stored, before), place,
        store().getAlign());
  }

private:
  Value* valueOfOne(PacketValues& values) const {
    llvm::IRBuilder<>& builder = values.builder();
    Value* value = store().getValueOperand();
    if (access_.plan.shapes.of(value).isUniform())
      return values.scalar(value);
    Value* item =
        builder.CreateBinaryIntrinsic(llvm::Intrinsic::cttz, values.maskBits(), builder.getFalse());
    return builder.CreateExtractElement(
        values.vector(value),
        builder.CreateAnd(builder.CreateZExtOrTrunc(item, builder.getInt32Ty()),
                          access_.plan.width - 1));
  }
};

} // namespace

/// Of what all work-items of the group load (regions/group_results.h).
std::unique_ptr<AccessLowering> groupResultStore(const PacketAccess& access) {
  const bool isResult =
      !access.isLoad() && access.isMasked() &&
      leadsInto(access.plan.region, access.pointer(), RegionParameter::UniformsOut);
  return isResult ? std::make_unique<GroupResultStore>(access) : nullptr;
}

} // namespace quern::compiler
