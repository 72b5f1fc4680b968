#pragma once

#include <llvm/IR/PassManager.h>

namespace quern::compiler {

/// Adds LLVM's passes for functions of the CPU, in an order that is much shorter than that of its
/// O2, because by then most of O2's work is done: the regions are inlined, their memory is in
/// values, and packets have taken the place of LLVM's vectoriser where they can. What they cost
/// decides the time of a build, about half of which is spent here.
void addCpuOptimizationPasses(llvm::ModulePassManager& passes);

/// A few of them, for the baseline tier, whose code is replaced when it turns out to matter.
void addBaselineOptimizationPasses(llvm::ModulePassManager& passes);

} // namespace quern::compiler
