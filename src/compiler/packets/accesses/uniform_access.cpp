#include "compiler/packets/accesses/access_forms.h"
#include "compiler/packets/packet_values.h"
#include "compiler/target/target_model.h"

namespace quern::compiler {
namespace {

using llvm::Value;

/// Where nobody may run it, a number is a vector of one element, which LLVM makes a branch of.
class UniformAccess final : public AccessLowering {
public:
  using AccessLowering::AccessLowering;

  const char* name() const override { return "uniform"; }

  double cost(const TargetModel& target, bool /*isMasked*/) const override {
    return target.access(access_.instruction, 1, false);
  }

  void emit(PacketValues& values) const override {
    if (access_.isLoad())
      values.define(access_.instruction, emitLoad(values));
    else
      emitStore(values);
  }

private:
  static Value* maskOf(PacketValues& values, llvm::Type* type) {
    return values.builder().CreateVectorSplat(elementsOf(type),
                                              values.builder().CreateOrReduce(values.mask()));
  }

  Value* emitLoad(PacketValues& values) const {
    llvm::IRBuilder<>& builder = values.builder();
    if (!values.mustNotFault()) {
      llvm::Instruction* copy = load().clone();
      copy->setOperand(0, values.scalar(access_.pointer()));
      return builder.Insert(copy, load().getName());
    }
    llvm::Type* own = load().getType();
    llvm::Type* type = own->isVectorTy() ? own : llvm::FixedVectorType::get(own, 1);
    Value* loaded = builder.CreateMaskedLoad(type, values.scalar(access_.pointer()),
                                             load().getAlign(), maskOf(values, own));
    return own->isVectorTy() ? loaded : builder.CreateExtractElement(loaded, uint64_t{0});
  }

  void emitStore(PacketValues& values) const {
    llvm::IRBuilder<>& builder = values.builder();
    Value* value = values.scalar(store().getValueOperand());
    Value* pointer = values.scalar(access_.pointer());
    if (values.mustNotFault())
      builder.CreateMaskedStore(
          value->getType()->isVectorTy() ? value : builder.CreateVectorSplat(1, value), pointer,
          store().getAlign(), maskOf(values, value->getType()));
    else
      builder.CreateAlignedStore(value, pointer, store().getAlign());
  }
};

} // namespace

std::unique_ptr<AccessLowering> uniformAccess(const PacketAccess& access) {
  const Shapes& shapes = access.plan.shapes;
  const auto* store = llvm::dyn_cast<llvm::StoreInst>(&access.instruction);
  const bool isOne =
      store ? access.shape().isUniform() && shapes.of(store->getValueOperand()).isUniform()
            : !shapes.of(&access.instruction).isVarying();
  return isOne ? std::make_unique<UniformAccess>(access) : nullptr;
}

} // namespace quern::compiler
