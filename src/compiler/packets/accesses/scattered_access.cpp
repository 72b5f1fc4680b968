#include "compiler/packets/accesses/access_forms.h"
#include "compiler/packets/packet_values.h"
#include "compiler/target/target_model.h"

namespace quern::compiler {
namespace {

/// Where work-items write to one place the last one stays, as if each ran after the other.
class ScatteredAccess final : public AccessLowering {
public:
  using AccessLowering::AccessLowering;

  const char* name() const override { return access_.isLoad() ? "gathered" : "scattered"; }

  bool isScattered() const override { return true; }

  double cost(const TargetModel& target, bool /*isMasked*/) const override {
    return target.scatteredAccess(access_.instruction, access_.plan.width);
  }

  void emit(PacketValues& values) const override {
    llvm::IRBuilder<>& builder = values.builder();
    if (access_.isLoad()) {
      llvm::Value* pointers = values.vector(access_.pointer());
      values.define(access_.instruction,
                    builder.CreateMaskedGather(values.vectorType(access_.element()), pointers,
                                               load().getAlign(), values.maskOrAll()));
      return;
    }
    llvm::Value* stored = values.vector(store().getValueOperand());
    builder.CreateMaskedScatter(stored, values.vector(access_.pointer()), store().getAlign(),
                                values.maskOrAll());
  }
};

} // namespace

std::unique_ptr<AccessLowering> scatteredAccess(const PacketAccess& access) {
  return std::make_unique<ScatteredAccess>(access);
}

} // namespace quern::compiler
