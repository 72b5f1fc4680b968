#include "devices/cpu/caps.h"

#include <algorithm>
#include <set>

#include "abi/sub_group_sizes.h"
#include "base/config.h"
#include "base/log.h"
#include "device/linear_image.h"
#include "device/sub_group_sizes.h"
#include "devices/cpu/checks/configured_checks.h"

namespace quern::cpu {

namespace {

constexpr cl_device_fp_config fullPrecision = CL_FP_DENORM | CL_FP_INF_NAN |
                                              CL_FP_ROUND_TO_NEAREST | CL_FP_ROUND_TO_ZERO |
                                              CL_FP_ROUND_TO_INF | CL_FP_FMA;

constexpr cl_device_atomic_capabilities allOrdersAndScopes =
    CL_DEVICE_ATOMIC_ORDER_RELAXED | CL_DEVICE_ATOMIC_ORDER_ACQ_REL |
    CL_DEVICE_ATOMIC_ORDER_SEQ_CST | CL_DEVICE_ATOMIC_SCOPE_WORK_ITEM |
    CL_DEVICE_ATOMIC_SCOPE_WORK_GROUP | CL_DEVICE_ATOMIC_SCOPE_DEVICE |
    CL_DEVICE_ATOMIC_SCOPE_ALL_DEVICES;

/// Program-scope variables are part of the loaded code, which must stay within reach of 32-bit
/// displacements.
constexpr uint64_t maxGlobalVariableBytes = 64 << 20;
constexpr uint64_t maxArgumentBytes = 4096;
constexpr uint64_t printfBufferBytes = 1 << 20;

/// How many elements of each type a register of `bits` holds.
device::VectorWidths widthsFor(uint32_t bits) {
  return {.charWidth = bits / 8,
          .shortWidth = bits / 16,
          .intWidth = bits / 32,
          .longWidth = bits / 64,
          .floatWidth = bits / 32,
          .doubleWidth = bits / 64,
          .halfWidth = bits / 16};
}

/// Identifies the processor, not the machine: the same in every process, another when the code made
/// for it would be another.
std::array<uint8_t, CL_UUID_SIZE_KHR> makeUuid(const device::Caps& caps) {
  std::array<uint8_t, CL_UUID_SIZE_KHR> uuid;
  const std::string identity = caps.name + '\n' + caps.target.description;
  // Two FNV-1a hashes with different starts.
  for (size_t half = 0; half < 2; ++half) {
    uint64_t hash = 0xcbf29ce484222325 + half * 0x9e3779b97f4a7c15;
    for (char c : identity)
      hash = (hash ^ static_cast<uint8_t>(c)) * 0x100000001b3;
    std::copy_n(reinterpret_cast<const uint8_t*>(&hash), 8, uuid.begin() + half * 8);
  }
  uuid[6] = (uuid[6] & 0x0f) | 0x80; // RFC 9562, version 8: made in the maker's own way
  uuid[8] = (uuid[8] & 0x3f) | 0x80;
  return uuid;
}

void describeMemory(const Machine& machine, device::Caps& caps) {
  const uint64_t memory = machine.memory.limit();
  caps.globalMemBytes = memory;
  caps.maxAllocBytes = memory;
  caps.globalCacheBytes = machine.topology.lastLevelCacheBytes;
  caps.cacheLineBytes = machine.topology.cacheLineBytes;
  caps.localMemBytes = machine.groupLimits.localBytes;
  caps.localMemType = CL_GLOBAL;
  caps.maxConstantBufferBytes = memory;
  caps.maxConstantArguments = maxArgumentBytes / sizeof(uint64_t);
  caps.maxArgumentBytes = maxArgumentBytes;
  caps.baseAddressAlignBits = allocationAlignment * 8;
  caps.maxGlobalVariableBytes = maxGlobalVariableBytes;
  caps.preferredGlobalVariableBytes = maxGlobalVariableBytes;
  caps.printfBufferBytes = printfBufferBytes;
  caps.hostUnifiedMemory = true;
}

void describeExecution(const Machine& machine, device::Caps& caps) {
  const size_t groupSize = machine.groupLimits.maxWorkGroupSize;
  caps.maxWorkItemSizes = {groupSize, groupSize, groupSize};
  caps.maxWorkGroupSize = groupSize;
  caps.nonUniformWorkGroups = true;
  caps.workGroupCollectives = true;
  caps.pipeLimits = device::libraryPipeLimits;
  caps.enqueueLimits = {.preferredQueueBytes = 1 << 22,
                        .maxQueueBytes = 1 << 24,
                        .maxQueues = 256,
                        .maxEvents = 1 << 16};
  caps.singleFp = fullPrecision | CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT;
  caps.doubleFp = fullPrecision;
  caps.halfFp = CL_FP_DENORM | CL_FP_INF_NAN | CL_FP_ROUND_TO_NEAREST | CL_FP_FMA;
  caps.atomicMemory = allOrdersAndScopes & ~CL_DEVICE_ATOMIC_SCOPE_WORK_ITEM;
  caps.atomicFence = allOrdersAndScopes;
  caps.genericAddressSpace = true;
  // Kernels run in the address space of the program: all of its memory is theirs too.
  caps.svm = CL_DEVICE_SVM_COARSE_GRAIN_BUFFER | CL_DEVICE_SVM_FINE_GRAIN_BUFFER |
             CL_DEVICE_SVM_FINE_GRAIN_SYSTEM | CL_DEVICE_SVM_ATOMICS;
  caps.nativeKernels = true;
}

/// `option` is QUERN_CPU_TYPE.
cl_device_type deviceType(const std::string& option) {
  if (option == "gpu")
    return CL_DEVICE_TYPE_GPU;
  if (option == "accelerator")
    return CL_DEVICE_TYPE_ACCELERATOR;
  if (option != "cpu")
    log::error("QUERN_CPU_TYPE is '" + option +
               "', which is none of cpu, gpu and accelerator: it is ignored");
  return CL_DEVICE_TYPE_CPU;
}

} // namespace

cl_device_affinity_domain affinityDomains(const Topology& topology,
                                          std::span<const uint32_t> units) {
  constexpr std::array<cl_device_affinity_domain, allDomains.size()> bits = {
      CL_DEVICE_AFFINITY_DOMAIN_NUMA, CL_DEVICE_AFFINITY_DOMAIN_L4_CACHE,
      CL_DEVICE_AFFINITY_DOMAIN_L3_CACHE, CL_DEVICE_AFFINITY_DOMAIN_L2_CACHE,
      CL_DEVICE_AFFINITY_DOMAIN_L1_CACHE};
  cl_device_affinity_domain domains = 0;
  for (size_t i = 0; i < allDomains.size(); ++i) {
    std::set<int32_t> groups;
    for (uint32_t unit : units)
      groups.insert(topology.units[unit].group[i]);
    if (groups.size() > 1 && !groups.contains(-1))
      domains |= bits[i] | CL_DEVICE_AFFINITY_DOMAIN_NEXT_PARTITIONABLE;
  }
  return domains;
}

device::Caps makeCaps(const Machine& machine) {
  const Processor& processor = machine.processor;
  const std::string& isaOption = config().get(Option::CpuIsa);
  device::Caps caps;
  caps.type = deviceType(config().get(Option::CpuType));
  caps.name = processor.name;
  caps.vendor = processor.vendor;
  caps.vendorId = processor.pciVendor;
  caps.driverVersion = QUERN_VERSION;
  caps.computeUnits = static_cast<cl_uint>(machine.topology.units.size());
  caps.clockMHz = processor.clockMHz;
  describeMemory(machine, caps);
  describeExecution(machine, caps);
  device::describeLinearImages(caps);

  const Isa isa = targetIsa(processor, isaOption);
  const uint32_t bits = registerBits(isa);
  caps.nativeWidths = widthsFor(bits);
  // Scalar kernels are what the compiler vectorises, so a program gains nothing from vector types.
  caps.preferredWidths = {.halfWidth = 1};
  caps.preferredWorkGroupMultiple = subGroupSize(isa);
  caps.maxSubGroups = static_cast<cl_uint>(caps.maxWorkGroupSize / abi::cpuSubGroupSizes.front());
  caps.queryExtensions.push_back(device::subGroupSizes(abi::cpuSubGroupSizes));

  caps.maxSubDevices = caps.computeUnits;
  std::vector<uint32_t> units(caps.computeUnits);
  for (uint32_t i = 0; i < caps.computeUnits; ++i)
    units[i] = i;
  caps.affinityDomains = affinityDomains(machine.topology, units);

  caps.target = makeTarget(processor, isaOption, config().get(Option::CpuPackets));
  if (const abi::CheckSet checks = configuredChecks(); checks.any())
    caps.target.description += ";checks=" + abi::textOf(checks, '+');
  if (config().get(Option::CpuInlining) == "least")
    caps.target.description += ";inlining=least";
  caps.uuid = makeUuid(caps);
  return caps;
}

} // namespace quern::cpu
