#include "compiler/passes/link_builtins.h"

#include <llvm/Bitcode/BitcodeReader.h>
#include <llvm/IR/Module.h>
#include <llvm/Linker/Linker.h>
#include <llvm/Support/Error.h>
#include <llvm/Support/MemoryBuffer.h>

#include "compiler/embedded.h"
#include "compiler/il/names.h"

namespace quern::compiler {
namespace {

void linkLibrary(llvm::Module& module, const llvm::TargetMachine& machine) {
  const auto buffer = llvm::MemoryBuffer::getMemBuffer(embedded::builtins(), "built-in library", false);
  auto library = llvm::getLazyBitcodeModule(buffer->getMemBufferRef(), module.getContext());
  if (!library) {
    module.getContext().emitError("the built-in library cannot be read: " + llvm::toString(library.takeError()));
    return;
  }
  (*library)->setDataLayout(machine.createDataLayout());
  (*library)->setTargetTriple(machine.getTargetTriple());
  // A failure reports itself to the context.
  llvm::Linker::linkModules(module, std::move(*library), llvm::Linker::LinkOnlyNeeded);
}

} // namespace

llvm::PreservedAnalyses LinkBuiltinsPass::run(llvm::Module& module, llvm::ModuleAnalysisManager&) {
  module.setDataLayout(machine_.createDataLayout());
  module.setTargetTriple(machine_.getTargetTriple());
  for (llvm::Function& function : module)
    if (!function.isDeclaration())
      function.addFnAttr(names::programAttribute);
  linkLibrary(module, machine_);
  return llvm::PreservedAnalyses::none();
}

} // namespace quern::compiler
