#include "compiler/il/packet_operation.h"

#include <llvm/IR/IntrinsicInst.h>

#include "compiler/il/boundary.h"
#include "compiler/il/collective.h"
#include "compiler/il/collective_arithmetic.h"
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

bool isPacketOperation(const llvm::Instruction& instruction) {
  return isSubGroupOperation(instruction) || isPacketCollective(instruction);
}

bool hasOneResult(const llvm::Instruction& packetOperation) {
  if (calls(packetOperation, names::uniformPacketCollectivePrefix))
    return true;
  if (!isSubGroupOperation(packetOperation))
    return false;
  const llvm::StringRef name = combineName(llvm::cast<llvm::CallInst>(packetOperation));
  const auto arithmetic = CollectiveArithmetic::parse(name);
  return name == "all_of" || name == "any_of" || name == "ballot" || isOfFirst(name) ||
         (arithmetic && arithmetic->kind == CollectiveArithmetic::Kind::Reduce);
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
