#include "compiler/checks/lower_checks.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>

#include "abi/checked_launch.h"
#include "compiler/checks/names.h"
#include "compiler/il/kernel_function.h"
#include "compiler/il/names.h"
#include "compiler/il/work_item_functions.h"

namespace quern::compiler {
namespace {

struct Row {
  llvm::StringRef marker;
  std::string_view symbol;
};

constexpr Row rows[] = {
    {names::checkFault, abi::checkFaultSymbol},
    {names::checkAccess, abi::checkAccessSymbol},
    {names::checkBarrier, abi::checkBarrierSymbol},
};

/// The global ids are all that the device needs of a work-item: a kernel that does not ask for
/// local ids itself need not keep to the program's work-groups then. Pointers are passed as
/// numbers, which is the same to the device: a call with pointers to what may be private memory
/// would keep a region from running in packets.
llvm::FunctionCallee functionOf(llvm::Module& module, std::string_view symbol) {
  llvm::LLVMContext& context = module.getContext();
  const llvm::SmallVector<llvm::Type*> types(5 + maxDimensions, llvm::Type::getInt64Ty(context));
  llvm::FunctionCallee callee = module.getOrInsertFunction(
      llvm::StringRef(symbol),
      llvm::FunctionType::get(llvm::Type::getVoidTy(context), types, false));
  auto* function = llvm::cast<llvm::Function>(callee.getCallee());
  function->addFnAttr(llvm::Attribute::NoUnwind);
  return callee;
}

void lower(llvm::CallInst& call, std::string_view symbol) {
  llvm::Function& function = *call.getFunction();
  llvm::IRBuilder<> builder(&call);
  const bool isBody = function.hasFnAttribute(names::argumentsAttribute);
  llvm::SmallVector<llvm::Value*> arguments;
  const auto number = [&](llvm::Value* value) {
    return value->getType()->isPointerTy() ? builder.CreatePtrToInt(value, builder.getInt64Ty())
                                           : value;
  };
  arguments.push_back(isBody ? number(implicitArgument(function, ImplicitArgument::Launch))
                             : builder.getInt64(0));
  for (llvm::Value* argument : call.args())
    arguments.push_back(number(argument));
  for (unsigned dimension = 0; dimension < maxDimensions; ++dimension)
    arguments.push_back(
        isBody ? builder.CreateAdd(implicitArgument(function, ImplicitArgument::First, dimension),
                                   implicitArgument(function, ImplicitArgument::Item, dimension))
               : builder.getInt64(0));
  builder.CreateCall(functionOf(*function.getParent(), symbol), arguments);
  call.eraseFromParent();
}

} // namespace

llvm::PreservedAnalyses LowerChecksPass::run(llvm::Module& module, llvm::ModuleAnalysisManager&) {
  for (const auto& [name, symbol] : rows)
    if (llvm::Function* marker = module.getFunction(name)) {
      for (llvm::User* user : llvm::make_early_inc_range(marker->users()))
        lower(llvm::cast<llvm::CallInst>(*user), symbol);
      marker->eraseFromParent();
    }
  return llvm::PreservedAnalyses::none();
}

} // namespace quern::compiler
