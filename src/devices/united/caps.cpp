#include "devices/united/caps.h"

#include <algorithm>

#include "base/sentence.h"

namespace quern::united {

namespace {

using device::Caps;

/// What needs memory that the program and kernels share.
constexpr std::string_view missingFeatures[] = {"__opencl_c_device_enqueue",
                                                "__opencl_c_atomic_scope_all_devices"};

template <typename T> void keepCommon(std::vector<T>& all, const std::vector<T>& own) {
  std::erase_if(all, [&](const T& one) { return std::ranges::find(own, one) == own.end(); });
}

void keepCommonImages(Caps& caps, const Caps& own) {
  caps.images &= own.images;
  std::erase_if(caps.imageFormats, [&](device::ImageFormat& format) {
    const auto same = std::ranges::find_if(own.imageFormats, [&](const auto& other) {
      return other.format.image_channel_order == format.format.image_channel_order &&
             other.format.image_channel_data_type == format.format.image_channel_data_type;
    });
    if (same == own.imageFormats.end())
      return true;
    format.access &= same->access;
    format.only2D |= same->only2D;
    return false;
  });
}

void keepCommon(Caps& caps, const Caps& own) {
  const auto least = [&](auto Caps::* field) { caps.*field = std::min(caps.*field, own.*field); };
  caps.type |= own.type;
  caps.computeUnits += own.computeUnits;
  least(&Caps::globalMemBytes);
  least(&Caps::maxAllocBytes);
  least(&Caps::globalCacheBytes);
  least(&Caps::localMemBytes);
  least(&Caps::maxConstantBufferBytes);
  least(&Caps::maxArgumentBytes);
  least(&Caps::maxWorkGroupSize);
  least(&Caps::maxSubGroups);
  least(&Caps::printfBufferBytes);
  least(&Caps::maxGlobalVariableBytes);
  caps.preferredWorkGroupMultiple =
      std::max(caps.preferredWorkGroupMultiple, own.preferredWorkGroupMultiple);
  caps.baseAddressAlignBits = std::max(caps.baseAddressAlignBits, own.baseAddressAlignBits);
  caps.profilingResolutionNs = std::max(caps.profilingResolutionNs, own.profilingResolutionNs);
  for (size_t i = 0; i < caps.maxWorkItemSizes.size(); ++i)
    caps.maxWorkItemSizes[i] = std::min(caps.maxWorkItemSizes[i], own.maxWorkItemSizes[i]);
  caps.nonUniformWorkGroups &= own.nonUniformWorkGroups;
  caps.workGroupCollectives &= own.workGroupCollectives;
  caps.genericAddressSpace &= own.genericAddressSpace;
  caps.singleFp &= own.singleFp;
  caps.doubleFp &= own.doubleFp;
  caps.halfFp &= own.halfFp;
  caps.atomicMemory &= own.atomicMemory;
  caps.atomicFence &= own.atomicFence;
  keepCommon(caps.target.features, own.target.features);
  keepCommonImages(caps, own);
}

void leaveOutSharedMemory(Caps& caps) {
  caps.hostUnifiedMemory = false;
  caps.svm = 0;
  caps.nativeKernels = false;
  caps.bufferAddresses = false;
  caps.enqueueLimits = {};
  caps.maxSubDevices = 0;
  caps.affinityDomains = 0;
  caps.atomicMemory &= ~cl_device_atomic_capabilities{CL_DEVICE_ATOMIC_SCOPE_ALL_DEVICES};
  caps.atomicFence &= ~cl_device_atomic_capabilities{CL_DEVICE_ATOMIC_SCOPE_ALL_DEVICES};
  std::erase_if(caps.target.features, [](const std::string& feature) {
    return std::ranges::count(missingFeatures, feature) != 0;
  });
}

} // namespace

Caps makeCaps(std::span<const Ref<device::Device>> members) {
  Caps caps = members.front()->caps();
  std::string names = caps.name;
  uint64_t inHostMemory = caps.hostUnifiedMemory;
  for (const Ref<device::Device>& member : members.subspan(1)) {
    keepCommon(caps, member->caps());
    if (names.find(member->caps().name) == names.npos)
      names += sentence(" + ", member->caps().name);
    inHostMemory += member->caps().hostUnifiedMemory;
  }
  // Their copies are in the same memory.
  if (inHostMemory > 1) {
    caps.globalMemBytes /= inHostMemory;
    caps.maxAllocBytes = std::min(caps.maxAllocBytes, caps.globalMemBytes);
    caps.maxConstantBufferBytes = std::min(caps.maxConstantBufferBytes, caps.maxAllocBytes);
  }
  leaveOutSharedMemory(caps);
  caps.name = sentence(members.size(), " united: ", names);
  caps.uuid.front() ^= static_cast<uint8_t>(members.size());
  caps.target.description += ";footprints";
  return caps;
}

} // namespace quern::united
