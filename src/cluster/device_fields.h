#pragma once

#include "abi/program_image_fields.h"
#include "base/fields.h"
#include "device/device.h"

/// The fields of what the device interface speaks of, for base/fields.h.
namespace quern::device {

template <typename Archive, MaybeConst<VectorWidths> T> void fields(Archive& archive, T& v) {
  archive(v.charWidth, v.shortWidth, v.intWidth, v.longWidth, v.floatWidth, v.doubleWidth,
          v.halfWidth);
}

template <typename Archive, MaybeConst<ImageFormat> T> void fields(Archive& archive, T& v) {
  archive(v.format.image_channel_order, v.format.image_channel_data_type, v.access, v.only2D);
}

template <typename Archive, MaybeConst<ImageLimits> T> void fields(Archive& archive, T& v) {
  archive(v.max2D, v.max3D, v.maxBufferElements, v.maxLayers, v.maxReadArguments,
          v.maxWriteArguments, v.maxReadWriteArguments, v.maxSamplers, v.pitchAlignment,
          v.baseAddressAlignment, v.rowUnit);
}

template <typename Archive, MaybeConst<PipeLimits> T> void fields(Archive& archive, T& v) {
  archive(v.maxArguments, v.maxReservations, v.maxPacketBytes);
}

template <typename Archive, MaybeConst<QueryExtension> T> void fields(Archive& archive, T& v) {
  archive(v.name, v.values);
}

/// But for what no device of another process can have (devices/remote/remote_device.cpp).
template <typename Archive, MaybeConst<Caps> T> void fields(Archive& archive, T& v) {
  archive(v.type, v.name, v.vendor, v.vendorId, v.driverVersion, v.uuid, v.computeUnits, v.clockMHz,
          v.addressBits, v.profilingResolutionNs, v.errorCorrection, v.globalMemBytes,
          v.maxAllocBytes, v.globalCacheBytes, v.cacheLineBytes, v.localMemBytes, v.localMemType,
          v.maxConstantBufferBytes, v.maxConstantArguments, v.maxArgumentBytes,
          v.baseAddressAlignBits, v.maxGlobalVariableBytes, v.preferredGlobalVariableBytes,
          v.printfBufferBytes, v.maxWorkItemSizes, v.maxWorkGroupSize, v.preferredWorkGroupMultiple,
          v.nonUniformWorkGroups, v.workGroupCollectives, v.maxSubGroups, v.preferredWidths,
          v.nativeWidths, v.singleFp, v.doubleFp, v.halfFp, v.atomicMemory, v.atomicFence, v.svm,
          v.genericAddressSpace, v.images, v.imageLimits, v.imageFormats, v.pipeLimits,
          v.maxSubDevices, v.affinityDomains, v.queryExtensions, v.target.description,
          v.target.features);
}

template <typename Archive, MaybeConst<GroupRange> T> void fields(Archive& archive, T& v) {
  archive(v.begin, v.end);
}

template <typename Archive, MaybeConst<NdRange> T> void fields(Archive& archive, T& v) {
  archive(v.workDim, v.offset, v.global, v.local);
}

template <typename Archive, MaybeConst<KernelLimits> T> void fields(Archive& archive, T& v) {
  archive(v.maxWorkGroupSize, v.preferredWorkGroupMultiple, v.localBytes, v.privateBytes);
}

template <typename Archive, MaybeConst<PartitionRequest> T> void fields(Archive& archive, T& v) {
  archive(v.kind, v.unitsEach, v.counts, v.domain);
}

template <typename Archive, MaybeConst<ImageDescription> T> void fields(Archive& archive, T& v) {
  bool isAnnounced = v.announced.has_value();
  cl_image_format announced = v.announced.value_or(cl_image_format{});
  archive(v.type, v.format.image_channel_order, v.format.image_channel_data_type, isAnnounced,
          announced.image_channel_order, announced.image_channel_data_type, v.size, v.rowStride,
          v.sliceStride);
  if constexpr (!std::is_const_v<T>)
    v.announced = isAnnounced ? std::optional(announced) : std::nullopt;
}

} // namespace quern::device
