#include "compiler/passes/link_builtins.h"

#include <llvm/ADT/StringSet.h>
#include <llvm/Bitcode/BitcodeReader.h>
#include <llvm/IR/Module.h>
#include <llvm/Linker/Linker.h>
#include <llvm/Support/Error.h>
#include <llvm/Support/MemoryBuffer.h>

#include "compiler/builtin_index/builtin_index.h"
#include "compiler/embedded.h"
#include "compiler/il/names.h"

namespace quern::compiler {
namespace {

class BuiltinLinker {
public:
  explicit BuiltinLinker(llvm::Module& module)
      : module_(module), linker_(module), index_(embedded::builtins()) {}

  /// Until nothing is missing that the library has: what is linked in may call more.
  void run() {
    while (linkMissing()) {
    }
  }

private:
  bool linkMissing() {
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
  llvm::StringSet<> tried_;
  std::vector<std::unique_ptr<llvm::MemoryBuffer>> buffers_;
};

} // namespace

llvm::PreservedAnalyses LinkBuiltinsPass::run(llvm::Module& module, llvm::ModuleAnalysisManager&) {
  module.setDataLayout(machine_.createDataLayout());
  module.setTargetTriple(machine_.getTargetTriple());
  for (llvm::Function& function : module)
    if (!function.isDeclaration())
      function.addFnAttr(names::programAttribute);
  BuiltinLinker(module).run();
  return llvm::PreservedAnalyses::none();
}

} // namespace quern::compiler
