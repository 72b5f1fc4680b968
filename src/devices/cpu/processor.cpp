#include "devices/cpu/processor.h"

#include <algorithm>
#include <array>
#include <cpuid.h>
#include <cstring>
#include <fstream>

namespace quern::cpu {

namespace {

enum Register { Eax, Ebx, Ecx, Edx };

using Leaf = std::array<uint32_t, 4>;

Leaf cpuid(uint32_t leaf, uint32_t subleaf = 0) {
  Leaf registers = {};
  __get_cpuid_count(leaf, subleaf, &registers[Eax], &registers[Ebx], &registers[Ecx],
                    &registers[Edx]);
  return registers;
}

bool bit(uint32_t value, unsigned index) {
  return (value >> index & 1) != 0;
}

/// Which register state a feature needs the operating system to save (bits of XCR0).
enum class State { None, Avx, Avx512 };

struct FeatureBit {
  const char* name;
  uint32_t leaf, subleaf;
  Register reg;
  unsigned index;
  State state;
};

constexpr FeatureBit featureBits[] = {
    {"sse3", 1, 0, Ecx, 0, State::None},
    {"pclmul", 1, 0, Ecx, 1, State::None},
    {"ssse3", 1, 0, Ecx, 9, State::None},
    {"fma", 1, 0, Ecx, 12, State::Avx},
    {"cx16", 1, 0, Ecx, 13, State::None},
    {"sse4.1", 1, 0, Ecx, 19, State::None},
    {"sse4.2", 1, 0, Ecx, 20, State::None},
    {"movbe", 1, 0, Ecx, 22, State::None},
    {"popcnt", 1, 0, Ecx, 23, State::None},
    {"aes", 1, 0, Ecx, 25, State::None},
    {"avx", 1, 0, Ecx, 28, State::Avx},
    {"f16c", 1, 0, Ecx, 29, State::Avx},
    {"bmi", 7, 0, Ebx, 3, State::None},
    {"avx2", 7, 0, Ebx, 5, State::Avx},
    {"bmi2", 7, 0, Ebx, 8, State::None},
    {"avx512f", 7, 0, Ebx, 16, State::Avx512},
    {"avx512dq", 7, 0, Ebx, 17, State::Avx512},
    {"avx512ifma", 7, 0, Ebx, 21, State::Avx512},
    {"avx512cd", 7, 0, Ebx, 28, State::Avx512},
    {"avx512bw", 7, 0, Ebx, 30, State::Avx512},
    {"avx512vl", 7, 0, Ebx, 31, State::Avx512},
    {"avx512vbmi", 7, 0, Ecx, 1, State::Avx512},
    {"avx512vbmi2", 7, 0, Ecx, 6, State::Avx512},
    {"gfni", 7, 0, Ecx, 8, State::None},
    {"vpclmulqdq", 7, 0, Ecx, 10, State::Avx},
    {"avx512vnni", 7, 0, Ecx, 11, State::Avx512},
    {"avx512bitalg", 7, 0, Ecx, 12, State::Avx512},
    {"avx512vpopcntdq", 7, 0, Ecx, 14, State::Avx512},
    {"avx512fp16", 7, 0, Edx, 23, State::Avx512},
    {"avxvnni", 7, 1, Eax, 4, State::Avx},
    {"avx512bf16", 7, 1, Eax, 5, State::Avx512},
    {"sse4a", 0x80000001, 0, Ecx, 6, State::None},
    {"lzcnt", 0x80000001, 0, Ecx, 5, State::None},
};

/// XCR0: which register states the operating system saves. Zero where it saves none beyond SSE.
uint64_t savedStates() {
  if (!bit(cpuid(1)[Ecx], 27))
    return 0;
  uint32_t low = 0, high = 0;
  __asm__("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
  return uint64_t(high) << 32 | low;
}

bool isSaved(State state, uint64_t saved) {
  constexpr uint64_t avx = 0x6, avx512 = 0xe6;
  const uint64_t needed = state == State::None ? 0 : state == State::Avx ? avx : avx512;
  return (saved & needed) == needed;
}

std::vector<std::string> readFeatures() {
  std::vector<std::string> features;
  const uint64_t saved = savedStates();
  for (const FeatureBit& feature : featureBits)
    if (bit(cpuid(feature.leaf, feature.subleaf)[feature.reg], feature.index) &&
        isSaved(feature.state, saved))
      features.emplace_back(feature.name);
  std::sort(features.begin(), features.end());
  return features;
}

std::string readVendorId() {
  const Leaf leaf = cpuid(0);
  char text[13] = {};
  std::memcpy(text, &leaf[Ebx], 4);
  std::memcpy(text + 4, &leaf[Edx], 4);
  std::memcpy(text + 8, &leaf[Ecx], 4);
  return text;
}

std::string readBrand() {
  if (cpuid(0x80000000)[Eax] < 0x80000004)
    return "x86-64 processor";
  std::string brand;
  for (uint32_t leaf = 0x80000002; leaf <= 0x80000004; ++leaf) {
    const Leaf part = cpuid(leaf);
    brand.append(reinterpret_cast<const char*>(part.data()), sizeof(part));
  }
  brand.resize(std::strlen(brand.c_str()));
  const size_t first = brand.find_first_not_of(' ');
  return first == std::string::npos ? "x86-64 processor"
                                    : brand.substr(first, brand.find_last_not_of(' ') - first + 1);
}

uint32_t readClockMHz() {
  // The highest frequency where the kernel knows it, the processor's own word otherwise, what it
  // runs at now at last.
  if (std::ifstream file("/sys/devices/system/cpu/cpu0/cpufreq/cpuinfo_max_freq"); file) {
    uint32_t kHz = 0;
    if (file >> kHz && kHz > 0)
      return kHz / 1000;
  }
  if (cpuid(0)[Eax] >= 0x16)
    if (const uint32_t maxMHz = cpuid(0x16)[Ebx] & 0xffff; maxMHz > 0)
      return maxMHz;
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);)
    if (line.rfind("cpu MHz", 0) == 0)
      if (const size_t colon = line.find(':'); colon != std::string::npos)
        return static_cast<uint32_t>(std::strtod(line.c_str() + colon + 1, nullptr));
  return 0;
}

void readSignature(Processor& processor) {
  const uint32_t eax = cpuid(1)[Eax];
  processor.stepping = eax & 0xf;
  processor.model = eax >> 4 & 0xf;
  processor.family = eax >> 8 & 0xf;
  if (processor.family == 0xf || processor.family == 6)
    processor.model |= (eax >> 16 & 0xf) << 4;
  if (processor.family == 0xf)
    processor.family += eax >> 20 & 0xff;
}

Isa highestIsa(const Processor& processor) {
  const auto hasAll = [&](std::initializer_list<const char*> features) {
    return std::all_of(features.begin(), features.end(),
                       [&](const char* feature) { return processor.has(feature); });
  };
  if (!hasAll({"avx2", "bmi", "bmi2", "f16c", "fma", "lzcnt", "movbe"}))
    return Isa::Sse42;
  return hasAll({"avx512f", "avx512bw", "avx512cd", "avx512dq", "avx512vl"}) ? Isa::Avx512
                                                                             : Isa::Avx2;
}

bool hasSteadyClock() {
  constexpr uint32_t highestExtended = 0x80000000, powerManagement = 0x80000007;
  constexpr unsigned invariantTsc = 8;
  return cpuid(highestExtended)[Eax] >= powerManagement &&
         bit(cpuid(powerManagement)[Edx], invariantTsc);
}

} // namespace

bool Processor::has(const char* feature) const {
  return std::binary_search(features.begin(), features.end(), feature);
}

Processor readProcessor() {
  Processor processor;
  processor.vendorId = readVendorId();
  processor.vendor = processor.vendorId;
  if (processor.vendorId == "AuthenticAMD") {
    processor.vendor = "AMD";
    processor.pciVendor = 0x1022;
  } else if (processor.vendorId == "GenuineIntel") {
    processor.vendor = "Intel";
    processor.pciVendor = 0x8086;
  }
  processor.name = readBrand();
  readSignature(processor);
  processor.clockMHz = readClockMHz();
  processor.features = readFeatures();
  processor.isa = highestIsa(processor);
  processor.fma = processor.has("fma");
  processor.steadyClock = hasSteadyClock();
  return processor;
}

} // namespace quern::cpu
