#pragma once

#include <functional>
#include <span>
#include <string_view>

#include <llvm/IR/Module.h>
#include <llvm/IR/PassManager.h>

#include "base/result.h"
#include "compiler/passes/settings.h"

namespace quern::compiler {

/// One step on the way from a linked program to code. `add` appends its passes.
struct Step {
  std::string_view name;
  std::string_view what;
  void (*add)(llvm::ModulePassManager& passes, const PassSettings& settings);
};

/// The steps for CPUs after which errors of a program are known: the first where nothing is left
/// undefined (program/undefined_functions.h), the other always.
inline constexpr std::string_view markCalleesStep = "mark-callees", cleanUpStep = "clean-up";

/// The step for CPUs after which work-item bodies have names::footprintAttribute.
inline constexpr std::string_view footprintsStep = "footprints";

/// The steps for an architecture in order. After the last one the module is ready for code
/// generation.
std::span<const Step> pipelineSteps(Architecture architecture);

/// Called after each step with its number and the module.
using StepObserver = std::function<void(unsigned number, const Step& step, llvm::Module& module)>;

/// Runs `steps` on `module`. User errors go to the module's context; the pipeline stops after the
/// step that found one.
void runSteps(std::span<const Step> steps, llvm::Module& module, const PassSettings& settings,
              const StepObserver& observer);

/// Runs a pipeline that `text` describes (passes/registry.h), of our passes and LLVM's. Fails where
/// the text cannot be read.
Status runPasses(llvm::StringRef text, llvm::Module& module, const PassSettings& settings);

/// Runs `passes` as a compile does.
void runPasses(llvm::ModulePassManager& passes, llvm::Module& module, const PassSettings& settings);

} // namespace quern::compiler
