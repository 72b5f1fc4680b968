#include "compiler/il/packet_operation.h"

#include <llvm/IR/IntrinsicInst.h>

#include "compiler/il/boundary.h"
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

bool isReservation(const llvm::Instruction& instruction) {
  return calls(instruction, names::reservationPrefix);
}

bool isVolatileOrAtomic(const llvm::Instruction& instruction) {
  return !llvm::isa<llvm::FenceInst>(instruction) &&
         (instruction.isVolatile() || instruction.isAtomic());
}

bool runsForEachItem(const llvm::Instruction& instruction) {
  if (isVolatileOrAtomic(instruction))
    return true;
  const auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction);
  if (!call || isPacketOperation(*call) || isPacketBarrier(*call))
    return false;
  if (const llvm::Function* callee = call->getCalledFunction();
      callee && callee->hasFnAttribute(llvm::Attribute::NoInline))
    return true;
  if (call->doesNotAccessMemory())
    return false;
  return llvm::isa<llvm::MemIntrinsic>(call) || !llvm::isa<llvm::IntrinsicInst>(call);
}

} // namespace quern::compiler
