#include "compiler/packets/accesses/access_forms.h"
#include "compiler/packets/accesses/neighbours.h"

namespace quern::compiler {
namespace {

class ContiguousAccess final : public AccessLowering {
public:
  using AccessLowering::AccessLowering;

  const char* name() const override { return access_.direction() > 0 ? "contiguous" : "reversed"; }

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
