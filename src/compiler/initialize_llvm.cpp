#include "compiler/initialize_llvm.h"

#include <mutex>

#include <llvm/Support/CommandLine.h>
#include <llvm/Support/StringSaver.h>
#include <llvm/Support/TargetSelect.h>
#include <llvm/Support/raw_ostream.h>

#include "base/config.h"

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

/// Extensions of SPIR-V that programs are written with where they need them, of those that are read
/// again (spirv/environment.def).
constexpr const char* spirvExtensions =
    "--spirv-ext=+SPV_KHR_bit_instructions,+SPV_KHR_expect_assume,+SPV_KHR_integer_dot_product,"
    "+SPV_KHR_linkonce_odr,+SPV_KHR_no_integer_wrap_decoration,+SPV_KHR_shader_clock,"
    "+SPV_KHR_subgroup_rotate,+SPV_KHR_uniform_group_instructions,"
    "+SPV_EXT_relaxed_printf_string_address_space,+SPV_EXT_shader_atomic_float16_add,"
    "+SPV_EXT_shader_atomic_float_add,"
    "+SPV_EXT_shader_atomic_float_min_max,+SPV_INTEL_subgroups";

/// QUERN_LLVM_OPTIONS. What LLVM finds wrong with them it says on standard error.
void readLlvmOptions() {
  const std::string text = config().get(Option::LlvmOptions);
  llvm::BumpPtrAllocator allocator;
  llvm::StringSaver saver(allocator);
  llvm::SmallVector<const char*> words = {"quern", spirvExtensions};
  llvm::cl::TokenizeGNUCommandLine(text, saver, words);
  llvm::cl::ParseCommandLineOptions(static_cast<int>(words.size()), words.data(), "",
                                    &llvm::errs());
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
    LLVMInitializeSPIRVTargetInfo();
    LLVMInitializeSPIRVTarget();
    LLVMInitializeSPIRVTargetMC();
    LLVMInitializeSPIRVAsmPrinter();
    limitCoalescing();
    readLlvmOptions();
  });
}

} // namespace quern::compiler
