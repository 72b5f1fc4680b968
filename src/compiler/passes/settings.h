#pragma once

#include <string>

#include <llvm/Target/TargetMachine.h>

#include "abi/program_image.h"
#include "compiler/codegen/machine.h"

namespace quern::compiler {

/// What passes need to know beside the module. A pass that needs any of it is made from this.
struct PassSettings {
  llvm::TargetMachine& machine;
  bool optimize = true;      ///< false with -cl-opt-disable
  uint32_t subGroupSize = 1; ///< work-items of a full sub-group
  PacketChoice packets;
  bool isBaseline = false; ///< Options::firstVersion: quickly made, better code can come later
  std::string onlyKernel;  ///< Options::onlyKernel
  abi::LaunchFacts facts;
  bool inlinesLeast = false;    ///< Processor::inlinesLeast
  bool wantsFootprints = false; ///< Processor::wantsFootprints

  /// Whether any region may run in packets.
  bool hasPackets() const { return optimize && packets.which != PacketChoice::Which::None; }
};

} // namespace quern::compiler
