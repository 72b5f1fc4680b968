#pragma once

#include <llvm/IR/PassManager.h>

#include "compiler/passes/contract.h"

namespace quern::compiler {

/// Finds the stores of work-item bodies that may go past the caches: simple stores to buffers that
/// the kernel only writes, if buffers do not overlap, in kernels without atomic operations, which
/// are what orders memory between work-groups; all work-items of one run on the same thread, which
/// sees its own stores in order. Says what they store (names::storedBytesAttribute), and marks the
/// buffers (il/streaming.h) where no cache holds that (names::exceedsCachesAttribute) and the
/// buffers are known not to overlap.
///
/// A store past the caches need not read the line that it replaces first, a third or more of the
/// traffic of a kernel that makes one array of another, and leaves to what the kernel reads the
/// caches that would keep nothing of its output until somebody reads that.
class StreamedStoresPass : public llvm::PassInfoMixin<StreamedStoresPass> {
public:
  static constexpr Contract contract = {
      .required = {Property::WorkItemBodies, Property::VariablesAreValues}};

  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager&);
  static bool isRequired() { return true; }
};

} // namespace quern::compiler
