#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace quern::cpu {

/// The instruction sets that kernels are compiled for, as levels of the x86-64 ABI; each includes
/// those before it.
enum class Isa { Sse42, Avx2, Avx512 };

/// What the cpuid instruction says about the machine. Plain data, the same for the lifetime of the
/// process.
struct Processor {
  std::string vendorId; ///< as cpuid spells it, e.g. "AuthenticAMD"
  std::string vendor;   ///< as people spell it, e.g. "AMD"
  uint32_t pciVendor = 0;
  std::string name; ///< the brand string
  uint32_t family = 0, model = 0, stepping = 0;
  uint32_t clockMHz = 0; ///< 0 when nothing says it
  /// Features that matter to code generation, in LLVM's spelling and without sign, sorted. A
  /// feature counts only when the operating system keeps its registers.
  std::vector<std::string> features;
  Isa isa = Isa::Sse42; ///< the highest level that the machine has
  bool fma = false;
  /// The time stamp counter runs at one speed on all cores, whatever they do.
  bool steadyClock = false;

  bool has(const char* feature) const;
};

Processor readProcessor();

} // namespace quern::cpu
