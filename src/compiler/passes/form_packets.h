#pragma once

#include <llvm/IR/PassManager.h>
#include <llvm/Target/TargetMachine.h>

#include "compiler/codegen/machine.h"

namespace quern::compiler {

/// Gives a region that gains from it a second form that runs for a packet of neighbouring
/// work-items at once (packets/packet_emitter.h), named in the region's attributes packetAttribute
/// and packetWidthAttribute. What the target's vectors hold decides the width.
class FormPacketsPass : public llvm::PassInfoMixin<FormPacketsPass> {
public:
  FormPacketsPass(llvm::TargetMachine& machine, PacketChoice choice)
      : machine_(machine), choice_(choice) {}

  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager&);
  static bool isRequired() { return true; }

private:
  llvm::TargetMachine& machine_;
  PacketChoice choice_;
};

} // namespace quern::compiler
