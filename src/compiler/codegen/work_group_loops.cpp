#include "compiler/codegen/work_group_loops.h"

#include <map>

#include <llvm/IR/DebugInfo.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/Cloning.h>

#include "compiler/codegen/work_group_function.h"
#include "compiler/il/kernel_function.h"
#include "compiler/il/names.h"
#include "compiler/il/region_function.h"
#include "compiler/il/sub_group_form.h"

namespace quern::compiler {
namespace {

/// Of one form of a kernel, in the order of their numbers.
using Regions = std::vector<llvm::Function*>;

struct Kernel {
  Regions regions;         ///< of its general form; none where no launch runs it
  Regions subGroupPackets; ///< of its form in which sub-groups are packets, if it has one
};

void leaveUnoptimized(llvm::Function& function) {
  for (llvm::Attribute::AttrKind kind :
       {llvm::Attribute::AlwaysInline, llvm::Attribute::InlineHint, llvm::Attribute::MinSize,
        llvm::Attribute::OptimizeForSize})
    function.removeFnAttr(kind);
  function.addFnAttr(llvm::Attribute::NoInline);
  function.addFnAttr(llvm::Attribute::OptimizeNone);
}

/// Only another entry calls it.
void hide(llvm::Function& entry) {
  entry.removeFnAttr(names::kernelAttribute);
  entry.setLinkage(llvm::GlobalValue::InternalLinkage);
}

/// A function of the entry's type that runs one work-item after the other. Almost nobody has so
/// many that it is called, so it is not worth optimising.
llvm::Function* makeWithoutPackets(const Regions& regions, const std::string& symbol) {
  std::vector<llvm::Function*> copies;
  for (llvm::Function* region : regions) {
    llvm::ValueToValueMapTy map;
    copies.push_back(llvm::CloneFunction(region, map));
    copies.back()->removeFnAttr(names::packetAttribute);
    copies.back()->removeFnAttr(names::exchangedAttribute);
    llvm::stripDebugInfo(*copies.back());
    copies.back()->setMetadata(names::subprogramMetadata, nullptr);
  }
  llvm::Function* function = WorkGroupFunction(copies, symbol, nullptr, nullptr, 0).build();
  hide(*function);
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

/// What a launch provides is enough for both.
void provideFor(llvm::Function& entry, const llvm::Function& other) {
  for (llvm::StringRef bytes :
       {names::contextUniformBytesAttribute, names::contextItemBytesAttribute,
        names::privateBytesAttribute, names::localBytesAttribute})
    setNumberAttribute(entry, bytes,
                       std::max(numberAttribute(entry, bytes), numberAttribute(other, bytes)));
}

/// `function` again, with debug information that it does not share with the entry.
llvm::Function* describeApart(llvm::Function& function) {
  if (!function.getSubprogram())
    return &function;
  llvm::ValueToValueMapTy map;
  llvm::Function* copy = llvm::CloneFunction(&function, map);
  copy->takeName(&function);
  function.eraseFromParent();
  return copy;
}

void makeEntry(Kernel& kernel, const std::string& symbol, bool needsAll, unsigned vectorBits) {
  if (kernel.regions.empty())
    kernel.regions.swap(kernel.subGroupPackets);
  for (Regions* regions : {&kernel.regions, &kernel.subGroupPackets})
    std::ranges::sort(*regions, {}, [](const llvm::Function* region) {
      return numberAttribute(*region, names::regionAttribute);
    });
  const auto runsInPackets = [](const llvm::Function* region) { return hasPackets(*region); };
  const bool packets =
      llvm::any_of(kernel.regions, runsInPackets) || !kernel.subGroupPackets.empty();
  llvm::Function* withoutPackets =
      needsAll && packets ? makeWithoutPackets(kernel.regions, symbol + ".items") : nullptr;
  llvm::Function* subGroupPackets = nullptr;
  if (!kernel.subGroupPackets.empty()) {
    subGroupPackets = WorkGroupFunction(kernel.subGroupPackets, symbol + ".sub_groups", nullptr,
                                        nullptr, vectorBits)
                          .build();
    subGroupPackets = describeApart(*subGroupPackets);
    hide(*subGroupPackets);
  }
  llvm::Function* entry =
      WorkGroupFunction(kernel.regions, symbol, withoutPackets, subGroupPackets, vectorBits)
          .build();
  if (subGroupPackets)
    provideFor(*entry, *subGroupPackets);
}

} // namespace

WorkGroupLoopsPass::WorkGroupLoopsPass(const PassSettings& settings)
    : vectorBits_(!settings.hasPackets()        ? 0
                  : settings.packets.width != 0 ? 32 * settings.packets.width
                                                : vectorBits(settings.machine)) {}

llvm::PreservedAnalyses WorkGroupLoopsPass::run(llvm::Module& module,
                                                llvm::ModuleAnalysisManager&) {
  std::map<std::string, Kernel> kernels;
  for (llvm::Function* function : kernelFunctions(module))
    if (function->hasFnAttribute(names::regionAttribute)) {
      Kernel& kernel =
          kernels[function->getFnAttribute(names::kernelAttribute).getValueAsString().str()];
      (subGroupsArePackets(*function) ? kernel.subGroupPackets : kernel.regions)
          .push_back(function);
    }
  const bool needsAll = hasVariables(module);
  for (auto& [name, kernel] : kernels)
    makeEntry(kernel, entrySymbol(name), needsAll, vectorBits_);
  leaveCalleesUnoptimized(module);
  return llvm::PreservedAnalyses::none();
}

} // namespace quern::compiler
