// Accesses to places that lie next to each other where no index wraps and no row ends, which the
// packet tests first.
#include "compiler/packets/accesses/access_forms.h"
#include "compiler/packets/accesses/anywhere.h"
#include "compiler/packets/accesses/neighbours.h"
#include "compiler/packets/accesses/speculation_test.h"
#include "compiler/packets/no_wrap_speculation.h"
#include "compiler/packets/packet_part.h"
#include "compiler/target/target_model.h"

namespace quern::compiler {
namespace {

using llvm::Value;

class SpeculativeEmitter : PacketPart {
public:
  SpeculativeEmitter(PacketValues& values, const NoWrapSpeculation& speculation)
      : PacketPart(values), speculation_(speculation), test_(values, speculation) {}

  Value* load(llvm::LoadInst& load);
  void store(llvm::StoreInst& store);

private:
  using Vectors = SpeculationTest::Vectors;

  int direction() const { return speculation_.stride > 0 ? 1 : speculation_.stride < 0 ? -1 : 0; }

  const NoWrapSpeculation& speculation_;
  SpeculationTest test_;
};

Value* SpeculativeEmitter::load(llvm::LoadInst& load) {
  Value* pointers = vector(load.getPointerOperand());
  Value* condition = test_.noneWraps();
  Value* first = test_.unwrapped(load.getPointerOperand());
  const auto loadTogether = [&]() -> Vectors {
    if (direction() != 0)
      return {loadNeighbours(values_, load, first, direction())};
    return {forEachItem(
        builder_, builder_.CreateAlignedLoad(load.getType(), first, load.getAlign()), plan_.width)};
  };
  return test_
      .either(condition, loadTogether,
              [&]() -> Vectors { return {loadAnywhere(values_, load, pointers)}; })
      .front();
}

void SpeculativeEmitter::store(llvm::StoreInst& store) {
  Value* stored = vector(store.getValueOperand());
  Value* pointers = vector(store.getPointerOperand());
  Value* condition = test_.noneWraps();
  Value* first = test_.unwrapped(store.getPointerOperand());
  test_.either(
      condition,
      [&]() -> Vectors {
        storeNeighbours(values_, store, stored, first, direction());
        return {};
      },
      [&]() -> Vectors {
        storeAnywhere(values_, store, stored, pointers);
        return {};
      });
}

class SpeculativeAccess final : public AccessLowering {
public:
  SpeculativeAccess(const PacketAccess& access, NoWrapSpeculation speculation)
      : AccessLowering(access), speculation_(std::move(speculation)) {}

  const char* name() const override {
    return speculation_.stride == 0   ? "uniform within rows"
           : speculation_.divides()   ? "contiguous within rows"
           : speculation_.masks()     ? "contiguous within blocks"
           : speculation_.isLimited() ? "contiguous within limits"
                                      : "contiguous unless an index wraps";
  }

  /// As where no number wraps, after the test.
  double cost(const TargetModel& target, bool isMasked) const override {
    const unsigned items = speculation_.stride == 0 ? 1 : access_.plan.width;
    return target.access(access_.instruction, items, isMasked && items > 1) +
           SpeculationTest::cost(speculation_);
  }

  void emit(PacketValues& values) const override {
    SpeculativeEmitter emitter(values, speculation_);
    if (access_.isLoad())
      values.define(access_.instruction, emitter.load(load()));
    else
      emitter.store(store());
  }

private:
  NoWrapSpeculation speculation_;
};

} // namespace

std::unique_ptr<AccessLowering> speculativeAccess(const PacketAccess& access) {
  std::optional<NoWrapSpeculation> speculation =
      usefulNoWrapSpeculation(access.instruction, access.plan.shapes);
  return speculation ? std::make_unique<SpeculativeAccess>(access, std::move(*speculation))
                     : nullptr;
}

} // namespace quern::compiler
