#pragma once

#include <cstddef>
#include <cstdint>

/// The part of the CUDA driver API that this backend uses, declared here so that no toolkit is
/// needed to build. Values and layouts are those of the driver's binary interface, which never
/// change.
namespace quern::cuda {

enum class Error : int {
  Success = 0,
  InvalidValue = 1,
  OutOfMemory = 2,
  NotInitialized = 3,
  Deinitialized = 4,
  NotReady = 600,
  LaunchOutOfResources = 701,
};

using DeviceNumber = int;
using Address = unsigned long long;
struct ContextObject;
struct ModuleObject;
struct FunctionObject;
struct StreamObject;
struct EventObject;
struct PoolObject;
struct GraphicsResource;
struct ExternalMemoryObject;
struct ExternalSemaphoreObject;
struct GraphObject;
struct GraphNodeObject;
struct GraphExecObject;
using ContextHandle = ContextObject*;
using ModuleHandle = ModuleObject*;
using FunctionHandle = FunctionObject*;
using StreamHandle = StreamObject*;
using EventHandle = EventObject*;
using PoolHandle = PoolObject*;
using ExternalMemoryHandle = ExternalMemoryObject*;
using ExternalSemaphoreHandle = ExternalSemaphoreObject*;
using GraphicsHandle = GraphicsResource*;
using GraphHandle = GraphObject*;
using GraphNodeHandle = GraphNodeObject*;
using GraphExecHandle = GraphExecObject*; ///< a graph that can be launched

struct Uuid {
  unsigned char bytes[16];
};

enum class DeviceAttribute : int {
  MaxThreadsPerBlock = 1,
  MaxBlockDimX = 2,
  MaxBlockDimY = 3,
  MaxBlockDimZ = 4,
  MaxSharedMemoryPerBlock = 8,
  WarpSize = 10,
  MaxRegistersPerBlock = 12,
  ClockRate = 13, ///< kHz
  TextureAlignment = 14,
  GpuOverlap = 15,
  MultiprocessorCount = 16,
  KernelExecTimeout = 17,
  Integrated = 18,
  EccEnabled = 32,
  PciBusId = 33,
  PciDeviceId = 34,
  MemoryClockRate = 36, ///< kHz
  L2CacheSize = 38,
  AsyncEngineCount = 40,
  UnifiedAddressing = 41,
  PciDomainId = 50,
  TexturePitchAlignment = 51,
  MaxLinearTextureWidth = 70,
  MaxLinearTextureHeight = 71,
  MaxLinearTexturePitch = 72, ///< bytes
  ComputeCapabilityMajor = 75,
  ComputeCapabilityMinor = 76,
  ConcurrentManagedAccess = 89,
  MaxSharedMemoryPerBlockOptin = 97,
};

enum class FunctionAttribute : int {
  MaxThreadsPerBlock = 0,
  SharedSizeBytes = 1,
  LocalSizeBytes = 3,
  MaxDynamicSharedSizeBytes = 8,
};

enum class JitOption : int {
  InfoLogBuffer = 3,
  InfoLogBufferSizeBytes = 4,
  ErrorLogBuffer = 5,
  ErrorLogBufferSizeBytes = 6,
};

enum class MemoryLocation : int { Device = 1, Host = 2 };

struct Location {
  MemoryLocation type;
  int id;
};

struct PoolProperties {
  int allocationType;
  int handleTypes;
  Location location;
  void* reserved0;
  size_t maxBytes;
  unsigned char reserved1[56];
};

struct MemoryAccess {
  Location location;
  int flags;
};

enum class PoolAttribute : int {
  ReleaseThreshold = 4,
  ReservedBytes = 5,
  UsedBytes = 7,
};

inline constexpr unsigned managedForAll = 1;
inline constexpr int allocationPinned = 1;
inline constexpr int memoryAccessReadWrite = 3;
inline constexpr unsigned eventDefault = 0;
inline constexpr unsigned streamNonBlocking = 1;
inline constexpr unsigned writeAfterAllBefore = 0;
/// Where the driver does what is given no stream.
inline constexpr StreamHandle defaultStream = nullptr;
inline constexpr unsigned hostAllocPortable = 1, hostAllocDeviceMap = 2;
inline constexpr unsigned hostRegisterPortable = 1, hostRegisterDeviceMap = 2;
/// Keys of the list that cuLaunchKernel takes instead of pointers to arguments.
inline void* const launchParamEnd = nullptr;
inline void* const launchParamBufferPointer = reinterpret_cast<void*>(uintptr_t{1});
inline void* const launchParamBufferSize = reinterpret_cast<void*>(uintptr_t{2});

/// How a kernel is launched beyond its parameters.
struct LaunchAttribute {
  int which;
  int reserved;
  int value;
  unsigned char rest[60];
};
/// The kernel may start while kernels before it in the stream still run.
inline constexpr LaunchAttribute startsEarly = {.which = 6, .reserved = 0, .value = 1, .rest = {}};

struct LaunchConfiguration {
  unsigned gridX, gridY, gridZ;
  unsigned blockX, blockY, blockZ;
  unsigned sharedBytes;
  StreamHandle stream;
  const LaunchAttribute* attributes;
  unsigned attributeCount;
};

/// What is issued to a stream while it is captured becomes nodes of a graph. Other threads may go
/// on to use the driver meanwhile.
inline constexpr int captureRelaxed = 2;
/// The nodes that the next one of a captured stream depends on are these, and no others.
inline constexpr unsigned setCaptureDependencies = 1;

/// What a node of a graph launches (CUDA_KERNEL_NODE_PARAMS_v1).
struct KernelNode {
  FunctionHandle function;
  unsigned gridX, gridY, gridZ;
  unsigned blockX, blockY, blockZ;
  unsigned sharedBytes;
  void** arguments;
  void** extra;
};

/// The driver finds out what an address stands for.
enum class MemoryType : unsigned { Array = 3, Unified = 4 };

struct Memcpy3D {
  size_t srcXInBytes, srcY, srcZ, srcLod;
  MemoryType srcMemoryType;
  const void* srcHost;
  Address srcDevice;
  void* srcArray;
  void* reserved0;
  size_t srcPitch, srcHeight;
  size_t dstXInBytes, dstY, dstZ, dstLod;
  MemoryType dstMemoryType;
  void* dstHost;
  Address dstDevice;
  void* dstArray;
  void* reserved1;
  size_t dstPitch, dstHeight;
  size_t WidthInBytes, Height, Depth;
};

/// Of all GPUs that an OpenGL context may draw on.
inline constexpr unsigned everyOpenGlDevice = 1;

using TextureHandle = unsigned long long;

enum class ChannelFormat : int {
  UnsignedInt8 = 0x01,
  UnsignedInt16 = 0x02,
  UnsignedInt32 = 0x03,
  SignedInt8 = 0x08,
  SignedInt16 = 0x09,
  SignedInt32 = 0x0a,
  Half = 0x10,
  Float = 0x20,
};

/// Rows of elements in linear memory.
struct TextureElements {
  int kind = 3;
  Address address;
  ChannelFormat format;
  unsigned channels;
  size_t width, height, rowBytes;
  unsigned char rest[88];
  unsigned flags;
};

enum class TextureAddressing : int { Repeat = 0, ToEdge = 1, ToBorder = 3 };
enum class TextureFilter : int { Nearest = 0, Linear = 1 };
/// Otherwise integers of 8 and 16 bits read as normalized floats.
inline constexpr unsigned textureOfIntegers = 1;
inline constexpr unsigned textureNormalizedPlaces = 2;

struct TextureSampling {
  TextureAddressing addressing[3];
  TextureFilter filter;
  unsigned flags;
  unsigned maxAnisotropy;
  TextureFilter mipmapFilter;
  float mipmapBias, leastMipmap, lastMipmap;
  float border[4];
  int reserved[12];
};

/// Of what comes from another interface, memory or semaphore.
enum class ExternalType : int { OpaqueDescriptor = 1 };

struct ExternalMemoryDescription {
  ExternalType type;
  alignas(8) int file;
  unsigned char handleRest[12];
  unsigned long long bytes;
  unsigned flags;
  unsigned reserved[16];
};

struct ExternalBufferDescription {
  unsigned long long offset, bytes;
  unsigned flags;
  unsigned reserved[16];
};

struct ExternalSemaphoreDescription {
  ExternalType type;
  alignas(8) int file;
  unsigned char handleRest[12];
  unsigned flags;
  unsigned reserved[16];
};

/// How a semaphore is signaled or waited for.
struct ExternalSemaphoreUse {
  unsigned long long value = 0;
  unsigned long long others[8] = {};
  unsigned flags = 0;
  unsigned reserved[16] = {};
};

// QUERN_CUDA_FUNCTION(name here, exported symbol, parameters)
#define QUERN_CUDA_FUNCTIONS(F)                                                                    \
  F(init, "cuInit", (unsigned flags))                                                              \
  F(driverGetVersion, "cuDriverGetVersion", (int* version))                                        \
  F(getErrorName, "cuGetErrorName", (Error error, const char** name))                              \
  F(getErrorString, "cuGetErrorString", (Error error, const char** text))                          \
  F(deviceGetCount, "cuDeviceGetCount", (int* count))                                              \
  F(deviceGet, "cuDeviceGet", (DeviceNumber * device, int ordinal))                                \
  F(deviceGetName, "cuDeviceGetName", (char* name, int length, DeviceNumber device))               \
  F(deviceGetUuid, "cuDeviceGetUuid", (Uuid * uuid, DeviceNumber device))                          \
  F(deviceGetAttribute, "cuDeviceGetAttribute",                                                    \
    (int* value, DeviceAttribute attribute, DeviceNumber device))                                  \
  F(deviceTotalMem, "cuDeviceTotalMem_v2", (size_t* bytes, DeviceNumber device))                   \
  F(devicePrimaryCtxRetain, "cuDevicePrimaryCtxRetain",                                            \
    (ContextHandle * context, DeviceNumber device))                                                \
  F(ctxGetCurrent, "cuCtxGetCurrent", (ContextHandle * context))                                   \
  F(ctxSetCurrent, "cuCtxSetCurrent", (ContextHandle context))                                     \
  F(ctxGetStreamPriorityRange, "cuCtxGetStreamPriorityRange", (int* least, int* greatest))         \
  F(memAlloc, "cuMemAlloc_v2", (Address * address, size_t bytes))                                  \
  F(memAllocManaged, "cuMemAllocManaged", (Address * address, size_t bytes, unsigned flags))       \
  F(memGetInfo, "cuMemGetInfo_v2", (size_t* free, size_t* total))                                  \
  F(memFree, "cuMemFree_v2", (Address address))                                                    \
  F(memHostAlloc, "cuMemHostAlloc", (void** pointer, size_t bytes, unsigned flags))                \
  F(memFreeHost, "cuMemFreeHost", (void* pointer))                                                 \
  F(memHostRegister, "cuMemHostRegister_v2", (void* pointer, size_t bytes, unsigned flags))        \
  F(memHostUnregister, "cuMemHostUnregister", (void* pointer))                                     \
  F(memcpyHtoD, "cuMemcpyHtoD_v2", (Address to, const void* from, size_t bytes))                   \
  F(memcpyDtoH, "cuMemcpyDtoH_v2", (void* to, Address from, size_t bytes))                         \
  F(memcpyHtoDAsync, "cuMemcpyHtoDAsync_v2",                                                       \
    (Address to, const void* from, size_t bytes, StreamHandle stream))                             \
  F(memcpyDtoHAsync, "cuMemcpyDtoHAsync_v2",                                                       \
    (void* to, Address from, size_t bytes, StreamHandle stream))                                   \
  F(memcpyAsync, "cuMemcpyAsync", (Address to, Address from, size_t bytes, StreamHandle stream))   \
  F(memcpy3DAsync, "cuMemcpy3DAsync_v2", (const Memcpy3D* copy, StreamHandle stream))              \
  F(memsetD8Async, "cuMemsetD8Async",                                                              \
    (Address to, unsigned char value, size_t count, StreamHandle stream))                          \
  F(memsetD16Async, "cuMemsetD16Async",                                                            \
    (Address to, unsigned short value, size_t count, StreamHandle stream))                         \
  F(memsetD32Async, "cuMemsetD32Async",                                                            \
    (Address to, unsigned value, size_t count, StreamHandle stream))                               \
  F(streamCreateWithPriority, "cuStreamCreateWithPriority",                                        \
    (StreamHandle * stream, unsigned flags, int priority))                                         \
  F(streamDestroy, "cuStreamDestroy_v2", (StreamHandle stream))                                    \
  F(streamSynchronize, "cuStreamSynchronize", (StreamHandle stream))                               \
  F(streamQuery, "cuStreamQuery", (StreamHandle stream))                                           \
  F(eventCreate, "cuEventCreate", (EventHandle * event, unsigned flags))                           \
  F(eventDestroy, "cuEventDestroy_v2", (EventHandle event))                                        \
  F(eventRecord, "cuEventRecord", (EventHandle event, StreamHandle stream))                        \
  F(eventSynchronize, "cuEventSynchronize", (EventHandle event))                                   \
  F(eventElapsedTime, "cuEventElapsedTime",                                                        \
    (float* milliseconds, EventHandle start, EventHandle end))                                     \
  F(texObjectCreate, "cuTexObjectCreate",                                                          \
    (TextureHandle * texture, const TextureElements* elements, const TextureSampling* sampling,    \
     const void* view))                                                                            \
  F(texObjectDestroy, "cuTexObjectDestroy", (TextureHandle texture))                               \
  F(moduleLoadDataEx, "cuModuleLoadDataEx",                                                        \
    (ModuleHandle * module, const void* image, unsigned count, JitOption* options, void** values)) \
  F(moduleUnload, "cuModuleUnload", (ModuleHandle module))                                         \
  F(moduleGetFunction, "cuModuleGetFunction",                                                      \
    (FunctionHandle * function, ModuleHandle module, const char* name))                            \
  F(funcGetAttribute, "cuFuncGetAttribute",                                                        \
    (int* value, FunctionAttribute attribute, FunctionHandle function))                            \
  F(funcSetAttribute, "cuFuncSetAttribute",                                                        \
    (FunctionHandle function, FunctionAttribute attribute, int value))                             \
  F(launchKernel, "cuLaunchKernel",                                                                \
    (FunctionHandle function, unsigned gridX, unsigned gridY, unsigned gridZ, unsigned blockX,     \
     unsigned blockY, unsigned blockZ, unsigned sharedBytes, StreamHandle stream,                  \
     void** arguments, void** extra))

/// Likewise, null where the driver has none: older than CUDA 11.8.
#define QUERN_CUDA_NEWER_FUNCTIONS(F)                                                              \
  F(memPoolCreate, "cuMemPoolCreate", (PoolHandle * pool, const PoolProperties* properties))       \
  F(memPoolDestroy, "cuMemPoolDestroy", (PoolHandle pool))                                         \
  F(memPoolSetAttribute, "cuMemPoolSetAttribute",                                                  \
    (PoolHandle pool, PoolAttribute attribute, void* value))                                       \
  F(memPoolGetAttribute, "cuMemPoolGetAttribute",                                                  \
    (PoolHandle pool, PoolAttribute attribute, void* value))                                       \
  F(memPoolSetAccess, "cuMemPoolSetAccess",                                                        \
    (PoolHandle pool, const MemoryAccess* accesses, size_t count))                                 \
  F(memPoolTrimTo, "cuMemPoolTrimTo", (PoolHandle pool, size_t keptBytes))                         \
  F(memAllocFromPoolAsync, "cuMemAllocFromPoolAsync",                                              \
    (Address * address, size_t bytes, PoolHandle pool, StreamHandle stream))                       \
  F(memFreeAsync, "cuMemFreeAsync", (Address address, StreamHandle stream))                        \
  F(streamWriteValue32, "cuStreamWriteValue32_v2",                                                 \
    (StreamHandle stream, Address to, uint32_t value, unsigned flags))                             \
  F(importExternalMemory, "cuImportExternalMemory",                                                \
    (ExternalMemoryHandle * memory, const ExternalMemoryDescription* description))                 \
  F(externalMemoryGetMappedBuffer, "cuExternalMemoryGetMappedBuffer",                              \
    (Address * address, ExternalMemoryHandle memory,                                               \
     const ExternalBufferDescription* description))                                                \
  F(destroyExternalMemory, "cuDestroyExternalMemory", (ExternalMemoryHandle memory))               \
  F(importExternalSemaphore, "cuImportExternalSemaphore",                                          \
    (ExternalSemaphoreHandle * semaphore, const ExternalSemaphoreDescription* description))        \
  F(signalExternalSemaphoresAsync, "cuSignalExternalSemaphoresAsync",                              \
    (const ExternalSemaphoreHandle* semaphores, const ExternalSemaphoreUse* uses, unsigned count,  \
     StreamHandle stream))                                                                         \
  F(waitExternalSemaphoresAsync, "cuWaitExternalSemaphoresAsync",                                  \
    (const ExternalSemaphoreHandle* semaphores, const ExternalSemaphoreUse* uses, unsigned count,  \
     StreamHandle stream))                                                                         \
  F(destroyExternalSemaphore, "cuDestroyExternalSemaphore", (ExternalSemaphoreHandle semaphore))   \
  F(streamBeginCapture, "cuStreamBeginCapture_v2", (StreamHandle stream, int mode))                \
  F(streamEndCapture, "cuStreamEndCapture", (StreamHandle stream, GraphHandle * graph))            \
  F(streamGetCaptureInfo, "cuStreamGetCaptureInfo_v2",                                             \
    (StreamHandle stream, int* status, uint64_t* id, GraphHandle* graph,                           \
     const GraphNodeHandle** dependencies, size_t* dependencyCount))                               \
  F(streamUpdateCaptureDependencies, "cuStreamUpdateCaptureDependencies",                          \
    (StreamHandle stream, GraphNodeHandle * dependencies, size_t count, unsigned flags))           \
  F(graphInstantiate, "cuGraphInstantiateWithFlags",                                               \
    (GraphExecHandle * executable, GraphHandle graph, unsigned long long flags))                   \
  F(graphExecKernelNodeSetParams, "cuGraphExecKernelNodeSetParams",                                \
    (GraphExecHandle executable, GraphNodeHandle node, const KernelNode* parameters))              \
  F(graphLaunch, "cuGraphLaunch", (GraphExecHandle executable, StreamHandle stream))               \
  F(graphDestroy, "cuGraphDestroy", (GraphHandle graph))                                           \
  F(graphExecDestroy, "cuGraphExecDestroy", (GraphExecHandle executable))                          \
  F(launchKernelEx, "cuLaunchKernelEx",                                                            \
    (const LaunchConfiguration* configuration, FunctionHandle function, void** arguments,          \
     void** extra))

/// Likewise, null where the driver shares nothing with OpenGL.
#define QUERN_CUDA_OPENGL_FUNCTIONS(F)                                                             \
  F(glGetDevices, "cuGLGetDevices_v2",                                                             \
    (unsigned* count, DeviceNumber* devices, unsigned most, unsigned which))                       \
  F(graphicsGlRegisterBuffer, "cuGraphicsGLRegisterBuffer",                                        \
    (GraphicsHandle * resource, unsigned buffer, unsigned flags))                                  \
  F(graphicsGlRegisterImage, "cuGraphicsGLRegisterImage",                                          \
    (GraphicsHandle * resource, unsigned image, unsigned target, unsigned flags))                  \
  F(graphicsUnregisterResource, "cuGraphicsUnregisterResource", (GraphicsHandle resource))         \
  F(graphicsMapResources, "cuGraphicsMapResources",                                                \
    (unsigned count, GraphicsHandle* resources, StreamHandle stream))                              \
  F(graphicsUnmapResources, "cuGraphicsUnmapResources",                                            \
    (unsigned count, GraphicsHandle* resources, StreamHandle stream))                              \
  F(graphicsResourceGetMappedPointer, "cuGraphicsResourceGetMappedPointer_v2",                     \
    (Address * address, size_t* bytes, GraphicsHandle resource))                                   \
  F(graphicsSubResourceGetMappedArray, "cuGraphicsSubResourceGetMappedArray",                      \
    (void** elements, GraphicsHandle resource, unsigned index, unsigned level))

/// The driver's functions. Immutable once loaded, so usable from any thread.
struct DriverApi {
#define QUERN_CUDA_DECLARE(name, symbol, parameters) Error(*name) parameters = nullptr;
  QUERN_CUDA_FUNCTIONS(QUERN_CUDA_DECLARE)
  QUERN_CUDA_NEWER_FUNCTIONS(QUERN_CUDA_DECLARE)
  QUERN_CUDA_OPENGL_FUNCTIONS(QUERN_CUDA_DECLARE)
#undef QUERN_CUDA_DECLARE

  /// Whether all functions about pools of memory are there.
  bool hasPools() const {
    return memPoolCreate && memPoolDestroy && memPoolSetAttribute && memPoolGetAttribute &&
           memPoolSetAccess && memPoolTrimTo && memAllocFromPoolAsync && memFreeAsync;
  }

  /// Whether it has the functions for what comes from other interfaces.
  bool hasExternal() const {
    return importExternalMemory && externalMemoryGetMappedBuffer && destroyExternalMemory &&
           importExternalSemaphore && signalExternalSemaphoresAsync &&
           waitExternalSemaphoresAsync && destroyExternalSemaphore;
  }
  /// Whether all functions that share objects with OpenGL are there.
  bool hasOpenGl() const {
    return glGetDevices && graphicsGlRegisterBuffer && graphicsGlRegisterImage &&
           graphicsUnregisterResource && graphicsMapResources && graphicsUnmapResources &&
           graphicsResourceGetMappedPointer && graphicsSubResourceGetMappedArray;
  }
  /// Whether all functions about graphs are there.
  bool hasGraphs() const {
    return streamBeginCapture && streamEndCapture && streamGetCaptureInfo &&
           streamUpdateCaptureDependencies && graphInstantiate && graphExecKernelNodeSetParams &&
           graphLaunch && graphDestroy && graphExecDestroy;
  }

  /// Opens the driver's library; null when there is none or it lacks a function. Never closes it.
  /// Loaded once for each process.
  static const DriverApi* load();
};

} // namespace quern::cuda
