#pragma once

#include <vector>

#include <llvm/IR/Module.h>
#include <llvm/Target/TargetMachine.h>

#include "abi/program_image.h"

namespace quern::compiler {

/// Describes the kernels of a linked program before any step has changed them: arguments,
/// attributes, work-group sizes. Names are there for kernels compiled with -cl-kernel-arg-info. The
/// module must have the data layout of the machine.
/// `maxAlignment` bounds that of arguments.
std::vector<abi::KernelDescription> describeKernels(const llvm::Module& module,
                                                    uint64_t maxAlignment);

/// Adds what the steps have found out: sizes of memory, the entry's symbol, and how many work-items
/// `machine` runs together where LLVM vectorises the loop over them. Kernels without an entry are
/// left alone.
void completeDescriptions(const llvm::Module& module, const llvm::TargetMachine& machine,
                          std::vector<abi::KernelDescription>& kernels);

/// The same for NVIDIA devices, which know the sizes of memory themselves.
void completeNvptxDescriptions(const llvm::Module& module,
                               std::vector<abi::KernelDescription>& kernels);

} // namespace quern::compiler
