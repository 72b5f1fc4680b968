#include "compiler/program/relaxed_functions.h"

#include <algorithm>
#include <array>

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

#include "compiler/il/function_name.h"

namespace quern::compiler {
namespace {

/// tan is not among them: its limit holds for all arguments, for which the full function is needed.
constexpr auto functionsOfLibrary = std::to_array<llvm::StringLiteral>(
    {"cos", "exp", "exp10", "exp2", "log", "log10", "log2", "pow", "powr", "sin"});

constexpr llvm::StringLiteral prefix = "__relaxed_";

bool isOfFloat(const llvm::Function& function) {
  const llvm::Type* result = function.getReturnType();
  return result->getScalarType()->isFloatTy() &&
         llvm::all_of(function.args(),
                      [&](const llvm::Argument& argument) { return argument.getType() == result; });
}

void redirect(llvm::CallInst& call, const FunctionName& name) {
  llvm::Function& full = *call.getCalledFunction();
  llvm::FunctionCallee relaxed = full.getParent()->getOrInsertFunction(
      name.withPrefix(prefix), full.getFunctionType(), full.getAttributes());
  llvm::cast<llvm::Function>(relaxed.getCallee())->setCallingConv(full.getCallingConv());
  call.setCalledFunction(relaxed);
}

void replaceByRoot(llvm::CallInst& call, bool isReciprocal) {
  llvm::IRBuilder<> builder(&call);
  builder.setFastMathFlags(call.getFastMathFlags());
  llvm::Value* result =
      builder.CreateUnaryIntrinsic(llvm::Intrinsic::sqrt, call.getArgOperand(0), &call);
  if (isReciprocal)
    result = builder.CreateFDiv(llvm::ConstantFP::get(call.getType(), 1.0), result);
  result->takeName(&call);
  call.replaceAllUsesWith(result);
  call.eraseFromParent();
}

} // namespace

llvm::PreservedAnalyses RelaxedFunctionsPass::run(llvm::Module& module,
                                                  llvm::ModuleAnalysisManager&) {
  bool changed = false;
  for (llvm::Function& function : llvm::make_early_inc_range(module)) {
    const std::optional<FunctionName> name = FunctionName::parse(function.getName());
    if (!name || !function.isDeclaration() || !isOfFloat(function))
      continue;
    const bool isRoot = name->name == "sqrt" || name->name == "rsqrt";
    if (!isRoot && !llvm::is_contained(functionsOfLibrary, name->name))
      continue;
    for (llvm::User* user : llvm::make_early_inc_range(function.users())) {
      auto* call = llvm::dyn_cast<llvm::CallInst>(user);
      if (!call || call->getCalledFunction() != &function || !call->hasApproxFunc())
        continue;
      changed = true;
      if (isRoot)
        replaceByRoot(*call, name->name == "rsqrt");
      else
        redirect(*call, *name);
    }
  }
  return changed ? llvm::PreservedAnalyses::none() : llvm::PreservedAnalyses::all();
}

} // namespace quern::compiler
