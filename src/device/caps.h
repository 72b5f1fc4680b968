#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <CL/cl.h>
#include <CL/cl_ext.h>

#include "base/bytes.h"
#include "compiler/interface/target.h"

namespace quern::device {

/// Preferred or native vector widths, in elements. Zero where the type is not supported.
struct VectorWidths {
  cl_uint charWidth = 1, shortWidth = 1, intWidth = 1, longWidth = 1, floatWidth = 1,
          doubleWidth = 1, halfWidth = 0;
};

/// A format that images can have, and what kernels can do with them.
struct ImageFormat {
  cl_image_format format = {};
  /// CL_MEM_READ_ONLY, CL_MEM_WRITE_ONLY, CL_MEM_READ_WRITE, CL_MEM_KERNEL_READ_AND_WRITE: those
  /// that clGetSupportedImageFormats lists the format for.
  cl_mem_flags access = 0;
  bool only2D = false; ///< 2D images and their arrays
};

/// Sizes in elements. Alignments in elements, too; 0 where images cannot be made of buffers.
struct ImageLimits {
  std::array<size_t, 2> max2D = {0, 0};
  std::array<size_t, 3> max3D = {0, 0, 0};
  size_t maxBufferElements = 0;
  size_t maxLayers = 0;
  cl_uint maxReadArguments = 0, maxWriteArguments = 0, maxReadWriteArguments = 0;
  cl_uint maxSamplers = 0;
  cl_uint pitchAlignment = 0, baseAddressAlignment = 0;
  /// Bytes of which the rows of 2D images should be multiples, where the driver places them.
  size_t rowUnit = 1;
};

/// All zero where kernels cannot use pipes.
struct PipeLimits {
  cl_uint maxArguments = 0;    ///< of one kernel
  cl_uint maxReservations = 0; ///< not committed, of one work-item or work-group, in one pipe
  cl_uint maxPacketBytes = 0;
};

/// What devices have that use the built-in library's functions on pipes (abi/pipe.h), which count
/// no reservations and have no limit of their own.
inline constexpr PipeLimits libraryPipeLimits = {
    .maxArguments = 64, .maxReservations = 1 << 16, .maxPacketBytes = 4096};

/// All zero where kernels cannot enqueue others.
struct EnqueueLimits {
  cl_uint preferredQueueBytes = 0, maxQueueBytes = 0;
  cl_uint maxQueues = 0; ///< of one context, beside the default queue
  cl_uint maxEvents = 0; ///< that one launch can make, where its queue has room for what makes them
};

/// An extension that is nothing but questions about the device: for each its value, as
/// clGetDeviceInfo gives it.
struct QueryExtension {
  std::string name;
  std::vector<std::pair<cl_device_info, Bytes>> values;
};

/// What a device is and can do: data, filled once and never changed. Every device query is answered
/// from here, so a field that is not true is a bug. Sizes are in bytes.
struct Caps {
  cl_device_type type = CL_DEVICE_TYPE_CPU;
  std::string name;
  std::string vendor;
  cl_uint vendorId = 0;
  std::string driverVersion;
  std::array<uint8_t, CL_UUID_SIZE_KHR> uuid = {};

  cl_uint computeUnits = 1;
  cl_uint clockMHz = 0;
  cl_uint addressBits = 64;
  uint64_t profilingResolutionNs = 1;
  bool errorCorrection = false;

  uint64_t globalMemBytes = 0;
  uint64_t maxAllocBytes = 0;
  uint64_t globalCacheBytes = 0;
  cl_uint cacheLineBytes = 64;
  uint64_t localMemBytes = 0;
  cl_device_local_mem_type localMemType = CL_GLOBAL;
  uint64_t maxConstantBufferBytes = 0;
  cl_uint maxConstantArguments = 0;
  uint64_t maxArgumentBytes = 0;
  cl_uint baseAddressAlignBits = 1024;
  uint64_t maxGlobalVariableBytes = 0;
  uint64_t preferredGlobalVariableBytes = 0;
  uint64_t printfBufferBytes = 0;
  /// Buffers live in the host's memory and kernels read it where it is.
  bool hostUnifiedMemory = false;

  std::array<size_t, 3> maxWorkItemSizes = {1, 1, 1};
  size_t maxWorkGroupSize = 1;
  size_t preferredWorkGroupMultiple = 1;
  bool nonUniformWorkGroups = false;
  bool workGroupCollectives = false;
  cl_uint maxSubGroups = 0;

  VectorWidths preferredWidths;
  VectorWidths nativeWidths;
  cl_device_fp_config singleFp = 0;
  cl_device_fp_config doubleFp = 0; ///< 0: no double
  cl_device_fp_config halfFp = 0;   ///< 0: no half
  cl_device_atomic_capabilities atomicMemory = 0;
  cl_device_atomic_capabilities atomicFence = 0;
  /// Without CL_DEVICE_SVM_FINE_GRAIN_BUFFER the device does not work in the host's memory, but in
  /// memory of its own at the same addresses (`hasOwnSvm`).
  cl_device_svm_capabilities svm = 0;
  bool genericAddressSpace = false;
  bool images = false; ///< the rest about images says nothing when false
  ImageLimits imageLimits;
  std::vector<ImageFormat> imageFormats;
  PipeLimits pipeLimits;
  EnqueueLimits enqueueLimits;
  bool nativeKernels = false;
  /// Kernels may follow addresses of buffers that they find in memory.
  bool bufferAddresses = true;

  cl_uint maxSubDevices = 0;
  cl_device_affinity_domain affinityDomains = 0;

  std::vector<QueryExtension> queryExtensions;
  /// What kernels are compiled for; an empty description means that the device cannot compile. Its
  /// features are the extensions that the device brings beside `queryExtensions`.
  compiler::Target target;

  bool hasOwnSvm() const { return svm != 0 && !(svm & CL_DEVICE_SVM_FINE_GRAIN_BUFFER); }
};

} // namespace quern::device
