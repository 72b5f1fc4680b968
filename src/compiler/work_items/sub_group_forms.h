#pragma once

#include <llvm/IR/Instructions.h>
#include <llvm/IR/PassManager.h>

#include "compiler/passes/contract.h"
#include "compiler/passes/settings.h"

namespace quern::compiler {

/// Whether `instruction` calls a function that this pass lowers: get_sub_group_id and the like.
bool isSubGroupPlace(const llvm::Instruction& instruction);

/// Lowers what depends on where a work-item is in its sub-group. Sub-groups are made of work-items
/// with neighbouring linear ids; only the last one of a work-group may have fewer than the full
/// number. A kernel with functions that the work-items of a sub-group carry out together gets a
/// second work-item body, in which sub-groups are packets (il/sub_group_form.h), where regions may
/// run in packets of that size.
class SubGroupFormsPass : public llvm::PassInfoMixin<SubGroupFormsPass> {
public:
  static constexpr Contract contract = {
      .required = {Property::WorkItemBodies},
      .set = {Property::SubGroupsPlaced},
      .cleared = {Property::LoopsSimplified, Property::LoopsClosed}};

  explicit SubGroupFormsPass(const PassSettings& settings);

  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager&);
  static bool isRequired() { return true; }

private:
  bool makePackets_;
  uint32_t packetWidth_; ///< that is asked for everywhere, or 0
};

} // namespace quern::compiler
