#pragma once

#include <vector>

#include <llvm/IR/PassManager.h>
#include <llvm/Target/TargetMachine.h>

#include "compiler/codegen/machine.h"
#include "compiler/passes/contract.h"
#include "compiler/passes/settings.h"

namespace quern::compiler {

/// Gives a region that gains from it two more forms (packets/packet_emitter.h): one that runs for a
/// packet of neighbouring work-items at once, of which the last ones may lie outside the group, and
/// one for a tile of whole packets that meets the region's guards (packets/guards.h). They are
/// named in the region's attributes packetAttribute and tileAttribute. What the target's vectors
/// hold decides the width of a packet, packets/tile_choice.h how many a tile has.
///
/// A kernel whose work-groups may be one packet each (il/group_shape.h) keeps that form if all of
/// it can run in packets, and otherwise the other one.
class FormPacketsPass : public llvm::PassInfoMixin<FormPacketsPass> {
public:
  static constexpr Contract contract = {
      .required = {Property::RegionsFormed},
      .cleared = {Property::VariablesAreValues, Property::LoopsSimplified, Property::LoopsClosed}};

  /// In the baseline tier no region gets the second form: code is made faster, and runs slower.
  explicit FormPacketsPass(const PassSettings& settings)
      : machine_(settings.machine), choice_(settings.packets), isBaseline_(settings.isBaseline),
        isCodeWaitedFor_(settings.isBaseline || settings.facts == abi::LaunchFacts()) {}

  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager&);
  static bool isRequired() { return true; }

private:
  bool makeAll(const std::vector<llvm::Function*>& regions,
               const std::vector<llvm::Function*>& general, bool isInAddition,
               llvm::FunctionAnalysisManager& analyses) const;
  /// Whether a region that costs `price` now has one of its `copies` (exchanged_dimensions.h) as a
  /// form whose packets run along another dimension, because that is cheaper or all that can must
  /// run in packets. The others are erased.
  bool makeExchanged(llvm::Function& region, double price,
                     const std::vector<llvm::Function*>& copies,
                     llvm::FunctionAnalysisManager& analyses) const;
  struct Meetings {
    double accesses = 0;     ///< their price
    double instructions = 0; ///< code of regions that end at them
  };
  Meetings meetings(const std::vector<llvm::Function*>& general,
                    const std::vector<llvm::Function*>& regions) const;

  llvm::TargetMachine& machine_;
  PacketChoice choice_;
  bool isBaseline_;
  bool isCodeWaitedFor_; ///< not made for launches that run other code meanwhile
};

} // namespace quern::compiler
