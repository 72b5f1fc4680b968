#include "compiler/work_items/collective_lowering.h"

#include <llvm/ADT/SetVector.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/PromoteMemToReg.h>

#include "compiler/il/boundary.h"
#include "compiler/il/names.h"
#include "compiler/il/work_item_functions.h"

namespace quern::compiler {
namespace {

constexpr unsigned maxOperands = 2;

/// A function of ours that work-items pass together.
llvm::FunctionCallee boundaryFunction(llvm::Module& module, llvm::StringRef name,
                                      llvm::ArrayRef<llvm::Type*> parameters) {
  llvm::FunctionCallee callee = module.getOrInsertFunction(
      name, llvm::FunctionType::get(llvm::Type::getVoidTy(module.getContext()), parameters, false));
  auto* function = llvm::cast<llvm::Function>(callee.getCallee());
  function->addFnAttr(llvm::Attribute::Convergent);
  function->addFnAttr(llvm::Attribute::NoUnwind);
  return callee;
}

void callBoundary(llvm::IRBuilder<>& builder, llvm::FunctionCallee callee,
                  llvm::ArrayRef<llvm::Value*> arguments) {
  builder.CreateCall(callee, arguments)->addFnAttr(llvm::Attribute::Convergent);
}

llvm::AllocaInst* addVariable(llvm::Function& item, llvm::Type* type, const llvm::Twine& name) {
  llvm::IRBuilder<> builder(&item.getEntryBlock(), item.getEntryBlock().begin());
  return builder.CreateAlloca(type, nullptr, name);
}

/// One for each type of results and operands.
llvm::FunctionCallee packetCollective(llvm::Module& module, bool isUniform, llvm::Type* result,
                                      llvm::ArrayRef<llvm::Value*> arguments) {
  std::string name;
  llvm::raw_string_ostream text(name);
  text << (isUniform ? names::uniformPacketCollectivePrefix : names::packetCollectivePrefix)
       << *result;
  llvm::SmallVector<llvm::Type*> types;
  for (const llvm::Value* argument : arguments) {
    types.push_back(argument->getType());
    if (types.size() > 1)
      text << '.' << *types.back();
  }
  llvm::FunctionCallee callee =
      module.getOrInsertFunction(name, llvm::FunctionType::get(result, types, false));
  auto* function = llvm::cast<llvm::Function>(callee.getCallee());
  function->addFnAttr(llvm::Attribute::Convergent);
  function->addFnAttr(llvm::Attribute::NoUnwind);
  return callee;
}

} // namespace

void lowerCollective(llvm::CallInst& call) {
  llvm::Function& item = *call.getFunction();
  llvm::IRBuilder<> builder(&call);
  const llvm::StringRef name = call.getCalledFunction()->getName();
  const bool isUniform = name.starts_with(names::uniformCollectivePrefix);
  const llvm::StringRef function = name.starts_with(names::subGroupCollectivePrefix)
                                       ? names::subGroupCollective
                                   : isUniform ? names::uniformGroupCollective
                                               : names::groupCollective;
  llvm::AllocaInst* result = addVariable(item, call.getType(), "collective.result");
  llvm::Type* pointer = builder.getPtrTy();
  llvm::SmallVector<llvm::Value*> arguments = {call.getArgOperand(0)->stripPointerCasts(), result};
  for (unsigned i = 1; i <= maxOperands; ++i) {
    if (i >= call.arg_size()) {
      arguments.push_back(llvm::ConstantPointerNull::get(builder.getPtrTy()));
      continue;
    }
    llvm::Value* value = call.getArgOperand(i);
    llvm::AllocaInst* operand = addVariable(item, value->getType(), "collective.operand");
    builder.CreateStore(value, operand);
    arguments.push_back(operand);
  }
  callBoundary(builder,
               boundaryFunction(*item.getParent(), function, {pointer, pointer, pointer, pointer}),
               arguments);
  llvm::LoadInst* value = builder.CreateLoad(call.getType(), result);
  if (isUniform)
    value->setMetadata(names::uniformMetadata, llvm::MDNode::get(item.getContext(), {}));
  call.replaceAllUsesWith(value);
  call.eraseFromParent();
}

void lowerBarrier(llvm::CallInst& call, llvm::StringRef name, unsigned defaultScope) {
  llvm::IRBuilder<> builder(&call);
  llvm::Type* int32 = builder.getInt32Ty();
  llvm::Value* scope = call.arg_size() > 1 ? builder.CreateZExtOrTrunc(call.getArgOperand(1), int32)
                                           : llvm::ConstantInt::get(int32, defaultScope);
  callBoundary(builder, boundaryFunction(*call.getModule(), name, {int32, int32}),
               {call.getArgOperand(0), scope});
  call.eraseFromParent();
}

void lowerBarrierOfPacket(llvm::CallInst& barrier) {
  const auto* scope = llvm::dyn_cast<llvm::ConstantInt>(barrier.getArgOperand(1));
  const bool isOwn =
      scope && (scope->getZExtValue() <= workGroupScope || scope->getZExtValue() == subGroupScope);
  llvm::IRBuilder<> builder(&barrier);
  callBoundary(builder, boundaryFunction(*barrier.getModule(), names::packetBarrier, {}), {});
  if (!isOwn)
    builder.CreateFence(llvm::AtomicOrdering::AcquireRelease);
  barrier.eraseFromParent();
}

void lowerCollectivesOfPacket(llvm::Function& item, llvm::ArrayRef<llvm::CallInst*> collectives) {
  llvm::SmallSetVector<llvm::AllocaInst*, 8> variables;
  const auto variableOf = [&](llvm::Value* pointer) {
    auto* variable = llvm::dyn_cast<llvm::AllocaInst>(pointer->stripPointerCasts());
    if (variable)
      variables.insert(variable);
    return variable;
  };
  for (llvm::CallInst* call : collectives) {
    llvm::IRBuilder<> builder(call);
    llvm::SmallVector<llvm::Value*> arguments = {call->getArgOperand(0)};
    for (unsigned i = 2; i < 2 + maxOperands; ++i)
      if (llvm::AllocaInst* operand = variableOf(call->getArgOperand(i)))
        arguments.push_back(builder.CreateLoad(operand->getAllocatedType(), operand));
    llvm::AllocaInst* result = variableOf(call->getArgOperand(1));
    llvm::CallInst* made =
        builder.CreateCall(packetCollective(*item.getParent(), hasUniformResult(*call),
                                            result->getAllocatedType(), arguments),
                           arguments);
    made->addFnAttr(llvm::Attribute::Convergent);
    builder.CreateStore(made, result);
    call->eraseFromParent();
  }
  llvm::DominatorTree dominators(item);
  variables.remove_if(
      [](const llvm::AllocaInst* variable) { return !llvm::isAllocaPromotable(variable); });
  llvm::PromoteMemToReg(variables.getArrayRef(), dominators);
}

void addSubGroupBarrier(llvm::Instruction& place) {
  llvm::IRBuilder<> builder(&place);
  llvm::Type* int32 = builder.getInt32Ty();
  callBoundary(builder,
               boundaryFunction(*place.getModule(), names::subGroupBarrier, {int32, int32}),
               {builder.getInt32(0), builder.getInt32(subGroupScope)});
}

} // namespace quern::compiler
