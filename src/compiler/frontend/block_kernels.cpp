#include "compiler/frontend/block_kernels.h"

#include <algorithm>

#include <llvm/ADT/SetVector.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>

#include "abi/child_records.h"
#include "compiler/il/address_space.h"
#include "compiler/il/enqueue_functions.h"
#include "compiler/il/names.h"

namespace quern::compiler {
namespace {

constexpr unsigned flagsArgument = 1;

/// What the front end makes of a block where it is written: its size, its alignment, the function
/// that runs it, and what it captured.
struct Literal {
  uint64_t bytes = 0;
  llvm::Align alignment;
};

/// That of the block that `invoke` runs, to which only literals refer otherwise.
Literal literalOf(const llvm::Function& invoke) {
  const llvm::DataLayout& layout = invoke.getDataLayout();
  Literal literal;
  const auto add = [&](llvm::Type* type, llvm::Align alignment) {
    literal.bytes = std::max<uint64_t>(literal.bytes, layout.getTypeAllocSize(type));
    literal.alignment = std::max(literal.alignment, alignment);
  };
  llvm::SmallSetVector<const llvm::User*, 8> users(invoke.user_begin(), invoke.user_end());
  for (size_t i = 0; i < users.size(); ++i) {
    const llvm::User* user = users[i];
    if (const auto* store = llvm::dyn_cast<llvm::StoreInst>(user)) {
      const auto* variable =
          llvm::dyn_cast<llvm::AllocaInst>(llvm::getUnderlyingObject(store->getPointerOperand()));
      if (variable)
        add(variable->getAllocatedType(), variable->getAlign());
    } else if (const auto* variable = llvm::dyn_cast<llvm::GlobalVariable>(user)) {
      add(variable->getValueType(), variable->getAlign().valueOrOne());
    } else if (llvm::isa<llvm::Constant>(user)) {
      users.insert(user->user_begin(), user->user_end());
    }
  }
  return literal;
}

/// The function that the block's `kernel` calls.
llvm::Function* invokedBy(llvm::Function& kernel) {
  for (llvm::Instruction& instruction : llvm::instructions(kernel))
    if (auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction))
      return call->getCalledFunction();
  return nullptr;
}

/// Blocks are known wherever they are used, so nobody reads from a literal what runs it.
void forgetInLiterals(llvm::Function& invoke) {
  for (llvm::User* user : llvm::make_early_inc_range(invoke.users()))
    if (auto* constant = llvm::dyn_cast<llvm::ConstantExpr>(user))
      constant->replaceAllUsesWith(llvm::Constant::getNullValue(constant->getType()));
  invoke.removeDeadConstantUsers();
}

/// A kernel with the body of `old`, whose first argument was the address of the literal.
void takeLiteralByValue(llvm::Function& old, const Literal& literal) {
  llvm::LLVMContext& context = old.getContext();
  llvm::SmallVector<llvm::Type*> types(old.getFunctionType()->params());
  types[0] = llvm::PointerType::get(context, address_space::privateMemory);
  llvm::Function* kernel = llvm::Function::Create(
      llvm::FunctionType::get(old.getReturnType(), types, false),
      llvm::GlobalValue::ExternalLinkage, old.getAddressSpace(), "", nullptr);
  old.getParent()->getFunctionList().insert(old.getIterator(), kernel);
  kernel->copyAttributesFrom(&old);
  kernel->copyMetadata(&old, 0);
  kernel->takeName(&old);
  kernel->splice(kernel->begin(), &old);
  for (unsigned i = 1; i < old.arg_size(); ++i)
    old.getArg(i)->replaceAllUsesWith(kernel->getArg(i));
  llvm::IRBuilder<> builder(&kernel->getEntryBlock(), kernel->getEntryBlock().begin());
  old.getArg(0)->replaceAllUsesWith(
      builder.CreateAddrSpaceCast(kernel->getArg(0), old.getArg(0)->getType()));
  llvm::Type* bytes = llvm::ArrayType::get(builder.getInt8Ty(), literal.bytes);
  kernel->addParamAttr(0, llvm::Attribute::getWithByValType(context, bytes));
  kernel->addParamAttr(0, llvm::Attribute::getWithAlignment(context, literal.alignment));
  kernel->addFnAttr(names::blockAttribute);
  old.eraseFromParent();
}

/// Where blocks would have one name, as with `-g`, LLVM puts a dot and a number behind it. PTX has
/// no dots in names.
void replaceDots(llvm::Function& kernel) {
  std::string name = kernel.getName().str();
  std::ranges::replace(name, '.', '$');
  kernel.setName(name);
}

} // namespace

void makeBlockKernels(llvm::Module& module, bool tellsErrors) {
  llvm::SmallSetVector<llvm::Function*, 8> kernels;
  for (llvm::Function& function : module) {
    const std::optional<unsigned> argument = blockArgument(function.getName());
    if (!argument || !function.isDeclaration())
      continue;
    for (llvm::User* user : function.users()) {
      auto* call = llvm::cast<llvm::CallInst>(user);
      llvm::Value* block = call->getArgOperand(*argument);
      auto* kernel = llvm::dyn_cast<llvm::Function>(block->stripPointerCasts());
      if (!kernel)
        continue;
      if (kernels.insert(kernel))
        replaceDots(*kernel);
      llvm::IRBuilder<> builder(call);
      call->setArgOperand(*argument, llvm::ConstantExpr::getIntToPtr(
                                         builder.getInt64(abi::blockId(kernel->getName().str())),
                                         block->getType()));
      if (tellsErrors && function.getName().starts_with("__enqueue"))
        call->setArgOperand(flagsArgument, builder.CreateOr(call->getArgOperand(flagsArgument),
                                                            enqueueTellsErrors));
    }
  }
  for (llvm::Function* kernel : kernels) {
    llvm::Function* invoke = invokedBy(*kernel);
    if (!invoke)
      continue;
    const Literal literal = literalOf(*invoke);
    forgetInLiterals(*invoke);
    kernel->removeDeadConstantUsers();
    takeLiteralByValue(*kernel, literal);
  }
}

} // namespace quern::compiler
