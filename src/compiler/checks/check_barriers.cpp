#include "compiler/checks/check_barriers.h"

#include <llvm/IR/Module.h>

#include "abi/checked_launch.h"
#include "compiler/checks/fault.h"
#include "compiler/checks/meetings.h"
#include "compiler/checks/names.h"
#include "compiler/il/address_space.h"
#include "compiler/il/kernel_function.h"
#include "compiler/il/names.h"

namespace quern::compiler {
namespace {

llvm::Value* groupSize(llvm::IRBuilder<>& builder, llvm::Function& body) {
  llvm::Value* size = implicitArgument(body, ImplicitArgument::Size, 0);
  for (unsigned dimension = 1; dimension < 3; ++dimension)
    size = builder.CreateMul(size, implicitArgument(body, ImplicitArgument::Size, dimension));
  return size;
}

void tell(llvm::Instruction& place, llvm::Value* flags, abi::CheckedMeeting meeting) {
  llvm::IRBuilder<> builder(&place);
  tellDevice(builder, names::checkBarrier, {.fault = abi::Fault::DivergentBarrier}, place,
             {flags, groupSize(builder, *place.getFunction()),
              builder.getInt64(static_cast<uint64_t>(meeting))});
}

/// Also within constants.
bool isUsedIn(const llvm::Value& value, const llvm::Function& body) {
  return llvm::any_of(value.users(), [&](const llvm::User* user) {
    if (const auto* instruction = llvm::dyn_cast<llvm::Instruction>(user))
      return instruction->getFunction() == &body;
    return llvm::isa<llvm::Constant>(user) && isUsedIn(*user, body);
  });
}

bool isInLocalMemory(const llvm::Value& pointer) {
  return pointer.getType()->isPointerTy() &&
         pointer.getType()->getPointerAddressSpace() == address_space::local;
}

/// Which the device only knows to be new for each work-group by the end of the one before.
bool usesLocalMemory(llvm::Function& body) {
  for (unsigned i = 0; i < kernelArgumentCount(body); ++i)
    if (isInLocalMemory(*body.getArg(i)))
      return true;
  return llvm::any_of(body.getParent()->globals(), [&](const llvm::GlobalVariable& variable) {
    return isInLocalMemory(variable) && isUsedIn(variable, body);
  });
}

void checkMeetings(llvm::Function& body) {
  const auto meetings = meetingsOf(body);
  if (meetings.empty() && !usesLocalMemory(body))
    return;
  for (const auto& [meeting, boundary] : meetings) {
    llvm::IRBuilder<> builder(meeting);
    tell(*meeting, flagsOf(builder, *meeting, boundary), abi::CheckedMeeting::Barrier);
  }
  for (llvm::BasicBlock& block : body)
    if (auto* end = llvm::dyn_cast<llvm::ReturnInst>(block.getTerminator())) {
      llvm::IRBuilder<> builder(end);
      tell(*end, builder.getInt64(0), abi::CheckedMeeting::End);
    }
}

} // namespace

llvm::PreservedAnalyses CheckBarriersPass::run(llvm::Module& module, llvm::ModuleAnalysisManager&) {
  for (llvm::Function* body : kernelFunctions(module))
    checkMeetings(*body);
  return llvm::PreservedAnalyses::none();
}

} // namespace quern::compiler
