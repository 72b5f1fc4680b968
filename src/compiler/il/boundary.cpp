#include "compiler/il/boundary.h"

#include <utility>

#include "compiler/il/names.h"

namespace quern::compiler {

std::optional<Boundary> boundaryOf(const llvm::Instruction& instruction) {
  const auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction);
  const llvm::Function* callee = call ? call->getCalledFunction() : nullptr;
  if (!callee)
    return std::nullopt;
  static constexpr std::pair<llvm::StringRef, Boundary> boundaries[] = {
      {names::barrier, Boundary::GroupBarrier},
      {names::subGroupBarrier, Boundary::SubGroupBarrier},
      {names::groupCollective, Boundary::GroupCollective},
      {names::uniformGroupCollective, Boundary::GroupCollective},
      {names::subGroupCollective, Boundary::SubGroupCollective},
  };
  for (const auto& [name, boundary] : boundaries)
    if (callee->getName() == name)
      return boundary;
  return std::nullopt;
}

bool hasUniformResult(const llvm::CallInst& collective) {
  return collective.getCalledFunction()->getName() == names::uniformGroupCollective;
}

bool isPacketBarrier(const llvm::Instruction& instruction) {
  const auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction);
  return call && call->getCalledFunction() &&
         call->getCalledFunction()->getName() == names::packetBarrier;
}

} // namespace quern::compiler
