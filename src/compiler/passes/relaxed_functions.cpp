#include "compiler/passes/relaxed_functions.h"

#include <algorithm>
#include <array>

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

namespace quern::compiler {
namespace {

/// tan is not among them: its limit holds for all arguments, for which the full function is needed.
constexpr auto functionsOfLibrary = std::to_array<llvm::StringLiteral>(
    {"cos", "exp", "exp10", "exp2", "log", "log10", "log2", "pow", "powr", "sin"});

constexpr llvm::StringLiteral prefix = "__relaxed_";

/// The name and the encoded parameters of a function of OpenCL C, or nothing.
struct Mangled {
  llvm::StringRef name, parameters;

  static std::optional<Mangled> parse(llvm::StringRef symbol) {
    size_t length = 0;
    if (!symbol.consume_front("_Z") || symbol.consumeInteger(10, length) || length > symbol.size())
      return std::nullopt;
    return Mangled{symbol.take_front(length), symbol.drop_front(length)};
  }
};

bool isOfFloat(const llvm::Function& function) {
  const llvm::Type* result = function.getReturnType();
  return result->getScalarType()->isFloatTy() &&
         llvm::all_of(function.args(),
                      [&](const llvm::Argument& argument) { return argument.getType() == result; });
}

void redirect(llvm::CallInst& call, const Mangled& mangled) {
  llvm::Function& full = *call.getCalledFunction();
  const std::string name = (prefix + mangled.name).str();
  const std::string symbol = "_Z" + std::to_string(name.size()) + name + mangled.parameters.str();
  llvm::FunctionCallee relaxed =
      full.getParent()->getOrInsertFunction(symbol, full.getFunctionType(), full.getAttributes());
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
    const std::optional<Mangled> mangled = Mangled::parse(function.getName());
    if (!mangled || !function.isDeclaration() || !isOfFloat(function))
      continue;
    const bool isRoot = mangled->name == "sqrt" || mangled->name == "rsqrt";
    if (!isRoot && !llvm::is_contained(functionsOfLibrary, mangled->name))
      continue;
    for (llvm::User* user : llvm::make_early_inc_range(function.users())) {
      auto* call = llvm::dyn_cast<llvm::CallInst>(user);
      if (!call || call->getCalledFunction() != &function || !call->hasApproxFunc())
        continue;
      changed = true;
      if (isRoot)
        replaceByRoot(*call, mangled->name == "rsqrt");
      else
        redirect(*call, *mangled);
    }
  }
  return changed ? llvm::PreservedAnalyses::none() : llvm::PreservedAnalyses::all();
}

} // namespace quern::compiler
