#include <algorithm>
#include <optional>

#include "base/log.h"
#include "device/language_features.h"
#include "devices/cpu/caps.h"

namespace quern::cpu {

namespace {

struct IsaRow {
  std::string_view option;
  Isa isa;
  std::string_view cpu; ///< the level of the x86-64 ABI, as LLVM names it
};

constexpr IsaRow isas[] = {
    {"sse42", Isa::Sse42, "x86-64-v2"},
    {"avx2", Isa::Avx2, "x86-64-v3"},
    {"avx512", Isa::Avx512, "x86-64-v4"},
};

/// The row of an explicit choice that the machine can run; empty for "native".
std::optional<IsaRow> chosenIsa(const Processor& processor, std::string_view option) {
  if (option == "native" || option.empty())
    return std::nullopt;
  for (const IsaRow& row : isas) {
    if (row.option != option)
      continue;
    if (row.isa <= processor.isa)
      return row;
    log::error("QUERN_CPU_ISA is '" + std::string(option) +
               "', which this machine does not have: kernels are compiled for the machine itself");
    return std::nullopt;
  }
  log::error("QUERN_CPU_ISA is '" + std::string(option) +
             "', which is none of native, avx512, avx2 and sse42: it is ignored");
  return std::nullopt;
}

bool isPacketChoice(std::string_view option) {
  static constexpr std::string_view choices[] = {"auto", "off", "all", "2", "4",
                                                 "8",    "16",  "32",  "64"};
  if (std::ranges::find(choices, option) != std::end(choices))
    return true;
  log::error("QUERN_CPU_PACKETS is '" + std::string(option) +
             "', which is none of auto, off, all, 2, 4, 8, 16, 32 and 64: it is ignored");
  return false;
}

} // namespace

Isa targetIsa(const Processor& processor, std::string_view option) {
  if (option == "sse42")
    return Isa::Sse42;
  if (option == "avx2")
    return std::min(processor.isa, Isa::Avx2);
  return processor.isa;
}

uint32_t registerBits(Isa isa) {
  switch (isa) {
  case Isa::Sse42:
    return 128;
  case Isa::Avx2:
    return 256;
  case Isa::Avx512:
    break;
  }
  return 512;
}

uint32_t subGroupSize(Isa isa) {
  return registerBits(isa) / 32;
}

compiler::Target makeTarget(const Processor& processor, std::string_view isa,
                            std::string_view packets) {
  compiler::Target target;
  if (const std::optional<IsaRow> row = chosenIsa(processor, isa)) {
    target.description = "x86_64;cpu=" + std::string(row->cpu) + ";features=";
  } else {
    // The model is named so that code made on one machine is not taken for code for another.
    target.description = "x86_64;cpu=native;model=" + processor.vendorId + "-" +
                         std::to_string(processor.family) + "-" + std::to_string(processor.model) +
                         "-" + std::to_string(processor.stepping) + ";features=";
    for (const std::string& feature : processor.features)
      target.description += (&feature == &processor.features.front() ? "+" : ",+") + feature;
  }
  target.description += ";sub-group=" + std::to_string(subGroupSize(targetIsa(processor, isa)));
  if (packets != "auto" && isPacketChoice(packets))
    target.description += ";packets=" + std::string(packets);
  target.features.assign(std::begin(device::languageFeatures), std::end(device::languageFeatures));
  target.features.push_back("__opencl_c_atomic_scope_all_devices");
  if (processor.steadyClock)
    for (const char* feature :
         {"cl_khr_kernel_clock", "__opencl_c_kernel_clock_scope_device",
          "__opencl_c_kernel_clock_scope_work_group", "__opencl_c_kernel_clock_scope_sub_group"})
      target.features.push_back(feature);
  return target;
}

} // namespace quern::cpu
