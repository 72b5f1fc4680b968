#include "compiler/checks/check_barriers.h"

#include <llvm/IR/InstIterator.h>

#include "abi/checked_launch.h"
#include "compiler/checks/fault.h"
#include "compiler/checks/names.h"
#include "compiler/il/boundary.h"
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

/// A barrier's own flags; collective functions order all memory.
llvm::Value* flagsOf(llvm::IRBuilder<>& builder, llvm::CallInst& meeting, Boundary boundary) {
  if (isCollective(boundary))
    return builder.getInt64(abi::checkedFlagsOfCollective);
  llvm::Value* flags = builder.CreateZExtOrTrunc(meeting.getArgOperand(0), builder.getInt64Ty());
  return isOfSubGroup(boundary) ? builder.CreateOr(flags, abi::checkedFlagOfSubGroup) : flags;
}

void tell(llvm::Instruction& place, llvm::Value* flags, bool isEnd) {
  llvm::IRBuilder<> builder(&place);
  tellDevice(builder, names::checkBarrier, {.fault = abi::Fault::DivergentBarrier}, place,
             {flags, groupSize(builder, *place.getFunction()), builder.getInt64(isEnd ? 0 : 1)});
}

void check(llvm::Function& body) {
  llvm::SmallVector<std::pair<llvm::CallInst*, Boundary>> meetings;
  llvm::SmallVector<llvm::ReturnInst*> ends;
  for (llvm::Instruction& instruction : llvm::instructions(body)) {
    if (const auto boundary = boundaryOf(instruction))
      meetings.emplace_back(llvm::cast<llvm::CallInst>(&instruction), *boundary);
    if (auto* end = llvm::dyn_cast<llvm::ReturnInst>(&instruction))
      ends.push_back(end);
  }
  if (meetings.empty())
    return;
  for (const auto& [meeting, boundary] : meetings) {
    llvm::IRBuilder<> builder(meeting);
    tell(*meeting, flagsOf(builder, *meeting, boundary), /*isEnd=*/false);
  }
  for (llvm::ReturnInst* end : ends) {
    llvm::IRBuilder<> builder(end);
    tell(*end, builder.getInt64(0), /*isEnd=*/true);
  }
}

} // namespace

llvm::PreservedAnalyses CheckBarriersPass::run(llvm::Module& module, llvm::ModuleAnalysisManager&) {
  for (llvm::Function* body : kernelFunctions(module))
    check(*body);
  return llvm::PreservedAnalyses::none();
}

} // namespace quern::compiler
