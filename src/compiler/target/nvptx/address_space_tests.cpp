#include "compiler/target/nvptx/address_space_tests.h"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/IntrinsicsNVPTX.h>

#include "compiler/il/address_space.h"
#include "compiler/il/called_function.h"
#include "compiler/il/names.h"
#include "compiler/target/nvptx/remap_address_spaces.h"

namespace quern::compiler {
namespace {

llvm::Value* answer(llvm::CallInst& call) {
  llvm::Value* pointer = call.getArgOperand(0);
  const auto number = [&](unsigned space) { return llvm::ConstantInt::get(call.getType(), space); };
  const llvm::Value* object = llvm::getUnderlyingObject(pointer, 0);
  if (llvm::isa<llvm::AllocaInst>(object))
    return number(address_space::privateMemory);
  const unsigned origin = object->getType()->getPointerAddressSpace();
  if (origin != nvptx_space::generic)
    return number(origin == nvptx_space::shared ? address_space::local : address_space::global);
  llvm::IRBuilder<> builder(&call);
  const auto isIn = [&](llvm::Intrinsic::ID space) {
    return builder.CreateIntrinsic(space, {pointer});
  };
  llvm::Value* other =
      builder.CreateSelect(isIn(llvm::Intrinsic::nvvm_isspacep_local),
                           number(address_space::privateMemory), number(address_space::global));
  return builder.CreateSelect(isIn(llvm::Intrinsic::nvvm_isspacep_shared),
                              number(address_space::local), other);
}

} // namespace

llvm::PreservedAnalyses AddressSpaceTestsPass::run(llvm::Function& function,
                                                   llvm::FunctionAnalysisManager&) {
  const llvm::SmallVector<llvm::CallInst*> calls = callsOf(function, names::addressSpaceOf);
  for (llvm::CallInst* call : calls) {
    call->replaceAllUsesWith(answer(*call));
    call->eraseFromParent();
  }
  return calls.empty() ? llvm::PreservedAnalyses::all() : llvm::PreservedAnalyses::none();
}

} // namespace quern::compiler
