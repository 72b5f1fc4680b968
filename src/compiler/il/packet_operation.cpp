#include "compiler/il/packet_operation.h"

#include "compiler/il/names.h"
#include "compiler/il/sub_group_form.h"

namespace quern::compiler {

static bool calls(const llvm::Instruction& instruction, llvm::StringRef prefix) {
  const auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction);
  return call && call->getCalledFunction() &&
         call->getCalledFunction()->getName().starts_with(prefix);
}

bool isPacketCollective(const llvm::Instruction& instruction) {
  return calls(instruction, names::packetCollectivePrefix);
}

bool hasOneResult(const llvm::Instruction& packetCollective) {
  return calls(packetCollective, names::uniformPacketCollectivePrefix);
}

bool isPacketOperation(const llvm::Instruction& instruction) {
  return isSubGroupOperation(instruction) || isPacketCollective(instruction);
}

} // namespace quern::compiler
