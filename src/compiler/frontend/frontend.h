#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/interface/compiler.h"

namespace llvm {
class LLVMContext;
class Module;
} // namespace llvm

namespace quern::compiler {

/// What the front end made of a source. `module` is null after an error, which `log` explains.
struct FrontendResult {
  std::unique_ptr<llvm::Module> module;
  std::string log;
  std::vector<Dependency> dependencies;
};

/// Compiles OpenCL C to IR for the triple spir64, before any optimisation. `sourceName` appears in
/// diagnostics and in debug information.
FrontendResult runFrontend(std::string_view source, const std::string& sourceName,
                           std::span<const Header> headers, const Options& options,
                           const Target& target, llvm::LLVMContext& context);

} // namespace quern::compiler
