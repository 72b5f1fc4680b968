#pragma once

#include <functional>
#include <span>
#include <string_view>

#include <llvm/IR/Module.h>
#include <llvm/IR/PassManager.h>
#include <llvm/Target/TargetMachine.h>

#include "abi/program_image.h"
#include "compiler/codegen/machine.h"

namespace quern::compiler {

/// What the steps need to know beside the module.
struct PipelineSettings {
  llvm::TargetMachine& machine;
  bool optimize = true;      ///< false with -cl-opt-disable
  uint32_t subGroupSize = 1; ///< work-items of a full sub-group
  PacketChoice packets;
  bool isBaseline = false; ///< Options::firstVersion: quickly made, better code can come later
  std::string onlyKernel;  ///< Options::onlyKernel
  abi::LaunchFacts facts;
  bool inlinesLeast = false; ///< Processor::inlinesLeast
};

/// One step on the way from a linked program to code. `add` appends its passes.
struct Step {
  std::string_view name;
  std::string_view what;
  void (*add)(llvm::ModulePassManager& passes, const PipelineSettings& settings);
};

/// The steps for an architecture in order. After the last one the module is ready for code
/// generation.
std::span<const Step> pipelineSteps(Architecture architecture);

/// Called after each step with its number and the module.
using StepObserver = std::function<void(unsigned number, const Step& step, llvm::Module& module)>;

/// Runs `steps` on `module`. User errors go to the module's context; the pipeline stops after the
/// step that found one.
void runSteps(std::span<const Step> steps, llvm::Module& module, const PipelineSettings& settings,
              const StepObserver& observer);

} // namespace quern::compiler
