#include "compiler/packets/accesses/access_forms.h"
#include "compiler/packets/accesses/neighbours.h"
#include "compiler/target/target_model.h"

namespace quern::compiler {
namespace {

class ContiguousAccess final : public AccessLowering {
public:
  using AccessLowering::AccessLowering;

  const char* name() const override { return access_.direction() > 0 ? "contiguous" : "reversed"; }

  double cost(const TargetModel& target, bool isMasked) const override {
    const double access = target.access(access_.instruction, access_.plan.width, isMasked);
    return access_.direction() > 0
               ? access
               : access + target.permutation(access_.element(), access_.plan.width);
  }

  void emit(PacketValues& values) const override {
    if (access_.isLoad()) {
      values.define(
          access_.instruction,
          loadNeighbours(values, load(), values.scalar(access_.pointer()), access_.direction()));
      return;
    }
    llvm::Value* stored = values.vector(store().getValueOperand());
    storeNeighbours(values, store(), stored, values.scalar(access_.pointer()), access_.direction());
  }
};

} // namespace

std::unique_ptr<AccessLowering> contiguousAccess(const PacketAccess& access) {
  return access.direction() != 0 ? std::make_unique<ContiguousAccess>(access) : nullptr;
}

} // namespace quern::compiler
