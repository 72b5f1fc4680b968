#include "compiler/program/link_builtins.h"

#include <llvm/ADT/StringSet.h>
#include <llvm/Bitcode/BitcodeReader.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>
#include <llvm/Linker/Linker.h>
#include <llvm/Support/Error.h>
#include <llvm/Support/MemoryBuffer.h>

#include "compiler/builtin_index/builtin_index.h"
#include "compiler/codegen/machine.h"
#include "compiler/embedded.h"
#include "compiler/il/function_name.h"
#include "compiler/il/names.h"

namespace quern::compiler {
namespace {

/// The symbol of a function with `prefix` in front of its name.
std::string withPrefix(llvm::StringRef symbol, llvm::StringRef prefix) {
  const auto name = FunctionName::parse(symbol);
  return name ? name->withPrefix(prefix) : (prefix + symbol).str();
}

class BuiltinLinker {
public:
  /// `ownForms`: the prefixes of functions that take the place of others, the preferred ones first.
  BuiltinLinker(llvm::Module& module, std::vector<llvm::StringRef> ownForms)
      : module_(module), linker_(module), index_(embedded::builtins()),
        ownForms_(std::move(ownForms)) {}

  /// Until nothing is missing that the library has: what is linked in may call more.
  void run() {
    while (linkMissing()) {
    }
  }

private:
  bool linkMissing() {
    if (!ownForms_.empty())
      for (llvm::Function& function : llvm::make_early_inc_range(module_))
        if (!function.hasFnAttribute(names::programAttribute))
          callOwnForm(function);
    llvm::SmallVector<uint32_t> needed;
    for (const llvm::GlobalValue& value : module_.global_values())
      if (value.isDeclaration() && !value.use_empty() && !value.getName().starts_with("llvm."))
        if (const auto number = index_.find(value.getName());
            number && tried_.insert(value.getName()).second)
          needed.push_back(*number);
    llvm::sort(needed);
    needed.erase(llvm::unique(needed), needed.end());
    for (uint32_t number : needed)
      if (!link(number))
        return false;
    return !needed.empty();
  }

  bool isOwnForm(const llvm::Function& function) const {
    const auto name = FunctionName::parse(function.getName());
    const llvm::StringRef withoutTypes = name ? name->name : function.getName();
    return llvm::any_of(ownForms_,
                        [&](llvm::StringRef prefix) { return withoutTypes.starts_with(prefix); });
  }

  /// The symbol of the form that the library has of a function, or nothing.
  std::string ownForm(llvm::StringRef symbol) const {
    for (llvm::StringRef prefix : ownForms_)
      if (std::string form = withPrefix(symbol, prefix); index_.find(form))
        return form;
    return {};
  }

  /// Calls of `function`, of the library, become calls of the form that the library has for this
  /// kind of machine, but for those of such forms, for arguments that they leave to the others.
  void callOwnForm(llvm::Function& function) {
    if (isOwnForm(function))
      return;
    const std::string symbol = ownForm(function.getName());
    if (symbol.empty())
      return;
    llvm::FunctionCallee form =
        module_.getOrInsertFunction(symbol, function.getFunctionType(), function.getAttributes());
    llvm::cast<llvm::Function>(form.getCallee())->setCallingConv(function.getCallingConv());
    function.replaceUsesWithIf(form.getCallee(), [&](llvm::Use& use) {
      const auto* call = llvm::dyn_cast<llvm::CallInst>(use.getUser());
      return call && !isOwnForm(*call->getFunction());
    });
  }

  bool link(uint32_t number) {
    buffers_.push_back(
        llvm::MemoryBuffer::getMemBuffer(index_.module(number), "built-in library", false));
    auto library =
        llvm::getLazyBitcodeModule(buffers_.back()->getMemBufferRef(), module_.getContext());
    if (!library) {
      module_.getContext().emitError("the built-in library cannot be read: " +
                                     llvm::toString(library.takeError()));
      return false;
    }
    (*library)->setDataLayout(module_.getDataLayout());
    (*library)->setTargetTriple(module_.getTargetTriple());
    // A failure reports itself to the context.
    return !linker_.linkInModule(std::move(*library), llvm::Linker::LinkOnlyNeeded);
  }

  llvm::Module& module_;
  llvm::Linker linker_;
  BuiltinIndex index_;
  const std::vector<llvm::StringRef> ownForms_;
  llvm::StringSet<> tried_;
  std::vector<std::unique_ptr<llvm::MemoryBuffer>> buffers_;
};

std::vector<llvm::StringRef> prefixesOfOwnForms(const llvm::TargetMachine& machine) {
  if (machine.getTargetTriple().isNVPTX())
    return {names::nvptxPrefix};
  std::vector<llvm::StringRef> prefixes;
  if (hasFeature(machine, "avx512f"))
    prefixes.push_back(names::avx512Prefix);
  if (hasFeature(machine, "fma"))
    prefixes.push_back(names::fmaPrefix);
  return prefixes;
}

} // namespace

llvm::PreservedAnalyses LinkBuiltinsPass::run(llvm::Module& module, llvm::ModuleAnalysisManager&) {
  module.setDataLayout(machine_.createDataLayout());
  module.setTargetTriple(machine_.getTargetTriple());
  for (llvm::Function& function : module)
    if (!function.isDeclaration())
      function.addFnAttr(names::programAttribute);
  BuiltinLinker(module, prefixesOfOwnForms(machine_)).run();
  return llvm::PreservedAnalyses::none();
}

} // namespace quern::compiler
