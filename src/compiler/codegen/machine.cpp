#include "compiler/codegen/machine.h"

#include <vector>

#include <llvm/ADT/StringExtras.h>
#include <llvm/MC/MCSubtargetInfo.h>
#include <llvm/MC/TargetRegistry.h>
#include <llvm/TargetParser/Host.h>
#include <llvm/TargetParser/Triple.h>

namespace quern::compiler {
namespace {

/// Whether a processor gathers faster than by a load for each element, which LLVM 22's tables do
/// not say of it. They say it of Intel's.
bool gathersFast(llvm::StringRef cpu) {
  return cpu == "znver3" || cpu == "znver4" || cpu == "znver5";
}

} // namespace

std::string signedFeatures(const llvm::StringMap<bool>& features) {
  std::string text;
  for (const auto& feature : features)
    text += (text.empty() ? "" : ",") + std::string(feature.getValue() ? "+" : "-") +
            feature.getKey().str();
  return text;
}

bool parsePackets(llvm::StringRef text, PacketChoice& choice) {
  choice = {};
  if (text == "auto")
    return true;
  choice.which = text == "off" ? PacketChoice::Which::None : PacketChoice::Which::All;
  return text == "off" || text == "all" ||
         (!text.getAsInteger(10, choice.width) && choice.width >= 2 && choice.width <= 64 &&
          llvm::isPowerOf2_32(choice.width));
}

Result<Processor> parseProcessor(std::string_view description) {
  Processor processor;
  const llvm::StringRef text(description);
  llvm::SmallVector<llvm::StringRef, 4> parts;
  text.split(parts, ';');
  if (parts.front() == "nvptx64")
    processor.architecture = Architecture::Nvptx64;
  else if (parts.front() != "x86_64")
    return Status::error(
        CL_INVALID_VALUE,
        "target \"" + text.str() +
            "\" is not known to this compiler: it generates code for x86_64 and nvptx64");
  for (llvm::StringRef part : parts) {
    if (part.consume_front("cpu="))
      processor.cpu = part.str();
    else if (part.consume_front("features="))
      processor.features = part.str();
    else if (part == "inlining=least")
      processor.inlinesLeast = true;
    else if (part == "footprints")
      processor.wantsFootprints = true;
    else if (part.consume_front("sub-group=") && part.getAsInteger(10, processor.subGroupSize))
      return Status::error(CL_INVALID_VALUE,
                           "target \"" + text.str() + "\" has a sub-group size that is no number");
    else if (part.consume_front("packets=") && !parsePackets(part, processor.packets))
      return Status::error(CL_INVALID_VALUE,
                           "the choice of packets \"" + part.str() +
                               "\" is none of auto, off, all and a power of two from 2 to 64");
  }
  const bool isHost = processor.cpu.empty() || processor.cpu == "native";
  if (isHost && isCpu(processor.architecture)) {
    processor.cpu = llvm::sys::getHostCPUName().str();
    const std::string host = signedFeatures(llvm::sys::getHostCPUFeatures());
    processor.features = processor.features.empty() ? host : host + "," + processor.features;
  }
  return processor;
}

Result<std::unique_ptr<llvm::TargetMachine>> makeTargetMachine(const Processor& processor,
                                                               bool optimize) {
  const bool isNvptx = processor.architecture == Architecture::Nvptx64;
  const llvm::Triple triple(isNvptx ? "nvptx64-nvidia-cuda" : "x86_64-unknown-linux-gnu");
  std::string message;
  const llvm::Target* target = llvm::TargetRegistry::lookupTarget(triple, message);
  if (!target)
    return Status::error(CL_COMPILER_NOT_AVAILABLE,
                         "LLVM has no back end for " + triple.str() + ": " + message);
  std::vector<std::string> features;
  if (!processor.features.empty())
    features.push_back(processor.features);
  if (gathersFast(processor.cpu))
    features.push_back("+fast-gather");
  // LLVM shuffles bytes with its instructions, which have no form of AVX: beside code that has,
  // each takes a hundred cycles.
  if (!isNvptx)
    features.push_back("-sse4a");
  llvm::TargetOptions options;
  options.AllowFPOpFusion = llvm::FPOpFusion::Standard;
  std::unique_ptr<llvm::TargetMachine> machine(
      target->createTargetMachine(triple, processor.cpu, llvm::join(features, ","), options,
                                  llvm::Reloc::PIC_, llvm::CodeModel::Small,
                                  !optimize ? llvm::CodeGenOptLevel::None
                                  : isNvptx ? llvm::CodeGenOptLevel::Aggressive
                                            : llvm::CodeGenOptLevel::Default));
  if (!machine)
    return Status::error(CL_COMPILER_NOT_AVAILABLE,
                         "LLVM made no target machine for the processor " + processor.cpu);
  return machine;
}

bool joinsElementsFast(const llvm::TargetMachine& machine) {
  return machine.getTargetCPU().starts_with("znver");
}

bool hasFeature(const llvm::TargetMachine& machine, llvm::StringRef feature) {
  return machine.getMCSubtargetInfo()->checkFeatures(("+" + feature).str());
}

unsigned vectorBits(const llvm::TargetMachine& machine) {
  if (hasFeature(machine, "avx512f"))
    return 512;
  return hasFeature(machine, "avx2") ? 256 : 128;
}

} // namespace quern::compiler
