#pragma once

#include <memory>
#include <string>
#include <string_view>

#include <llvm/ADT/StringMap.h>
#include <llvm/Target/TargetMachine.h>

#include "base/result.h"

namespace quern::compiler {

/// Whose instructions code is made of.
enum class Architecture : uint8_t { X86_64, Nvptx64 };

/// Whether a thread runs whole work-groups, in packets, rather than one work-item: what is true of
/// CPUs of any architecture asks for this, and what is true of x86 alone for its triple.
constexpr bool isCpu(Architecture architecture) {
  return architecture != Architecture::Nvptx64;
}

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

/// Reads "auto", "off", "all" or a power of two from 2 to 64, the width for all. False for anything
/// else.
bool parsePackets(llvm::StringRef text, PacketChoice& choice);

/// A processor to generate code for, taken from Target::description.
struct Processor {
  Architecture architecture = Architecture::X86_64;
  std::string cpu;
  std::string features;
  uint32_t subGroupSize = 1; ///< work-items of a full sub-group
  PacketChoice packets;
  bool inlinesLeast = false;    ///< only functions that must be are inlined into kernels
  bool wantsFootprints = false; ///< abi::KernelDescription::footprint
};

/// `features` as LLVM's text of them, "+avx2,-avx512f". What a machine lacks has to be in it: LLVM
/// knows a processor by its model and takes all for present that such a model has, also what a
/// hypervisor hides or an operating system does not save.
std::string signedFeatures(const llvm::StringMap<bool>& features);

/// Reads "x86_64;cpu=NAME;features=+a,-b;sub-group=8;packets=auto" or "nvptx64;cpu=sm_90;...". The
/// choice of packets is one of "auto", "off", "all" and a power of two, the width for all. With
/// "inlining=least" functions are called where they can be, with "footprints" kernels are described
/// by theirs. An x86_64 without a name, or with "native", is the machine that we run on: its
/// features come before those of the description. Fails with CL_INVALID_VALUE for any other
/// architecture.
Result<Processor> parseProcessor(std::string_view description);

/// A target machine for position-independent x86-64 code, or for PTX. `optimize` false is for
/// -cl-opt-disable.
Result<std::unique_ptr<llvm::TargetMachine>> makeTargetMachine(const Processor& processor,
                                                               bool optimize);

/// Whether the code for `machine` may use `feature`, by LLVM's name of it.
bool hasFeature(const llvm::TargetMachine& machine, llvm::StringRef feature);

/// Whether numbers are loaded and joined faster than gathered where no address has to be taken out
/// of a vector; elsewhere gathers may still be faster.
bool joinsElementsFast(const llvm::TargetMachine& machine);

/// Bits of the vectors that packets use on `machine`.
unsigned vectorBits(const llvm::TargetMachine& machine);

} // namespace quern::compiler
