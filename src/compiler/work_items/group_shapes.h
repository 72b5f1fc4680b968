#pragma once

#include <llvm/IR/PassManager.h>

#include "compiler/codegen/machine.h"
#include "compiler/passes/contract.h"
#include "compiler/passes/settings.h"

namespace quern::compiler {

/// Packets run along dimension 0. Where work-groups, all of one known size, have short rows there,
/// most of a packet would lie outside: such a kernel counts its work-items in another shape
/// (il/group_shape.h), whose rows hold several of the program's, and computes the program's local
/// ids from them. Work-items keep their order.
///
/// A kernel with barriers or collective functions whose work-groups fit one packet gets a second
/// form, without barriers and with operations on packets, for the step form-packets to choose.
class GroupShapesPass : public llvm::PassInfoMixin<GroupShapesPass> {
public:
  static constexpr Contract contract = {.required = {Property::WorkItemBodies},
                                        .cleared = {Property::VariablesAreValues}};

  explicit GroupShapesPass(const PassSettings& settings)
      : machine_(settings.machine), choice_(settings.packets) {}

  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager&);

private:
  const llvm::TargetMachine& machine_;
  PacketChoice choice_;
};

} // namespace quern::compiler
