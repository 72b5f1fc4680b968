#include "devices/cuda/caps.h"

#include <algorithm>
#include <array>

#include "abi/nvptx_kernel.h"
#include "base/sentence.h"
#include "device/language_features.h"
#include "device/linear_image.h"
#include "device/sub_group_sizes.h"
#include "devices/cuda/local_size.h"
#include "devices/cuda/print_buffer.h"

namespace quern::cuda {

namespace {

constexpr cl_uint pciVendor = 0x10de;
constexpr cl_device_fp_config fullPrecision = CL_FP_DENORM | CL_FP_INF_NAN |
                                              CL_FP_ROUND_TO_NEAREST | CL_FP_ROUND_TO_ZERO |
                                              CL_FP_ROUND_TO_INF | CL_FP_FMA;
constexpr cl_device_atomic_capabilities atomics =
    CL_DEVICE_ATOMIC_ORDER_RELAXED | CL_DEVICE_ATOMIC_ORDER_ACQ_REL |
    CL_DEVICE_ATOMIC_ORDER_SEQ_CST | CL_DEVICE_ATOMIC_SCOPE_WORK_GROUP |
    CL_DEVICE_ATOMIC_SCOPE_DEVICE;
/// Bytes of parameters of a kernel, the launch description included.
constexpr uint64_t maxParameterBytes = 4096;
constexpr uint64_t maxGlobalVariableBytes = 64 << 20;
/// Constant memory is global memory; programs index it with 32 bits.
constexpr uint64_t maxConstantBufferBytes = 1 << 30;
/// Of every allocation.
constexpr cl_uint allocationAlignment = 256;
constexpr uint64_t eventResolutionNs = 1000;
/// Queries of cl_nv_device_attribute_query that the headers lack.
constexpr cl_device_info attributeAsyncEngineCount = 0x4007, attributePciBusId = 0x4008,
                         attributePciSlotId = 0x4009, attributePciDomainId = 0x400A;

/// The architectures that the compiler knows and the oldest version of PTX that has each.
struct Architecture {
  int capability;
  const char* ptx;
};
constexpr Architecture architectures[] = {{70, "63"},  {72, "63"},  {75, "63"},  {80, "70"},
                                          {86, "71"},  {87, "74"},  {89, "78"},  {90, "78"},
                                          {100, "86"}, {103, "88"}, {120, "87"}, {121, "88"}};

/// The newest architecture that the GPU's code is compatible with, or null for GPUs that are too
/// old.
const Architecture* architectureOf(int capability) {
  const auto after =
      std::ranges::upper_bound(architectures, capability, {}, &Architecture::capability);
  return after == std::begin(architectures) ? nullptr : after - 1;
}

/// Managed memory, whose pages go to who accesses them, may be used by the host and the GPU at
/// once.
bool hasManagedAtomics(const Gpu& gpu) {
  return gpu.attribute(DeviceAttribute::ConcurrentManagedAccess) != 0;
}

compiler::Target makeTarget(const Gpu& gpu) {
  compiler::Target target;
  const Architecture* architecture =
      architectureOf(gpu.attribute(DeviceAttribute::ComputeCapabilityMajor) * 10 +
                     gpu.attribute(DeviceAttribute::ComputeCapabilityMinor));
  if (!architecture)
    return target;
  target.description = sentence("nvptx64;cpu=sm_", architecture->capability, ";features=+ptx",
                                architecture->ptx, ";sub-group=", warpItems);
  target.features.assign(std::begin(device::languageFeatures), std::end(device::languageFeatures));
  // Of the sub-groups of a work-group none keeps another, which is a warp of its own, from running.
  for (const char* feature :
       {"cl_khr_subgroups", "cl_khr_kernel_clock", "__opencl_c_kernel_clock_scope_device",
        "__opencl_c_kernel_clock_scope_work_group", "__opencl_c_kernel_clock_scope_sub_group"})
    target.features.push_back(feature);
  if (hasManagedAtomics(gpu))
    target.features.push_back("__opencl_c_atomic_scope_all_devices");
  return target;
}

std::string nameOf(const Gpu& gpu) {
  std::array<char, 256> name = {};
  gpu.api.deviceGetName(name.data(), static_cast<int>(name.size()) - 1, gpu.number);
  return name.data();
}

std::string versionOf(const Gpu& gpu) {
  int version = 0;
  gpu.api.driverGetVersion(&version);
  return sentence(QUERN_VERSION " CUDA ", version / 1000, ".", version % 1000 / 10);
}

void describeMemory(const Gpu& gpu, device::Caps& caps) {
  size_t bytes = 0;
  gpu.api.deviceTotalMem(&bytes, gpu.number);
  caps.globalMemBytes = bytes;
  caps.maxAllocBytes = bytes / 2;
  caps.globalCacheBytes = static_cast<uint64_t>(gpu.attribute(DeviceAttribute::L2CacheSize));
  caps.cacheLineBytes = 128;
  caps.localMemBytes = gpu.localMemBytes;
  caps.localMemType = CL_LOCAL;
  caps.maxConstantBufferBytes = std::min(caps.maxAllocBytes, maxConstantBufferBytes);
  caps.maxArgumentBytes = maxParameterBytes - sizeof(abi::NvptxLaunch);
  caps.maxConstantArguments = static_cast<cl_uint>(caps.maxArgumentBytes / sizeof(uint64_t));
  caps.baseAddressAlignBits = allocationAlignment * 8;
  caps.maxGlobalVariableBytes = maxGlobalVariableBytes;
  caps.preferredGlobalVariableBytes = maxGlobalVariableBytes;
  caps.printfBufferBytes = printCapacity;
  caps.errorCorrection = gpu.attribute(DeviceAttribute::EccEnabled) != 0;
}

void describeExecution(const Gpu& gpu, device::Caps& caps) {
  const auto size = [&](DeviceAttribute attribute) {
    return static_cast<size_t>(gpu.attribute(attribute));
  };
  caps.computeUnits = static_cast<cl_uint>(gpu.attribute(DeviceAttribute::MultiprocessorCount));
  caps.clockMHz = static_cast<cl_uint>(gpu.attribute(DeviceAttribute::ClockRate) / 1000);
  caps.profilingResolutionNs = eventResolutionNs;
  caps.maxWorkGroupSize = size(DeviceAttribute::MaxThreadsPerBlock);
  caps.maxWorkItemSizes = {size(DeviceAttribute::MaxBlockDimX), size(DeviceAttribute::MaxBlockDimY),
                           size(DeviceAttribute::MaxBlockDimZ)};
  caps.preferredWorkGroupMultiple = warpItems;
  caps.nonUniformWorkGroups = true;
  caps.workGroupCollectives = true;
  caps.pipeLimits = device::libraryPipeLimits;
  caps.enqueueLimits = {.preferredQueueBytes = 1 << 22,
                        .maxQueueBytes = 1 << 24,
                        .maxQueues = 256,
                        .maxEvents = 1 << 16};
  caps.maxSubGroups = static_cast<cl_uint>(caps.maxWorkGroupSize / warpItems);
  caps.preferredWidths = {.halfWidth = 1};
  caps.nativeWidths = {.halfWidth = 1};
  caps.singleFp = fullPrecision | CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT;
  caps.doubleFp = fullPrecision;
  caps.halfFp = CL_FP_DENORM | CL_FP_INF_NAN | CL_FP_ROUND_TO_NEAREST | CL_FP_FMA;
  caps.atomicMemory = atomics;
  caps.atomicFence = atomics | CL_DEVICE_ATOMIC_SCOPE_WORK_ITEM;
  caps.genericAddressSpace = true;
  // Pinned memory of the host, which the GPU reads and writes where it is.
  caps.svm = CL_DEVICE_SVM_COARSE_GRAIN_BUFFER | CL_DEVICE_SVM_FINE_GRAIN_BUFFER;
  if (hasManagedAtomics(gpu)) {
    caps.svm |= CL_DEVICE_SVM_ATOMICS;
    caps.atomicMemory |= CL_DEVICE_ATOMIC_SCOPE_ALL_DEVICES;
    caps.atomicFence |= CL_DEVICE_ATOMIC_SCOPE_ALL_DEVICES;
  }
}

template <typename T> std::pair<cl_device_info, Bytes> valueOf(cl_device_info query, T value) {
  const auto* bytes = reinterpret_cast<const std::byte*>(&value);
  return {query, Bytes(bytes, bytes + sizeof(value))};
}

void describeHardware(const Gpu& gpu, device::Caps& caps) {
  const auto number = [&](DeviceAttribute attribute) {
    return static_cast<cl_uint>(gpu.attribute(attribute));
  };
  const auto truth = [&](DeviceAttribute attribute) -> cl_bool {
    return gpu.attribute(attribute) != 0 ? CL_TRUE : CL_FALSE;
  };
  caps.queryExtensions.push_back(
      {"cl_nv_device_attribute_query",
       {valueOf(CL_DEVICE_COMPUTE_CAPABILITY_MAJOR_NV,
                number(DeviceAttribute::ComputeCapabilityMajor)),
        valueOf(CL_DEVICE_COMPUTE_CAPABILITY_MINOR_NV,
                number(DeviceAttribute::ComputeCapabilityMinor)),
        valueOf(CL_DEVICE_REGISTERS_PER_BLOCK_NV, number(DeviceAttribute::MaxRegistersPerBlock)),
        valueOf(CL_DEVICE_WARP_SIZE_NV, number(DeviceAttribute::WarpSize)),
        valueOf(CL_DEVICE_GPU_OVERLAP_NV, truth(DeviceAttribute::GpuOverlap)),
        valueOf(CL_DEVICE_KERNEL_EXEC_TIMEOUT_NV, truth(DeviceAttribute::KernelExecTimeout)),
        valueOf(CL_DEVICE_INTEGRATED_MEMORY_NV, truth(DeviceAttribute::Integrated)),
        valueOf(attributeAsyncEngineCount, number(DeviceAttribute::AsyncEngineCount)),
        valueOf(attributePciBusId, number(DeviceAttribute::PciBusId)),
        valueOf(attributePciSlotId, number(DeviceAttribute::PciDeviceId)),
        valueOf(attributePciDomainId, number(DeviceAttribute::PciDomainId))}});
  const cl_device_pci_bus_info_khr place = {
      .pci_domain = number(DeviceAttribute::PciDomainId),
      .pci_bus = number(DeviceAttribute::PciBusId),
      .pci_device = number(DeviceAttribute::PciDeviceId),
      .pci_function = 0, // a GPU is the first function of its board
  };
  constexpr std::array<uint32_t, 1> subGroupSizes = {warpItems};
  caps.queryExtensions.push_back(device::subGroupSizes(subGroupSizes));
  caps.queryExtensions.push_back(
      {"cl_khr_pci_bus_info", {valueOf(CL_DEVICE_PCI_BUS_INFO_KHR, place)}});
}

} // namespace

device::Caps makeCaps(const Gpu& gpu) {
  device::Caps caps;
  caps.type = CL_DEVICE_TYPE_GPU;
  caps.name = nameOf(gpu);
  caps.vendor = "NVIDIA Corporation";
  caps.vendorId = pciVendor;
  caps.driverVersion = versionOf(gpu);
  Uuid uuid = {};
  gpu.api.deviceGetUuid(&uuid, gpu.number);
  std::copy(std::begin(uuid.bytes), std::end(uuid.bytes), caps.uuid.begin());
  describeMemory(gpu, caps);
  describeExecution(gpu, caps);
  describeHardware(gpu, caps);
  device::describeLinearImages(caps);
  if (const int unit = gpu.attribute(DeviceAttribute::TexturePitchAlignment); unit > 0)
    caps.imageLimits.rowUnit = static_cast<size_t>(unit);
  caps.target = makeTarget(gpu);
  return caps;
}

} // namespace quern::cuda
