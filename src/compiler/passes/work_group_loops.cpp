#include "compiler/passes/work_group_loops.h"

#include <map>

#include <llvm/IR/DebugInfo.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/Cloning.h>

#include "compiler/codegen/work_group_function.h"
#include "compiler/il/kernel_function.h"
#include "compiler/il/names.h"
#include "compiler/il/region_function.h"

namespace quern::compiler {
namespace {

void leaveUnoptimized(llvm::Function& function) {
  for (llvm::Attribute::AttrKind kind :
       {llvm::Attribute::AlwaysInline, llvm::Attribute::InlineHint, llvm::Attribute::MinSize,
        llvm::Attribute::OptimizeForSize})
    function.removeFnAttr(kind);
  function.addFnAttr(llvm::Attribute::NoInline);
  function.addFnAttr(llvm::Attribute::OptimizeNone);
}

/// Whether programs keep values between launches in variables of their own. Only this code knows
/// where they are: code that is compiled later would have variables of its own.
bool hasVariables(const llvm::Module& module) {
  return llvm::any_of(module.globals(), [](const llvm::GlobalVariable& variable) {
    return !variable.isConstant() && !variable.isDeclaration();
  });
}

/// A function of the entry's type that runs one work-item after the other. Almost nobody has so
/// many that it is called, so it is not worth optimising. Null where no region has packets.
llvm::Function* makeWithoutPackets(const std::vector<llvm::Function*>& regions,
                                   const std::string& symbol) {
  if (llvm::none_of(regions, [](const llvm::Function* region) {
        return region->hasFnAttribute(names::packetAttribute);
      }))
    return nullptr;
  std::vector<llvm::Function*> copies;
  for (llvm::Function* region : regions) {
    llvm::ValueToValueMapTy map;
    copies.push_back(llvm::CloneFunction(region, map));
    copies.back()->removeFnAttr(names::packetAttribute);
    llvm::stripDebugInfo(*copies.back());
    copies.back()->setMetadata(names::subprogramMetadata, nullptr);
  }
  llvm::Function* function = WorkGroupFunction(copies, symbol, nullptr).build();
  function->removeFnAttr(names::kernelAttribute);
  function->setLinkage(llvm::GlobalValue::InternalLinkage);
  leaveUnoptimized(*function);
  return function;
}

/// Nor are the functions that only such functions call.
void leaveCalleesUnoptimized(llvm::Module& module) {
  const auto isUnoptimizedCall = [](const llvm::User* user) {
    const auto* call = llvm::dyn_cast<llvm::CallInst>(user);
    return call && call->getFunction()->hasOptNone();
  };
  bool changed = true;
  while (changed) {
    changed = false;
    for (llvm::Function& function : module)
      if (!function.isDeclaration() && function.hasLocalLinkage() && !function.use_empty() &&
          !function.hasOptNone() && llvm::all_of(function.users(), isUnoptimizedCall)) {
        leaveUnoptimized(function);
        changed = true;
      }
  }
}

} // namespace

std::string entrySymbol(llvm::StringRef kernel) {
  return ("quern.kernel." + kernel).str();
}

llvm::PreservedAnalyses WorkGroupLoopsPass::run(llvm::Module& module,
                                                llvm::ModuleAnalysisManager&) {
  std::map<std::string, std::vector<llvm::Function*>> kernels;
  for (llvm::Function* function : kernelFunctions(module))
    if (function->hasFnAttribute(names::regionAttribute))
      kernels[function->getFnAttribute(names::kernelAttribute).getValueAsString().str()].push_back(
          function);
  const bool needsAll = hasVariables(module);
  for (auto& [kernel, regions] : kernels) {
    std::ranges::sort(regions, {}, [](const llvm::Function* region) {
      return numberAttribute(*region, names::regionAttribute);
    });
    const std::string symbol = entrySymbol(kernel);
    llvm::Function* withoutPackets =
        needsAll ? makeWithoutPackets(regions, symbol + ".items") : nullptr;
    WorkGroupFunction(regions, symbol, withoutPackets).build();
  }
  leaveCalleesUnoptimized(module);
  return llvm::PreservedAnalyses::none();
}

} // namespace quern::compiler
