#include "compiler/codegen/object.h"

#include <algorithm>

#include <llvm/ADT/SmallVector.h>
#include <llvm/ADT/StringSet.h>
#include <llvm/IR/LegacyPassManager.h>
#include <llvm/IR/OptBisect.h>
#include <llvm/Object/ObjectFile.h>
#include <llvm/Support/raw_ostream.h>

#include "abi/checked_launch.h"

namespace quern::compiler {
namespace {

/// A function of more instructions is long.
constexpr unsigned longFunction = 8000;

/// Keeps passes from running that gain nothing for kernels and take long. Loop strength reduction
/// is one: it takes up to a fifth of a build, and the benchmark's kernels are as fast without it.
/// Another is scheduling after registers are allocated, which LLVM does for AMD's processors only:
/// they reorder instructions themselves, and its time grows with the square of a block's accesses.
/// In a long function with a loop around it, the third takes thousands of constants out of the
/// loop, for which the register allocator then finds no place, in time that grows with the square
/// of their number.
class CpuPasses : public llvm::OptPassGate {
public:
  CpuPasses(const llvm::Module& module, bool quickly) : quickly_(quickly) {
    for (const llvm::Function& function : module)
      if (function.getInstructionCount() > longFunction)
        longFunctions_.insert(("function (" + function.getName() + ")").str());
  }

  bool isEnabled() const override { return true; }
  bool shouldRunPass(llvm::StringRef name, llvm::StringRef description) const override {
    return name != "Loop Strength Reduction" && name != "post-RA-sched" &&
           (name != "early-machinelicm" || !longFunctions_.contains(description)) &&
           !(quickly_ && llvm::is_contained(refinements, name));
  }

private:
  /// What only makes code faster.
  static constexpr llvm::StringLiteral refinements[] = {"block-placement",
                                                        "break-false-deps",
                                                        "codegenprepare",
                                                        "early-ifcvt",
                                                        "early-machinelicm",
                                                        "early-tailduplication",
                                                        "interleaved-access",
                                                        "machine-cp",
                                                        "machine-cse",
                                                        "machine-scheduler",
                                                        "machine-sink",
                                                        "machinelicm",
                                                        "mergeicmps",
                                                        "opt-phis",
                                                        "stack-coloring",
                                                        "tailduplication",
                                                        "x86-avoid-sfb",
                                                        "x86-cmov-conversion",
                                                        "x86-domain-reassignment",
                                                        "x86-fixup-bw-insts",
                                                        "x86-fixup-leas",
                                                        "x86-optimize-leas",
                                                        "x86-partial-reduction"};

  const bool quickly_;
  llvm::StringSet<> longFunctions_;
};

void generate(llvm::Module& module, llvm::TargetMachine& machine, llvm::raw_pwrite_stream& stream,
              llvm::CodeGenFileType kind, bool quickly = false) {
  CpuPasses cpuPasses(module, quickly);
  llvm::OptPassGate& before = module.getContext().getOptPassGate();
  if (machine.getTargetTriple().isX86())
    module.getContext().setOptPassGate(cpuPasses);
  llvm::legacy::PassManager passes;
  if (machine.addPassesToEmitFile(passes, stream, nullptr, kind))
    llvm::report_fatal_error("the back end cannot write this kind of file");
  passes.run(module);
  module.getContext().setOptPassGate(before);
}

bool isImportable(std::string_view name) {
  return std::ranges::find(abi::importableSymbols, name) != std::end(abi::importableSymbols) ||
         std::ranges::find(abi::checkSymbols, name) != std::end(abi::checkSymbols);
}

/// The first undefined symbol that kernels may not use, or nothing.
std::string forbiddenSymbol(llvm::MemoryBufferRef buffer) {
  auto object = llvm::object::ObjectFile::createObjectFile(buffer);
  if (!object)
    return llvm::toString(object.takeError());
  for (const llvm::object::SymbolRef& symbol : (*object)->symbols()) {
    llvm::Expected<uint32_t> flags = symbol.getFlags();
    llvm::Expected<llvm::StringRef> name = symbol.getName();
    if (!flags)
      return llvm::toString(flags.takeError());
    if (!name)
      return llvm::toString(name.takeError());
    if (!(*flags & llvm::object::SymbolRef::SF_Undefined) || name->empty())
      continue;
    if (!isImportable(*name))
      return name->str();
  }
  return {};
}

} // namespace

Result<Bytes> emitObject(llvm::Module& module, llvm::TargetMachine& machine, bool quickly) {
  llvm::SmallVector<char, 0> code;
  llvm::raw_svector_ostream stream(code);
  generate(module, machine, stream, llvm::CodeGenFileType::ObjectFile, quickly);
  const std::string symbol = forbiddenSymbol({llvm::StringRef(code.data(), code.size()), "object"});
  if (!symbol.empty())
    return Status::error(CL_BUILD_PROGRAM_FAILURE, "undefined function '" + symbol + "'");
  const auto* bytes = reinterpret_cast<const std::byte*>(code.data());
  return Bytes(bytes, bytes + code.size());
}

Result<Bytes> emitPtx(llvm::Module& module, llvm::TargetMachine& machine) {
  const std::string text = emitAssembly(module, machine);
  const auto* bytes = reinterpret_cast<const std::byte*>(text.c_str());
  return Bytes(bytes, bytes + text.size() + 1);
}

std::string emitAssembly(llvm::Module& module, llvm::TargetMachine& machine) {
  llvm::SmallVector<char, 0> text;
  llvm::raw_svector_ostream stream(text);
  generate(module, machine, stream, llvm::CodeGenFileType::AssemblyFile);
  return std::string(text.data(), text.size());
}

} // namespace quern::compiler
