#pragma once

#include <span>
#include <string>

#include <llvm/ADT/StringRef.h>
#include <llvm/IR/PassManager.h>
#include <llvm/Passes/PassBuilder.h>

#include "compiler/passes/contract.h"
#include "compiler/passes/settings.h"

namespace quern::compiler {

/// A pass of ours: a row of passes/passes.def.
struct RegisteredPass {
  llvm::StringRef name;      ///< in the text of a pipeline
  llvm::StringRef className; ///< what LLVM calls it by
  llvm::StringRef kind;      ///< module, function or loop
  llvm::StringRef options;   ///< names of those that the text may give, with ';' between them
  Contract contract;
};

/// All of them, in the order of the table.
std::span<const RegisteredPass> registeredPasses();

/// Makes the names of our passes known where LLVM's instrumentations look for them.
void registerPassNames(llvm::PassInstrumentationCallbacks& callbacks);

/// Appends to `passes` what `text` says, a pipeline as LLVM's `opt` reads it, of LLVM's passes and
/// ours: "prepare-kernels,function(safe-division),form-packets<packets=8>". Ours are made from
/// `settings`. Fails with CL_INVALID_VALUE for a text that says nothing known.
Status parsePipeline(llvm::ModulePassManager& passes, llvm::StringRef text,
                     const PassSettings& settings);

} // namespace quern::compiler
