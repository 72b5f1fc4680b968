#pragma once

#include <memory>
#include <string>
#include <string_view>

#include <llvm/Target/TargetMachine.h>

#include "base/result.h"

namespace quern::compiler {

/// Which regions get a form for packets.
struct PacketChoice {
  enum class Which : uint8_t {
    Worthwhile, ///< those that are expected to gain
    None,
    All, ///< those that can
  };
  Which which = Which::Worthwhile;
  uint32_t width = 0; ///< work-items of a packet; 0 for what vectors hold
};

/// A processor to generate code for, taken from Target::description.
struct Processor {
  std::string cpu;
  std::string features;
  uint32_t subGroupSize = 1; ///< work-items of a full sub-group
  PacketChoice packets;
};

/// Reads "x86_64;cpu=NAME;features=+a,-b;sub-group=8;packets=auto". The choice of packets is one of
/// "auto", "off", "all" and a power of two, the width for all. Without a name, or with "native",
/// the machine that we run on is meant. Fails with CL_INVALID_VALUE for any other architecture.
Result<Processor> parseProcessor(std::string_view description);

/// A target machine for position-independent x86-64 code. `optimize` false is for -cl-opt-disable.
Result<std::unique_ptr<llvm::TargetMachine>> makeTargetMachine(const Processor& processor,
                                                               bool optimize);

} // namespace quern::compiler
