#include "compiler/spirv/reader.h"

#include <llvm/IR/Module.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Support/raw_ostream.h>

#include "compiler/il/rounding.h"
#include "compiler/spirv/failure.h"
#include "compiler/spirv/module_reader.h"

namespace quern::compiler {
namespace {

/// Those of Clang for the triple spir64.
constexpr llvm::StringLiteral triple = "spir64-unknown-unknown";
constexpr llvm::StringLiteral layout =
    "e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-G1";

} // namespace

FrontendResult readSpirv(std::span<const std::byte> il,
                         std::span<const SpecializationValue> constants, const Options& options,
                         const Target& target, llvm::LLVMContext& context) {
  FrontendResult result;
  const Result<quern::spirv::Module> source = quern::spirv::Module::parse(il);
  if (!source.ok()) {
    result.log = "error: " + source.status().sentence() + "\n";
    return result;
  }
  auto module = std::make_unique<llvm::Module>("program.spv", context);
  module->setTargetTriple(llvm::Triple(triple));
  module->setDataLayout(layout);
  try {
    spirv::ModuleReader(source.value(), constants, options, target, *module).read();
  } catch (const spirv::Failure& failure) {
    result.log = "error: " + failure.sentence + "\n";
    return result;
  }
  // What is left to find: values that do not dominate their uses, blocks without an end and
  // OpPhis without a value for each edge.
  std::string reason;
  llvm::raw_string_ostream stream(reason);
  if (llvm::verifyModule(*module, &stream)) {
    result.log = "error: the SPIR-V module breaks a rule of control flow or of values: " + reason;
    return result;
  }
  if (options.correctlyRoundedDivideSqrt)
    demandCorrectRounding(*module);
  result.module = std::move(module);
  return result;
}

} // namespace quern::compiler
