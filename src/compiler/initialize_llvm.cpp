#include "compiler/initialize_llvm.h"

#include <mutex>

#include <llvm/Support/CommandLine.h>
#include <llvm/Support/TargetSelect.h>

namespace quern::compiler {
namespace {

/// Copies that LLVM's register allocation tries to do without for one variable with more than a
/// hundred assignments: each try looks at all of these. With LLVM's own limit of 256 this was the
/// one thing whose time grew faster than the program, from a few thousand lines on.
void limitCoalescing() {
  constexpr unsigned mostTries = 16;
  if (llvm::cl::Option* limit =
          llvm::cl::getRegisteredOptions().lookup("large-interval-freq-threshold"))
    static_cast<llvm::cl::opt<unsigned>*>(limit)->setValue(mostTries);
}

} // namespace

void initializeLlvm() {
  static std::once_flag once;
  std::call_once(once, [] {
    LLVMInitializeX86TargetInfo();
    LLVMInitializeX86Target();
    LLVMInitializeX86TargetMC();
    LLVMInitializeX86AsmParser();
    LLVMInitializeX86AsmPrinter();
    LLVMInitializeNVPTXTargetInfo();
    LLVMInitializeNVPTXTarget();
    LLVMInitializeNVPTXTargetMC();
    LLVMInitializeNVPTXAsmPrinter();
    limitCoalescing();
  });
}

} // namespace quern::compiler
