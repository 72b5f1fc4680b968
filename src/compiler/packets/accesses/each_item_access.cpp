#include "compiler/il/packet_operation.h"
#include "compiler/packets/accesses/access_forms.h"
#include "compiler/packets/item_loops.h"
#include "compiler/target/target_model.h"

namespace quern::compiler {
namespace {

class EachItemAccess final : public AccessLowering {
public:
  using AccessLowering::AccessLowering;

  const char* name() const override { return "one after the other"; }

  bool isScattered() const override {
    return !access_.shape().isUniform() && access_.direction() == 0;
  }

  double cost(const TargetModel& target, bool /*isMasked*/) const override {
    return access_.plan.width * (TargetModel::scalar + TargetModel::handOver);
  }

  void emit(PacketValues& values) const override { ItemLoops(values).emit(access_.instruction); }
};

} // namespace

std::unique_ptr<AccessLowering> eachItemAccess(const PacketAccess& access) {
  return runsForEachItem(access.instruction) ? std::make_unique<EachItemAccess>(access) : nullptr;
}

} // namespace quern::compiler
