#include "compiler/il/enqueue_functions.h"

#include <llvm/ADT/STLFunctionalExtras.h>
#include <llvm/ADT/SetVector.h>
#include <llvm/ADT/StringSwitch.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>

namespace quern::compiler {
namespace {

bool isCaptureOfTimes(llvm::StringRef name) {
  return name.starts_with("_Z28capture_event_profiling_info");
}

/// Of those that have no block.
bool isOfQueueOrEvent(llvm::StringRef name) {
  for (llvm::StringRef prefix :
       {"_Z14enqueue_marker", "_Z17get_default_queue", "_Z17create_user_event",
        "_Z21set_user_event_status", "_Z12retain_event", "_Z13release_event"})
    if (name.starts_with(prefix))
      return true;
  return isCaptureOfTimes(name);
}

bool mayCall(const llvm::Function& kernel, llvm::function_ref<bool(llvm::StringRef)> isMeant) {
  llvm::SmallSetVector<const llvm::Function*, 16> reached;
  reached.insert(&kernel);
  for (size_t i = 0; i < reached.size(); ++i) {
    if (isMeant(reached[i]->getName()))
      return true;
    for (const llvm::Instruction& instruction : llvm::instructions(*reached[i]))
      if (const auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction))
        if (const llvm::Function* callee = call->getCalledFunction())
          reached.insert(callee);
  }
  return false;
}

} // namespace

std::optional<unsigned> blockArgument(llvm::StringRef name) {
  return llvm::StringSwitch<std::optional<unsigned>>(name)
      .Case("__enqueue_kernel_basic", 3)
      .Case("__enqueue_kernel_varargs", 3)
      .Case("__enqueue_kernel_basic_events", 6)
      .Case("__enqueue_kernel_events_varargs", 6)
      .Case(enqueueOfBytes, 6)
      .Case("__get_kernel_work_group_size_impl", 0)
      .Case("__get_kernel_preferred_work_group_size_multiple_impl", 0)
      .Case("__get_kernel_max_sub_group_size_for_ndrange_impl", 1)
      .Case("__get_kernel_sub_group_count_for_ndrange_impl", 1)
      .Case("__quern_get_kernel_max_sub_groups", 0)
      .Case("__quern_get_kernel_local_size_for_sub_groups", 1)
      .Default(std::nullopt);
}

bool usesChildRecords(const llvm::Function& kernel) {
  return mayCall(
      kernel, [](llvm::StringRef name) { return blockArgument(name) || isOfQueueOrEvent(name); });
}

bool asksForTimes(const llvm::Function& kernel) {
  return mayCall(kernel, isCaptureOfTimes);
}

} // namespace quern::compiler
