#include "compiler/frontend/frontend.h"

#include <algorithm>

#include <clang/Basic/DiagnosticOptions.h>
#include <clang/Frontend/CompilerInstance.h>
#include <clang/Frontend/CompilerInvocation.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Intrinsics.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/raw_ostream.h>

#include "compiler/frontend/action.h"
#include "compiler/frontend/arguments.h"
#include "compiler/frontend/assumed_alignment.h"
#include "compiler/frontend/block_kernels.h"
#include "compiler/frontend/builtin_declarations.h"
#include "compiler/frontend/declared_kernels.h"
#include "compiler/frontend/files.h"
#include "compiler/frontend/log_printer.h"
#include "compiler/il/rounding.h"

namespace quern::compiler {
namespace {

bool parseArguments(clang::CompilerInvocation& invocation,
                    const std::vector<std::string>& arguments,
                    clang::DiagnosticConsumer& consumer) {
  std::vector<const char*> pointers;
  for (const std::string& argument : arguments)
    pointers.push_back(argument.c_str());
  clang::DiagnosticOptions diagnosticOptions;
  clang::DiagnosticsEngine engine(clang::DiagnosticIDs::create(), diagnosticOptions, &consumer,
                                  /*ShouldOwnClient=*/false);
  return clang::CompilerInvocation::CreateFromArgs(invocation, pointers, engine);
}

/// Attributes such as `used` and `annotate` speak to tools that look into object files. Their lists
/// would keep what the program does not use, and their calls keep passes from what they pass on.
void dropNotesForTools(llvm::Module& module) {
  for (const char* name : {"llvm.used", "llvm.compiler.used", "llvm.global.annotations"})
    if (llvm::GlobalVariable* list = module.getGlobalVariable(name))
      list->eraseFromParent();
  for (llvm::Function& function : llvm::make_early_inc_range(module))
    if (llvm::is_contained({llvm::Intrinsic::annotation, llvm::Intrinsic::ptr_annotation,
                            llvm::Intrinsic::var_annotation},
                           function.getIntrinsicID())) {
      for (llvm::User* user : llvm::make_early_inc_range(function.users())) {
        auto* call = llvm::cast<llvm::CallInst>(user);
        if (!call->getType()->isVoidTy())
          call->replaceAllUsesWith(call->getArgOperand(0));
        call->eraseFromParent();
      }
      function.eraseFromParent();
    }
}

} // namespace

FrontendResult runFrontend(std::string_view source, const std::string& sourceName,
                           std::span<const Header> headers, const Options& options,
                           const Target& target, llvm::LLVMContext& context) {
  FrontendResult result;
  llvm::raw_string_ostream log(result.log);
  clang::DiagnosticOptions printerOptions;
  printerOptions.ShowPresumedLoc = true; // #line counts
  LogPrinter printer(log, printerOptions);

  auto invocation = std::make_shared<clang::CompilerInvocation>();
  if (!parseArguments(*invocation, frontendArguments(options, target), printer))
    return result;
  const std::string text(source); // zero-terminated, as Clang's lexer needs it
  auto& inputs = invocation->getFrontendOpts().Inputs;
  const clang::InputKind kind =
      inputs.empty() ? clang::InputKind(clang::Language::OpenCL) : inputs.front().getKind();
  inputs.clear();
  inputs.emplace_back(llvm::MemoryBufferRef(text, sourceName), kind);

  clang::CompilerInstance compiler(invocation);
  compiler.setVirtualFileSystem(makeFileSystem(headers, options));
  compiler.createDiagnostics(&printer, /*ShouldOwnClient=*/false);
  compiler.createFileManager();
  auto dependencies = std::make_shared<IncludedFiles>();
  compiler.addDependencyCollector(dependencies);
  // Counts of errors and warnings go to this stream; they belong in the log, too.
  compiler.setVerboseOutputStream(log);
  compiler.setExternalSemaSource(llvm::makeIntrusiveRefCnt<BuiltinDeclarations>(target.features));

  ProgramAction action(&context);
  if (compiler.ExecuteAction(action))
    result.module = action.takeModule();
  if (result.module) {
    dropNotesForTools(*result.module);
    completeDeclaredKernels(*result.module);
    assumeAlignment(*result.module);
    makeBlockKernels(*result.module, options.debugInfo);
    if (options.correctlyRoundedDivideSqrt)
      demandCorrectRounding(*result.module);
  }
  result.dependencies = dependencies->hashed();
  return result;
}

} // namespace quern::compiler
