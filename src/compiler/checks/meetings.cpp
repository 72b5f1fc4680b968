#include "compiler/checks/meetings.h"

#include <llvm/IR/InstIterator.h>

#include "abi/checked_launch.h"

namespace quern::compiler {

llvm::SmallVector<std::pair<llvm::CallInst*, Boundary>> meetingsOf(llvm::Function& body) {
  llvm::SmallVector<std::pair<llvm::CallInst*, Boundary>> meetings;
  for (llvm::Instruction& instruction : llvm::instructions(body))
    if (const auto boundary = boundaryOf(instruction))
      meetings.emplace_back(llvm::cast<llvm::CallInst>(&instruction), *boundary);
  return meetings;
}

llvm::Value* flagsOf(llvm::IRBuilder<>& builder, llvm::CallInst& meeting, Boundary boundary) {
  if (isCollective(boundary))
    return builder.getInt64(abi::checkedFlagsOfCollective);
  llvm::Value* flags = builder.CreateZExtOrTrunc(meeting.getArgOperand(0), builder.getInt64Ty());
  return isOfSubGroup(boundary) ? builder.CreateOr(flags, abi::checkedFlagOfSubGroup) : flags;
}

} // namespace quern::compiler
