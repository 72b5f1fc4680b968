// The processor that code is generated for, on machines that have less than its model.
#include <gtest/gtest.h>
#include <llvm/TargetParser/Host.h>

#include "compiler/codegen/machine.h"
#include "compiler/initialize_llvm.h"

namespace quern::compiler {
namespace {

std::unique_ptr<llvm::TargetMachine> machineOf(const Processor& processor) {
  initializeLlvm();
  return std::move(*makeTargetMachine(processor, true));
}

TEST(Machine, HasWhatItsModelHas) {
  const auto machine = machineOf({.cpu = "znver4", .features = ""});
  EXPECT_TRUE(hasFeature(*machine, "avx512f"));
  EXPECT_EQ(vectorBits(*machine), 512u);
}

TEST(Machine, LacksWhatAHypervisorHides) {
  llvm::StringMap<bool> host;
  for (const char* hidden : {"avx512f", "avx512bw", "avx512vl", "avx512bf16", "gfni"})
    host[hidden] = false;
  host["avx2"] = true;
  const auto machine = machineOf({.cpu = "znver4", .features = signedFeatures(host)});
  EXPECT_EQ(vectorBits(*machine), 256u);
  for (const char* hidden : {"avx512f", "avx512bw", "avx512vl", "avx512dq", "avx512bf16", "gfni"})
    EXPECT_FALSE(hasFeature(*machine, hidden)) << hidden;
}

TEST(Machine, GathersWhereThatIsFasterThanLoads) {
  for (const char* cpu : {"znver3", "znver4"})
    EXPECT_TRUE(hasFeature(*machineOf({.cpu = cpu, .features = "-avx512f"}), "fast-gather")) << cpu;
  EXPECT_TRUE(hasFeature(*machineOf({.cpu = "znver3", .features = ""}), "fast-gather"));
  EXPECT_FALSE(hasFeature(*machineOf({.cpu = "znver2", .features = ""}), "fast-gather"));
}

TEST(Machine, HasNoInstructionsThatAreSlowBesideAvx) {
  EXPECT_FALSE(hasFeature(*machineOf({.cpu = "znver3", .features = ""}), "sse4a"));
  EXPECT_FALSE(hasFeature(*machineOf({.cpu = "x86-64-v3", .features = "+sse4a"}), "sse4a"));
  EXPECT_FALSE(hasFeature(*machineOf(*parseProcessor("x86_64;cpu=native")), "sse4a"));
}

TEST(Machine, OfTheHostHasNoMoreThanTheHost) {
  // The driver's list names what the machine has, and nothing of what it lacks.
  const auto machine = machineOf(*parseProcessor("x86_64;cpu=native;features=+avx"));
  for (const auto& feature : llvm::sys::getHostCPUFeatures())
    if (!feature.getValue())
      EXPECT_FALSE(hasFeature(*machine, feature.getKey())) << feature.getKey().str();
}

TEST(Machine, OfTheHostIsWithoutWhatTheDescriptionTakesAway) {
  const auto machine = machineOf(*parseProcessor("x86_64;cpu=native;features=-avx2"));
  EXPECT_FALSE(hasFeature(*machine, "avx2"));
  EXPECT_EQ(vectorBits(*machine), 128u);
}

} // namespace
} // namespace quern::compiler
