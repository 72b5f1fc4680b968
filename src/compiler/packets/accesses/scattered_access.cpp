#include "compiler/packets/accesses/access_forms.h"
#include "compiler/packets/accesses/anywhere.h"
#include "compiler/target/target_model.h"

namespace quern::compiler {
namespace {

class ScatteredAccess final : public AccessLowering {
public:
  using AccessLowering::AccessLowering;

  const char* name() const override {
    return !number() ? "of whole vectors" : access_.isLoad() ? "gathered" : "scattered";
  }

  bool isScattered() const override { return number() != nullptr; }

  double cost(const TargetModel& target, bool /*isMasked*/) const override {
    const unsigned width = access_.plan.width;
    if (llvm::Type* gathered = number())
      return target.scatteredAccess(access_.instruction, *gathered, width);
    // An access for each work-item, and what joins these in vectors.
    return width * (TargetModel::rowAccess + target.access(access_.instruction, 1, false)) +
           (width - 1) * target.permutation(access_.element(), 1);
  }

  void emit(PacketValues& values) const override {
    if (access_.isLoad()) {
      values.define(access_.instruction,
                    loadAnywhere(values, load(), values.vector(access_.pointer())));
      return;
    }
    llvm::Value* stored = values.vector(store().getValueOperand());
    storeAnywhere(values, store(), stored, values.vector(access_.pointer()));
  }

private:
  llvm::Type* number() const { return gatheredType(access_.element()); }
};

} // namespace

std::unique_ptr<AccessLowering> scatteredAccess(const PacketAccess& access) {
  return std::make_unique<ScatteredAccess>(access);
}

} // namespace quern::compiler
