#include "compiler/passes/front_end_contract.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/StringSwitch.h>
#include <llvm/IR/DerivedTypes.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Metadata.h>

#include "base/sentence.h"
#include "compiler/il/address_space.h"
#include "compiler/il/kernel_function.h"
#include "compiler/il/names.h"

namespace quern::compiler {
namespace {

using llvm::Function;
using llvm::Module;

std::string functionName(const Function& function) {
  return "the function '" + function.getName().str() + "'";
}

/// Pointers are of 64 bits, and vectors aligned to their size.
std::string target(const Module& module) {
  const llvm::DataLayout& layout = module.getDataLayout();
  if (module.getTargetTriple().getArch() != llvm::Triple::spir64)
    return "the module is for " + module.getTargetTriple().str();
  if (layout.getPointerSizeInBits() != 64 || layout.isBigEndian())
    return "the data layout is " + layout.getStringRepresentation();
  return {};
}

constexpr llvm::StringLiteral argumentMetadata[] = {"kernel_arg_addr_space",
                                                    "kernel_arg_access_qual", "kernel_arg_type",
                                                    "kernel_arg_base_type", "kernel_arg_type_qual"};
constexpr llvm::StringLiteral sizesMetadata[] = {"reqd_work_group_size", "work_group_size_hint"};

/// il/kernel_description.h reads it.
std::string metadataOf(const Function& kernel) {
  for (const llvm::StringRef name : argumentMetadata) {
    const llvm::MDNode* node = kernel.getMetadata(name);
    if (!node || node->getNumOperands() != kernel.arg_size())
      return sentence(functionName(kernel), " has not one ", name.str(), " for each argument");
  }
  for (const llvm::StringRef name : sizesMetadata)
    if (const llvm::MDNode* node = kernel.getMetadata(name); node && node->getNumOperands() != 3)
      return sentence(functionName(kernel), " has a ", name.str(), " without 3 sizes");
  return {};
}

std::string kernels(const Module& module) {
  for (const Function& function : module) {
    if (!isClangKernel(function))
      continue;
    if (function.isDeclaration() || !function.hasExternalLinkage())
      return functionName(function) + " is a kernel without a body or that nobody can call";
    if (!function.getReturnType()->isVoidTy())
      return functionName(function) + " is a kernel with a result";
    for (const llvm::Argument& argument : function.args())
      if (argument.getType()->isAggregateType())
        return functionName(function) + " is a kernel with a structure that is not 'byval'";
    // Nobody asks about the arguments of blocks.
    if (function.hasFnAttribute(names::blockAttribute))
      continue;
    if (std::string reason = metadataOf(function); !reason.empty())
      return reason;
  }
  return {};
}

std::string addressSpaces(const Module& module) {
  for (const llvm::GlobalVariable& variable : module.globals()) {
    if (variable.getName().starts_with("llvm.")) // lists of LLVM's, such as that of constructors
      continue;
    const unsigned space = variable.getAddressSpace();
    const std::string name = "the variable '" + variable.getName().str() + "'";
    if (space != address_space::global && space != address_space::constant &&
        space != address_space::local)
      return sentence(name, " is in the address space ", space);
    if (space == address_space::constant && !variable.isConstant())
      return name + " is in constant memory and may change";
    if (space == address_space::local && variable.hasInitializer() &&
        !llvm::isa<llvm::UndefValue>(variable.getInitializer()))
      return name + " is in local memory and begins with a value";
  }
  const auto isOther = [](const llvm::Type* type) {
    return type->isPointerTy() && type->getPointerAddressSpace() > address_space::generic;
  };
  for (const Function& function : module) {
    if (llvm::any_of(function.getFunctionType()->params(), isOther) ||
        isOther(function.getReturnType()))
      return functionName(function) + " has a pointer in an address space that is not known";
  }
  return {};
}

bool isKnownOpaqueType(llvm::StringRef name) {
  return llvm::StringSwitch<bool>(name)
      .Cases({"spirv.Image", "spirv.Sampler", "spirv.Pipe", "spirv.Queue"}, true)
      .Cases({"spirv.Event", "spirv.DeviceEvent", "spirv.ReserveId"}, true)
      .Default(false);
}

std::string opaqueTypes(const Module& module) {
  const auto isUnknown = [](const llvm::Type* type) {
    const auto* opaque = llvm::dyn_cast<llvm::TargetExtType>(type);
    return opaque && !isKnownOpaqueType(opaque->getName());
  };
  for (const Function& function : module)
    if (llvm::any_of(function.getFunctionType()->params(), isUnknown) ||
        isUnknown(function.getReturnType()))
      return functionName(function) + " has a value of an opaque type that is not known";
  return {};
}

std::string ownNames(const Module& module) {
  for (const Function& function : module)
    if (function.getName().starts_with(names::ownPrefix))
      return functionName(function) + " has a name that means something in later steps";
  return {};
}

/// The library and functions of other modules are linked in by their symbols.
std::string calls(const Module& module) {
  for (const Function& function : module)
    for (const llvm::Instruction& instruction : llvm::instructions(function)) {
      const auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction);
      const Function* callee = call ? call->getCalledFunction() : nullptr;
      if (!callee || callee->isIntrinsic())
        continue;
      if (call->getCallingConv() != callee->getCallingConv())
        return sentence(functionName(function), " calls '", callee->getName().str(),
                        "' by another convention than that has");
      if (callee->isDeclaration() && isClangKernel(*callee))
        return sentence(functionName(function), " calls the kernel '", callee->getName().str(),
                        "', which has no body");
    }
  return {};
}

constexpr std::string (*checks[])(const Module&) = {target,      kernels,  addressSpaces,
                                                    opaqueTypes, ownNames, calls};

} // namespace

std::string whyNotFromFrontEnd(const Module& module) {
  for (const auto check : checks)
    if (std::string reason = check(module); !reason.empty())
      return reason;
  return {};
}

} // namespace quern::compiler
