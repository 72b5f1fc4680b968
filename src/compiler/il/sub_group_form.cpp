#include "compiler/il/sub_group_form.h"

#include "compiler/il/kernel_function.h"
#include "compiler/il/names.h"

namespace quern::compiler {
namespace {

constexpr llvm::StringRef formAttribute = "quern-sub-groups-are-packets";

constexpr unsigned maxOperands = 2;
/// Of the function that makes the results (il/collective.h).
constexpr unsigned combineParameters = 6;

} // namespace

void setSubGroupsArePackets(llvm::Function& item) {
  item.addFnAttr(formAttribute);
}

bool subGroupsArePackets(const llvm::Function& function) {
  return function.hasFnAttribute(formAttribute);
}

bool alwaysRunsSubGroupPackets(const llvm::Function& kernel) {
  const auto [row, rows, layers] = requiredWorkGroupSize(kernel);
  return row != 0 && (hasUniformGroups(kernel) || (rows == 1 && layers == 1));
}

bool isLibraryCollective(const llvm::CallInst& call) {
  const llvm::Function* callee = call.getCalledFunction();
  if (!callee || !callee->isDeclaration() || call.arg_size() < 2 ||
      call.arg_size() > 1 + maxOperands || call.getType()->isVoidTy())
    return false;
  // A program that only uses the name gets the error for an undefined function.
  const auto* combine = llvm::dyn_cast<llvm::Function>(call.getArgOperand(0)->stripPointerCasts());
  return combine && !combine->isDeclaration() && combine->arg_size() == combineParameters &&
         (callee->getName().starts_with(names::groupCollectivePrefix) ||
          callee->getName().starts_with(names::subGroupCollectivePrefix));
}

bool isSubGroupOperation(const llvm::Instruction& instruction) {
  const auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction);
  return call && isLibraryCollective(*call) &&
         call->getCalledFunction()->getName().starts_with(names::subGroupCollectivePrefix);
}

} // namespace quern::compiler
