#pragma once

#include <string>

#include <llvm/IR/PassManager.h>

#include "abi/program_image.h"
#include "compiler/passes/contract.h"
#include "compiler/passes/settings.h"

namespace quern::compiler {

/// Leaves only what a specialisation of one kernel needs (compiler::Options::onlyKernel) and tells
/// later steps what is known of its launches: the local size as reqd_work_group_size does, whole
/// groups as -cl-uniform-work-group-size does, offsets, few columns and large outputs by attributes
/// of il/names.h.
class LaunchFactsPass : public llvm::PassInfoMixin<LaunchFactsPass> {
public:
  static constexpr Contract contract = {.required = {Property::AsFrontEndMade}};

  explicit LaunchFactsPass(const PassSettings& settings)
      : onlyKernel_(settings.onlyKernel), facts_(settings.facts) {}

  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager&);
  static bool isRequired() { return true; }

private:
  const std::string onlyKernel_;
  const abi::LaunchFacts facts_;
};

/// Puts constants in the place of the arguments of work-item bodies (LaunchFacts::constants), whose
/// callers pass other values.
class ConstantArgumentsPass : public llvm::PassInfoMixin<ConstantArgumentsPass> {
public:
  static constexpr Contract contract = {.required = {Property::WorkItemBodies}};

  explicit ConstantArgumentsPass(const PassSettings& settings) : facts_(settings.facts) {}

  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager&);
  static bool isRequired() { return true; }

private:
  const abi::LaunchFacts facts_;
};

/// Marks the pointers to global and constant memory of each work-item body as restricted, where
/// LaunchFacts::disjointMemory holds and all that a work-item reaches comes from them: a kernel
/// that loads pointers, makes them of integers or uses images may reach the same memory by other
/// ways.
class DisjointMemoryPass : public llvm::PassInfoMixin<DisjointMemoryPass> {
public:
  static constexpr Contract contract = {.required = {Property::WorkItemBodies}};

  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager&);
  static bool isRequired() { return true; }
};

} // namespace quern::compiler
