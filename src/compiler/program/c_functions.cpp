#include "compiler/program/c_functions.h"

#include <array>
#include <cstring>
#include <optional>

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Intrinsics.h>
#include <llvm/IR/Module.h>

#include "compiler/builtin_index/builtin_index.h"
#include "compiler/embedded.h"

namespace quern::compiler {
namespace {

/// C23, 7.12, and exp10: a function for double, whose name with an `f` behind it is that for float.
struct CFunction {
  llvm::StringLiteral name;
  llvm::StringLiteral builtin; ///< OpenCL C's name
  llvm::StringLiteral types;   ///< of result and parameters: `t` is the function's own type
};

constexpr auto functions = std::to_array<CFunction>({
    {"acos", "acos", "tt"},      {"acosh", "acosh", "tt"},
    {"asin", "asin", "tt"},      {"asinh", "asinh", "tt"},
    {"atan", "atan", "tt"},      {"atan2", "atan2", "ttt"},
    {"atanh", "atanh", "tt"},    {"cbrt", "cbrt", "tt"},
    {"ceil", "ceil", "tt"},      {"copysign", "copysign", "ttt"},
    {"cos", "cos", "tt"},        {"cosh", "cosh", "tt"},
    {"erf", "erf", "tt"},        {"erfc", "erfc", "tt"},
    {"exp", "exp", "tt"},        {"exp10", "exp10", "tt"},
    {"exp2", "exp2", "tt"},      {"expm1", "expm1", "tt"},
    {"fabs", "fabs", "tt"},      {"fdim", "fdim", "ttt"},
    {"floor", "floor", "tt"},    {"fma", "fma", "tttt"},
    {"fmax", "fmax", "ttt"},     {"fmin", "fmin", "ttt"},
    {"fmod", "fmod", "ttt"},     {"hypot", "hypot", "ttt"},
    {"ilogb", "ilogb", "it"},    {"ldexp", "ldexp", "tti"},
    {"lgamma", "lgamma", "tt"},  {"log", "log", "tt"},
    {"log10", "log10", "tt"},    {"log1p", "log1p", "tt"},
    {"log2", "log2", "tt"},      {"logb", "logb", "tt"},
    {"nearbyint", "rint", "tt"}, {"nextafter", "nextafter", "ttt"},
    {"pow", "pow", "ttt"},       {"remainder", "remainder", "ttt"},
    {"rint", "rint", "tt"},      {"round", "round", "tt"},
    {"roundeven", "rint", "tt"}, {"scalbn", "ldexp", "tti"},
    {"sin", "sin", "tt"},        {"sinh", "sinh", "tt"},
    {"sqrt", "sqrt", "tt"},      {"tan", "tan", "tt"},
    {"tanh", "tanh", "tt"},      {"tgamma", "tgamma", "tt"},
    {"trunc", "trunc", "tt"},
});

const CFunction* find(llvm::StringRef name) {
  const auto* found =
      llvm::find_if(functions, [&](const CFunction& each) { return each.name == name; });
  return found == functions.end() ? nullptr : found;
}

/// The functions that LLVM has intrinsics for but, on some machine, no instruction.
std::optional<CFunction> ofIntrinsic(llvm::Intrinsic::ID intrinsic) {
  switch (intrinsic) {
  case llvm::Intrinsic::acos:
  case llvm::Intrinsic::asin:
  case llvm::Intrinsic::atan:
  case llvm::Intrinsic::atan2:
  case llvm::Intrinsic::cos:
  case llvm::Intrinsic::cosh:
  case llvm::Intrinsic::exp:
  case llvm::Intrinsic::exp10:
  case llvm::Intrinsic::exp2:
  case llvm::Intrinsic::fma:
  case llvm::Intrinsic::ldexp:
  case llvm::Intrinsic::log:
  case llvm::Intrinsic::log10:
  case llvm::Intrinsic::log2:
  case llvm::Intrinsic::pow:
  case llvm::Intrinsic::sin:
  case llvm::Intrinsic::sinh:
  case llvm::Intrinsic::tan:
  case llvm::Intrinsic::tanh:
    return *find(llvm::Intrinsic::getBaseName(intrinsic).drop_front(std::strlen("llvm.")));
  case llvm::Intrinsic::powi:
    return CFunction{"powi", "pown", "tti"};
  default:
    return std::nullopt;
  }
}

/// How symbols encode a type, or nothing where no function here has it.
llvm::StringRef encoding(const llvm::Type& scalar) {
  return scalar.isFloatTy()       ? "f"
         : scalar.isDoubleTy()    ? "d"
         : scalar.isHalfTy()      ? "Dh"
         : scalar.isIntegerTy(32) ? "i"
                                  : "";
}

/// The type that the function's results or parameters have in the place of `t`.
llvm::Type* ownType(const CFunction& function, const llvm::FunctionType& type) {
  return function.types.front() == 't' ? type.getReturnType() : type.getParamType(0);
}

/// The symbol in the built-in library of a function with C's name, or nothing where it has other
/// types than C's, or vectors that are no types of OpenCL C.
std::optional<std::string> symbolOf(const CFunction& function, const llvm::FunctionType& type) {
  if (type.isVarArg() || type.getNumParams() + 1 != function.types.size())
    return std::nullopt;
  llvm::Type* own = ownType(function, type);
  if (!own->isFPOrFPVectorTy())
    return std::nullopt;
  llvm::Type* integer = own->getWithNewType(llvm::Type::getInt32Ty(own->getContext()));
  std::string symbol = ("_Z" + llvm::Twine(function.builtin.size()) + function.builtin).str();
  const auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(own);
  for (size_t i = 0; i < function.types.size(); ++i) {
    llvm::Type* given = i == 0 ? type.getReturnType() : type.getParamType(i - 1);
    // Vectors may have one exponent for all.
    const bool isNumber = function.types[i] == 'i' && given->isIntegerTy(32);
    llvm::Type* wanted = function.types[i] == 't' ? own : isNumber ? given : integer;
    if (wanted != given)
      return std::nullopt;
    if (i == 0)
      continue;
    if (vector && i > 1 && function.types[i] == function.types[i - 1])
      symbol += "S_"; // the only vector so far
    else if (vector && !isNumber)
      symbol += ("Dv" + llvm::Twine(vector->getNumElements()) + "_").str() +
                encoding(*wanted->getScalarType()).str();
    else
      symbol += encoding(*wanted);
  }
  return symbol;
}

std::optional<std::string> builtinSymbol(const llvm::Function& function) {
  const llvm::FunctionType& type = *function.getFunctionType();
  if (function.isIntrinsic()) {
    const auto called = ofIntrinsic(function.getIntrinsicID());
    return called ? symbolOf(*called, type) : std::nullopt;
  }
  llvm::StringRef name = function.getName();
  if (const CFunction* ofDouble = find(name); ofDouble && type.getNumParams() > 0)
    return ownType(*ofDouble, type)->isDoubleTy() ? symbolOf(*ofDouble, type) : std::nullopt;
  if (name.consume_back("f"))
    if (const CFunction* ofFloat = find(name); ofFloat && type.getNumParams() > 0)
      return ownType(*ofFloat, type)->isFloatTy() ? symbolOf(*ofFloat, type) : std::nullopt;
  return std::nullopt;
}

/// The declaration of a function of the built-in library; null where the program has something of
/// its own by that name.
llvm::Function* declare(const std::string& symbol, llvm::FunctionType* type, llvm::Module& module) {
  if (const llvm::GlobalValue* known = module.getNamedValue(symbol)) {
    const auto* function = llvm::dyn_cast<llvm::Function>(known);
    if (!function || !function->isDeclaration() || function->getFunctionType() != type)
      return nullptr;
  }
  auto* function = llvm::cast<llvm::Function>(module.getOrInsertFunction(symbol, type).getCallee());
  function->setCallingConv(llvm::CallingConv::SPIR_FUNC);
  return function;
}

/// fmod in the place of instructions for it, which are inexact on some devices.
bool replaceRemainders(llvm::Module& module, const BuiltinIndex& library) {
  llvm::SmallVector<llvm::Instruction*> remainders;
  for (llvm::Function& function : module)
    for (llvm::Instruction& instruction : llvm::instructions(function))
      if (instruction.getOpcode() == llvm::Instruction::FRem)
        remainders.push_back(&instruction);
  bool changed = false;
  for (llvm::Instruction* remainder : remainders) {
    llvm::Type* type = remainder->getType();
    auto* typeOfCall = llvm::FunctionType::get(type, {type, type}, false);
    const std::optional<std::string> symbol = symbolOf(*find("fmod"), *typeOfCall);
    if (!symbol || !library.find(*symbol))
      continue;
    llvm::Function* builtin = declare(*symbol, typeOfCall, module);
    if (!builtin)
      continue;
    llvm::IRBuilder<> builder(remainder);
    builder.setFastMathFlags(remainder->getFastMathFlags());
    llvm::CallInst* call =
        builder.CreateCall(builtin, {remainder->getOperand(0), remainder->getOperand(1)});
    call->setCallingConv(llvm::CallingConv::SPIR_FUNC);
    call->setDoesNotThrow();
    call->setDoesNotAccessMemory();
    call->takeName(remainder);
    remainder->replaceAllUsesWith(call);
    remainder->eraseFromParent();
    changed = true;
  }
  return changed;
}

} // namespace

llvm::PreservedAnalyses CFunctionsPass::run(llvm::Module& module, llvm::ModuleAnalysisManager&) {
  const BuiltinIndex library(embedded::builtins());
  bool changed = replaceRemainders(module, library);
  for (llvm::Function& function : llvm::make_early_inc_range(module)) {
    if (!function.isDeclaration() || function.use_empty())
      continue;
    const std::optional<std::string> symbol = builtinSymbol(function);
    if (!symbol || !library.find(*symbol))
      continue;
    llvm::Function* builtin = declare(*symbol, function.getFunctionType(), module);
    if (!builtin)
      continue;
    builtin->setAttributes(function.getAttributes());
    for (llvm::User* user : llvm::make_early_inc_range(function.users())) {
      auto* call = llvm::dyn_cast<llvm::CallInst>(user);
      if (!call || call->getCalledOperand() != &function ||
          call->getFunctionType() != function.getFunctionType())
        continue;
      call->setCalledFunction(builtin);
      call->setCallingConv(llvm::CallingConv::SPIR_FUNC);
      changed = true;
    }
  }
  return changed ? llvm::PreservedAnalyses::none() : llvm::PreservedAnalyses::all();
}

} // namespace quern::compiler
