#include <algorithm>
#include <initializer_list>

#include "api/command_buffer.h"
#include "api/device.h"
#include "api/external_memory.h"
#include "api/handle.h"
#include "api/newer_constants.h"
#include "api/partition.h"
#include "api/platform.h"
#include "api/semaphore.h"
#include "api/svm_types.h"
#include "builtin_kernels/builtin_kernels.h"
#include "runtime/compiler_library.h"
#include "runtime/device.h"
#include "runtime/extensions.h"
#include "runtime/platform.h"
#include "spirv/environment.h"
#include "spirv/module.h"

namespace quern::api {

namespace {

using device::Caps;
using runtime::Device;

// Rows whose answer is a field of Caps, a constant, or a value computed from Caps.
#define QUERN_CAPS(name, type, expression)                                                         \
  {name, [](const Device& device, InfoValue& value) {                                              \
     [[maybe_unused]] const Caps& caps = device.caps();                                            \
     value.put<type>(static_cast<type>(expression));                                               \
   }}
#define QUERN_STRING(name, expression)                                                             \
  {name, [](const Device& device, InfoValue& value) {                                              \
     [[maybe_unused]] const Caps& caps = device.caps();                                            \
     value.putString(expression);                                                                  \
   }}
#define QUERN_LIST(name, expression)                                                               \
  {name, [](const Device& device, InfoValue& value) {                                              \
     [[maybe_unused]] const Caps& caps = device.caps();                                            \
     value.putArray(expression);                                                                   \
   }}

/// Whether programs can be compiled for the device.
bool compiles(const device::Caps& caps) {
  return !caps.target.description.empty();
}

/// The minor versions of SPIR-V 1 that the compiler reads.
constexpr uint32_t newestMinor = spirv::newestVersion >> 8 & 0xFF;

std::string ilVersions(const device::Caps& caps) {
  std::string text;
  for (uint32_t minor = 0; compiles(caps) && minor <= newestMinor; ++minor)
    text += sentence(minor ? " " : "", "SPIR-V_1.", minor);
  return text;
}

std::vector<cl_name_version> ilsWithVersion(const device::Caps& caps) {
  std::vector<cl_name_version> list;
  for (uint32_t minor = 0; compiles(caps) && minor <= newestMinor; ++minor)
    list.push_back(runtime::nameVersion("SPIR-V", CL_MAKE_VERSION(1, minor, 0)));
  return list;
}

using Strings = std::vector<const char*>;

/// The views are of literals.
Strings asStrings(const std::vector<std::string_view>& views) {
  Strings strings;
  for (const std::string_view view : views)
    strings.push_back(view.data());
  return strings;
}

std::vector<cl_name_version> openclCVersions(const Caps&) {
  std::vector<cl_name_version> list;
  for (const cl_version version :
       {CL_MAKE_VERSION(3, 1, 0), CL_MAKE_VERSION(3, 0, 0), CL_MAKE_VERSION(1, 2, 0),
        CL_MAKE_VERSION(1, 1, 0), CL_MAKE_VERSION(1, 0, 0)})
    list.push_back(runtime::nameVersion("OpenCL C", version));
  return list;
}

std::vector<cl_device_partition_property> partitionType(const Device& device) {
  return device.isRoot() ? std::vector<cl_device_partition_property>{0} : device.partition();
}

cl_device_affinity_domain affinityDomains(const Caps& caps) {
  return caps.affinityDomains ? caps.affinityDomains | CL_DEVICE_AFFINITY_DOMAIN_NEXT_PARTITIONABLE
                              : 0;
}

using DotProductProperties = cl_device_integer_dot_product_acceleration_properties_khr;

bool hasFeature(const Caps& caps, std::string_view feature) {
  return std::ranges::find(caps.target.features, feature) != caps.target.features.end();
}

/// A bit for each of the feature macros that the device has.
cl_bitfield featureBits(const Caps& caps,
                        std::initializer_list<std::pair<std::string_view, cl_bitfield>> features) {
  cl_bitfield bits = 0;
  for (const auto& [feature, bit] : features)
    if (hasFeature(caps, feature))
      bits |= bit;
  return bits;
}

/// Of numbers of `bits` bits, those of 32 and 64 of which every device has loads and stores.
cl_bitfield fpAtomicCapabilities(const Caps& caps, std::string_view bits) {
  cl_bitfield capabilities = bits == "16" || !hasFeature(caps, "cl_ext_float_atomics")
                                 ? 0
                                 : globalFpAtomicLoadStore | localFpAtomicLoadStore;
  for (const auto& [operation, bit] :
       {std::pair("global_atomic_load_store", globalFpAtomicLoadStore),
        std::pair("global_atomic_add", globalFpAtomicAdd),
        std::pair("global_atomic_min_max", globalFpAtomicMinMax),
        std::pair("local_atomic_load_store", localFpAtomicLoadStore),
        std::pair("local_atomic_add", localFpAtomicAdd),
        std::pair("local_atomic_min_max", localFpAtomicMinMax)})
    if (hasFeature(caps, sentence("__opencl_c_ext_fp", bits, "_", operation)))
      capabilities |= bit;
  return capabilities;
}

std::vector<cl_name_version> builtInKernels(const Caps& caps) {
  std::vector<cl_name_version> list;
  for (const std::string& name : builtin_kernels::namesFor(caps))
    list.push_back(runtime::nameVersion(name, builtin_kernels::version));
  return list;
}

constexpr InfoRow<Device> deviceRows[] = {
    // What it is.
    QUERN_CAPS(CL_DEVICE_TYPE, cl_device_type, caps.type),
    QUERN_CAPS(CL_DEVICE_VENDOR_ID, cl_uint, caps.vendorId),
    QUERN_CAPS(CL_DEVICE_PLATFORM, cl_platform_id, toHandle(&runtime::Platform::get())),
    QUERN_STRING(CL_DEVICE_NAME, caps.name),
    QUERN_STRING(CL_DEVICE_VENDOR, caps.vendor),
    // Programs keep binaries of their own for as long as this stays the same.
    QUERN_STRING(CL_DRIVER_VERSION,
                 caps.driverVersion + "-" +
                     runtime::CompilerLibrary::get().buildIdentity().substr(0, 8)),
    QUERN_STRING(CL_DEVICE_PROFILE, "FULL_PROFILE"),
    QUERN_STRING(CL_DEVICE_VERSION, versionString()),
    QUERN_CAPS(CL_DEVICE_NUMERIC_VERSION, cl_version, openclVersion),
    // No submission has passed; the format is fixed and has no word for that.
    QUERN_STRING(CL_DEVICE_LATEST_CONFORMANCE_VERSION_PASSED, "v0000-01-01-00"),
    QUERN_CAPS(CL_DEVICE_AVAILABLE, cl_bool, CL_TRUE),
    QUERN_CAPS(CL_DEVICE_ENDIAN_LITTLE, cl_bool, CL_TRUE),
    QUERN_CAPS(CL_DEVICE_ADDRESS_BITS, cl_uint, caps.addressBits),
    {CL_DEVICE_UUID_KHR,
     [](const Device& device, InfoValue& value) { value.put(device.caps().uuid); }},
    // One build of the driver has one identity; its devices share it.
    {CL_DRIVER_UUID_KHR,
     [](const Device&, InfoValue& value) {
       std::array<char, CL_UUID_SIZE_KHR> identity = {};
       runtime::CompilerLibrary::get().buildIdentity().copy(identity.data(), identity.size());
       value.put(identity);
     }},
    QUERN_CAPS(CL_DEVICE_LUID_VALID_KHR, cl_bool, CL_FALSE),
    {CL_DEVICE_LUID_KHR,
     [](const Device&, InfoValue& value) { value.put(std::array<uint8_t, CL_LUID_SIZE_KHR>()); }},
    QUERN_CAPS(CL_DEVICE_NODE_MASK_KHR, cl_uint, 0),

    // Language and extensions.
    QUERN_STRING(CL_DEVICE_OPENCL_C_VERSION, "OpenCL C 1.2 Quern"),
    QUERN_CAPS(CL_DEVICE_OPENCL_C_NUMERIC_VERSION_KHR, cl_version, CL_MAKE_VERSION(1, 2, 0)),
    QUERN_LIST(CL_DEVICE_OPENCL_C_ALL_VERSIONS, openclCVersions(caps)),
    QUERN_LIST(CL_DEVICE_OPENCL_C_FEATURES, runtime::openclCFeatures(caps)),
    QUERN_STRING(CL_DEVICE_EXTENSIONS, runtime::joinNames(runtime::deviceExtensions(caps))),
    QUERN_LIST(CL_DEVICE_EXTENSIONS_WITH_VERSION, runtime::deviceExtensions(caps)),
    QUERN_CAPS(CL_DEVICE_CXX_FOR_OPENCL_NUMERIC_VERSION_EXT, cl_version, CL_MAKE_VERSION(1, 0, 0)),
    QUERN_CAPS(CL_DEVICE_INTEGER_DOT_PRODUCT_CAPABILITIES_KHR,
               cl_device_integer_dot_product_capabilities_khr,
               featureBits(caps, {{"__opencl_c_integer_dot_product_input_4x8bit",
                                   CL_DEVICE_INTEGER_DOT_PRODUCT_INPUT_4x8BIT_KHR},
                                  {"__opencl_c_integer_dot_product_input_4x8bit_packed",
                                   CL_DEVICE_INTEGER_DOT_PRODUCT_INPUT_4x8BIT_PACKED_KHR}})),
    // They are not known to be faster than what they are made of.
    QUERN_CAPS(CL_DEVICE_INTEGER_DOT_PRODUCT_ACCELERATION_PROPERTIES_8BIT_KHR, DotProductProperties,
               DotProductProperties()),
    QUERN_CAPS(CL_DEVICE_INTEGER_DOT_PRODUCT_ACCELERATION_PROPERTIES_4x8BIT_PACKED_KHR,
               DotProductProperties, DotProductProperties()),
    QUERN_CAPS(deviceHalfFpAtomicCapabilities, cl_bitfield, fpAtomicCapabilities(caps, "16")),
    QUERN_CAPS(deviceSingleFpAtomicCapabilities, cl_bitfield, fpAtomicCapabilities(caps, "32")),
    QUERN_CAPS(deviceDoubleFpAtomicCapabilities, cl_bitfield, fpAtomicCapabilities(caps, "64")),
    QUERN_CAPS(
        deviceKernelClockCapabilities, cl_bitfield,
        featureBits(caps, {{"__opencl_c_kernel_clock_scope_device", kernelClockScopeDevice},
                           {"__opencl_c_kernel_clock_scope_work_group", kernelClockScopeWorkGroup},
                           {"__opencl_c_kernel_clock_scope_sub_group", kernelClockScopeSubGroup}})),
    QUERN_STRING(CL_DEVICE_IL_VERSION, ilVersions(caps)),
    QUERN_LIST(CL_DEVICE_ILS_WITH_VERSION, ilsWithVersion(caps)),
    QUERN_LIST(deviceSpirvExtendedInstructionSets,
               compiles(caps) ? asStrings(spirv::extendedSets()) : Strings()),
    QUERN_LIST(deviceSpirvExtensions,
               compiles(caps) ? asStrings(spirv::extensionsOf(caps.target.features)) : Strings()),
    QUERN_LIST(deviceSpirvCapabilities, compiles(caps)
                                            ? spirv::capabilitiesOf(caps.target.features)
                                            : std::vector<uint32_t>()),
    {CL_DEVICE_BUILT_IN_KERNELS,
     [](const Device& device, InfoValue& value) {
       value.putNames(builtin_kernels::namesFor(device.caps()));
     }},
    QUERN_LIST(CL_DEVICE_BUILT_IN_KERNELS_WITH_VERSION, builtInKernels(caps)),
    QUERN_CAPS(CL_DEVICE_COMPILER_AVAILABLE, cl_bool, compiles(caps)),
    QUERN_CAPS(CL_DEVICE_LINKER_AVAILABLE, cl_bool, compiles(caps)),
    QUERN_CAPS(CL_DEVICE_PRINTF_BUFFER_SIZE, size_t, caps.printfBufferBytes),

    // Execution.
    QUERN_CAPS(CL_DEVICE_EXECUTION_CAPABILITIES, cl_device_exec_capabilities,
               CL_EXEC_KERNEL | (caps.nativeKernels ? CL_EXEC_NATIVE_KERNEL : 0)),
    QUERN_CAPS(CL_DEVICE_MAX_COMPUTE_UNITS, cl_uint, caps.computeUnits),
    QUERN_CAPS(CL_DEVICE_MAX_CLOCK_FREQUENCY, cl_uint, caps.clockMHz),
    QUERN_CAPS(CL_DEVICE_MAX_WORK_ITEM_DIMENSIONS, cl_uint, caps.maxWorkItemSizes.size()),
    {CL_DEVICE_MAX_WORK_ITEM_SIZES,
     [](const Device& device, InfoValue& value) { value.put(device.caps().maxWorkItemSizes); }},
    QUERN_CAPS(CL_DEVICE_MAX_WORK_GROUP_SIZE, size_t, caps.maxWorkGroupSize),
    QUERN_CAPS(CL_DEVICE_PREFERRED_WORK_GROUP_SIZE_MULTIPLE, size_t,
               caps.preferredWorkGroupMultiple),
    QUERN_CAPS(CL_DEVICE_NON_UNIFORM_WORK_GROUP_SUPPORT, cl_bool, caps.nonUniformWorkGroups),
    QUERN_CAPS(CL_DEVICE_WORK_GROUP_COLLECTIVE_FUNCTIONS_SUPPORT, cl_bool,
               caps.workGroupCollectives),
    QUERN_CAPS(CL_DEVICE_MAX_NUM_SUB_GROUPS, cl_uint, caps.maxSubGroups),
    QUERN_CAPS(CL_DEVICE_SUB_GROUP_INDEPENDENT_FORWARD_PROGRESS, cl_bool,
               hasFeature(caps, "cl_khr_subgroups")),
    QUERN_CAPS(CL_DEVICE_MAX_PARAMETER_SIZE, size_t, caps.maxArgumentBytes),
    QUERN_CAPS(CL_DEVICE_PROFILING_TIMER_RESOLUTION, size_t, caps.profilingResolutionNs),
    QUERN_CAPS(CL_DEVICE_QUEUE_ON_HOST_PROPERTIES, cl_command_queue_properties,
               CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | CL_QUEUE_PROFILING_ENABLE),
    QUERN_CAPS(CL_DEVICE_DEVICE_ENQUEUE_CAPABILITIES, cl_device_device_enqueue_capabilities,
               caps.enqueueLimits.maxQueues
                   ? CL_DEVICE_QUEUE_SUPPORTED | CL_DEVICE_QUEUE_REPLACEABLE_DEFAULT
                   : 0),
    QUERN_CAPS(CL_DEVICE_QUEUE_ON_DEVICE_PROPERTIES, cl_command_queue_properties,
               caps.enqueueLimits.maxQueues
                   ? CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | CL_QUEUE_PROFILING_ENABLE
                   : 0),
    QUERN_CAPS(CL_DEVICE_QUEUE_ON_DEVICE_PREFERRED_SIZE, cl_uint,
               caps.enqueueLimits.preferredQueueBytes),
    QUERN_CAPS(CL_DEVICE_QUEUE_ON_DEVICE_MAX_SIZE, cl_uint, caps.enqueueLimits.maxQueueBytes),
    QUERN_CAPS(CL_DEVICE_MAX_ON_DEVICE_QUEUES, cl_uint, caps.enqueueLimits.maxQueues),
    QUERN_CAPS(CL_DEVICE_MAX_ON_DEVICE_EVENTS, cl_uint, caps.enqueueLimits.maxEvents),

    // Command buffers.
    QUERN_CAPS(CL_DEVICE_COMMAND_BUFFER_CAPABILITIES_KHR, cl_device_command_buffer_capabilities_khr,
               CL_COMMAND_BUFFER_CAPABILITY_KERNEL_PRINTF_KHR |
                   CL_COMMAND_BUFFER_CAPABILITY_SIMULTANEOUS_USE_KHR |
                   commandBufferCapabilityMultipleQueue |
                   (caps.enqueueLimits.maxQueues
                        ? CL_COMMAND_BUFFER_CAPABILITY_DEVICE_SIDE_ENQUEUE_KHR
                        : 0)),
    QUERN_CAPS(CL_DEVICE_COMMAND_BUFFER_REQUIRED_QUEUE_PROPERTIES_KHR, cl_command_queue_properties,
               0),
    QUERN_CAPS(deviceCommandBufferSupportedQueueProperties, cl_command_queue_properties,
               commandBufferQueueProperties),
    QUERN_CAPS(CL_DEVICE_MUTABLE_DISPATCH_CAPABILITIES_KHR, cl_mutable_dispatch_fields_khr,
               mutableDispatchFields),
    // A device and its sub-devices; others meet by way of the host.
    QUERN_CAPS(deviceCommandBufferNumSyncDevices, cl_uint, 1),
    QUERN_CAPS(deviceCommandBufferSyncDevices, cl_device_id, toHandle(&device.root())),

    // Numbers.
    QUERN_CAPS(CL_DEVICE_PREFERRED_VECTOR_WIDTH_CHAR, cl_uint, caps.preferredWidths.charWidth),
    QUERN_CAPS(CL_DEVICE_PREFERRED_VECTOR_WIDTH_SHORT, cl_uint, caps.preferredWidths.shortWidth),
    QUERN_CAPS(CL_DEVICE_PREFERRED_VECTOR_WIDTH_INT, cl_uint, caps.preferredWidths.intWidth),
    QUERN_CAPS(CL_DEVICE_PREFERRED_VECTOR_WIDTH_LONG, cl_uint, caps.preferredWidths.longWidth),
    QUERN_CAPS(CL_DEVICE_PREFERRED_VECTOR_WIDTH_FLOAT, cl_uint, caps.preferredWidths.floatWidth),
    QUERN_CAPS(CL_DEVICE_PREFERRED_VECTOR_WIDTH_DOUBLE, cl_uint, caps.preferredWidths.doubleWidth),
    QUERN_CAPS(CL_DEVICE_PREFERRED_VECTOR_WIDTH_HALF, cl_uint, caps.preferredWidths.halfWidth),
    QUERN_CAPS(CL_DEVICE_NATIVE_VECTOR_WIDTH_CHAR, cl_uint, caps.nativeWidths.charWidth),
    QUERN_CAPS(CL_DEVICE_NATIVE_VECTOR_WIDTH_SHORT, cl_uint, caps.nativeWidths.shortWidth),
    QUERN_CAPS(CL_DEVICE_NATIVE_VECTOR_WIDTH_INT, cl_uint, caps.nativeWidths.intWidth),
    QUERN_CAPS(CL_DEVICE_NATIVE_VECTOR_WIDTH_LONG, cl_uint, caps.nativeWidths.longWidth),
    QUERN_CAPS(CL_DEVICE_NATIVE_VECTOR_WIDTH_FLOAT, cl_uint, caps.nativeWidths.floatWidth),
    QUERN_CAPS(CL_DEVICE_NATIVE_VECTOR_WIDTH_DOUBLE, cl_uint, caps.nativeWidths.doubleWidth),
    QUERN_CAPS(CL_DEVICE_NATIVE_VECTOR_WIDTH_HALF, cl_uint, caps.nativeWidths.halfWidth),
    QUERN_CAPS(CL_DEVICE_SINGLE_FP_CONFIG, cl_device_fp_config, caps.singleFp),
    QUERN_CAPS(CL_DEVICE_DOUBLE_FP_CONFIG, cl_device_fp_config, caps.doubleFp),
    // A query of cl_khr_fp16 only.
    {CL_DEVICE_HALF_FP_CONFIG,
     [](const Device& device, InfoValue& value) -> Status {
       if (device.caps().halfFp == 0)
         return unknownQuery("device without cl_khr_fp16", CL_DEVICE_HALF_FP_CONFIG);
       value.put<cl_device_fp_config>(device.caps().halfFp);
       return {};
     }},

    // Memory.
    QUERN_CAPS(CL_DEVICE_GLOBAL_MEM_SIZE, cl_ulong, caps.globalMemBytes),
    QUERN_CAPS(CL_DEVICE_MAX_MEM_ALLOC_SIZE, cl_ulong, caps.maxAllocBytes),
    QUERN_CAPS(CL_DEVICE_GLOBAL_MEM_CACHE_TYPE, cl_device_mem_cache_type,
               caps.globalCacheBytes ? CL_READ_WRITE_CACHE : CL_NONE),
    QUERN_CAPS(CL_DEVICE_GLOBAL_MEM_CACHE_SIZE, cl_ulong, caps.globalCacheBytes),
    QUERN_CAPS(CL_DEVICE_GLOBAL_MEM_CACHELINE_SIZE, cl_uint, caps.cacheLineBytes),
    QUERN_CAPS(CL_DEVICE_LOCAL_MEM_TYPE, cl_device_local_mem_type, caps.localMemType),
    QUERN_CAPS(CL_DEVICE_LOCAL_MEM_SIZE, cl_ulong, caps.localMemBytes),
    QUERN_CAPS(CL_DEVICE_MAX_CONSTANT_BUFFER_SIZE, cl_ulong, caps.maxConstantBufferBytes),
    QUERN_CAPS(CL_DEVICE_MAX_CONSTANT_ARGS, cl_uint, caps.maxConstantArguments),
    QUERN_CAPS(CL_DEVICE_MAX_GLOBAL_VARIABLE_SIZE, size_t, caps.maxGlobalVariableBytes),
    QUERN_CAPS(CL_DEVICE_GLOBAL_VARIABLE_PREFERRED_TOTAL_SIZE, size_t,
               caps.preferredGlobalVariableBytes),
    QUERN_CAPS(CL_DEVICE_MEM_BASE_ADDR_ALIGN, cl_uint, caps.baseAddressAlignBits),
    // The size of long16 in bytes.
    QUERN_CAPS(CL_DEVICE_MIN_DATA_TYPE_ALIGN_SIZE, cl_uint, 128),
    QUERN_CAPS(CL_DEVICE_ERROR_CORRECTION_SUPPORT, cl_bool, caps.errorCorrection),
    QUERN_CAPS(CL_DEVICE_HOST_UNIFIED_MEMORY, cl_bool, caps.hostUnifiedMemory),
    QUERN_CAPS(CL_DEVICE_SVM_CAPABILITIES, cl_device_svm_capabilities, caps.svm),
    QUERN_CAPS(CL_DEVICE_HOST_MEM_CAPABILITIES_INTEL, cl_bitfield, runtime::unifiedMemoryCapabilities(caps).host),
    QUERN_CAPS(CL_DEVICE_DEVICE_MEM_CAPABILITIES_INTEL, cl_bitfield, runtime::unifiedMemoryCapabilities(caps).device),
    QUERN_CAPS(CL_DEVICE_SINGLE_DEVICE_SHARED_MEM_CAPABILITIES_INTEL, cl_bitfield, runtime::unifiedMemoryCapabilities(caps).shared),
    QUERN_CAPS(CL_DEVICE_CROSS_DEVICE_SHARED_MEM_CAPABILITIES_INTEL, cl_bitfield, runtime::unifiedMemoryCapabilities(caps).sharedAcrossDevices),
    QUERN_LIST(deviceSvmTypeCapabilities, deviceSvmTypes(device)),
    QUERN_CAPS(CL_DEVICE_SHARED_SYSTEM_MEM_CAPABILITIES_INTEL, cl_bitfield, runtime::unifiedMemoryCapabilities(caps).system),
    QUERN_CAPS(CL_DEVICE_GENERIC_ADDRESS_SPACE_SUPPORT, cl_bool, caps.genericAddressSpace),
    QUERN_CAPS(CL_DEVICE_ATOMIC_MEMORY_CAPABILITIES, cl_device_atomic_capabilities,
               caps.atomicMemory),
    QUERN_CAPS(CL_DEVICE_ATOMIC_FENCE_CAPABILITIES, cl_device_atomic_capabilities,
               caps.atomicFence),
    // Natural alignment suits every atomic type.
    QUERN_CAPS(CL_DEVICE_PREFERRED_PLATFORM_ATOMIC_ALIGNMENT, cl_uint, 0),
    QUERN_CAPS(CL_DEVICE_PREFERRED_GLOBAL_ATOMIC_ALIGNMENT, cl_uint, 0),
    QUERN_CAPS(CL_DEVICE_PREFERRED_LOCAL_ATOMIC_ALIGNMENT, cl_uint, 0),

    // Images.
    QUERN_CAPS(CL_DEVICE_IMAGE_SUPPORT, cl_bool, caps.images),
    QUERN_CAPS(CL_DEVICE_MAX_READ_IMAGE_ARGS, cl_uint, caps.imageLimits.maxReadArguments),
    QUERN_CAPS(CL_DEVICE_MAX_WRITE_IMAGE_ARGS, cl_uint, caps.imageLimits.maxWriteArguments),
    QUERN_CAPS(CL_DEVICE_MAX_READ_WRITE_IMAGE_ARGS, cl_uint,
               caps.imageLimits.maxReadWriteArguments),
    QUERN_CAPS(CL_DEVICE_IMAGE2D_MAX_WIDTH, size_t, caps.imageLimits.max2D[0]),
    QUERN_CAPS(CL_DEVICE_IMAGE2D_MAX_HEIGHT, size_t, caps.imageLimits.max2D[1]),
    QUERN_CAPS(CL_DEVICE_IMAGE3D_MAX_WIDTH, size_t, caps.imageLimits.max3D[0]),
    QUERN_CAPS(CL_DEVICE_IMAGE3D_MAX_HEIGHT, size_t, caps.imageLimits.max3D[1]),
    QUERN_CAPS(CL_DEVICE_IMAGE3D_MAX_DEPTH, size_t, caps.imageLimits.max3D[2]),
    QUERN_CAPS(CL_DEVICE_IMAGE_MAX_BUFFER_SIZE, size_t, caps.imageLimits.maxBufferElements),
    QUERN_CAPS(CL_DEVICE_IMAGE_MAX_ARRAY_SIZE, size_t, caps.imageLimits.maxLayers),
    QUERN_CAPS(CL_DEVICE_IMAGE_PITCH_ALIGNMENT, cl_uint, caps.imageLimits.pitchAlignment),
    QUERN_CAPS(CL_DEVICE_IMAGE_BASE_ADDRESS_ALIGNMENT, cl_uint,
               caps.imageLimits.baseAddressAlignment),
    QUERN_CAPS(CL_DEVICE_MAX_SAMPLERS, cl_uint, caps.imageLimits.maxSamplers),

    // Pipes.
    QUERN_CAPS(CL_DEVICE_PIPE_SUPPORT, cl_bool, caps.pipeLimits.maxArguments != 0),
    QUERN_CAPS(CL_DEVICE_MAX_PIPE_ARGS, cl_uint, caps.pipeLimits.maxArguments),
    QUERN_CAPS(CL_DEVICE_PIPE_MAX_ACTIVE_RESERVATIONS, cl_uint, caps.pipeLimits.maxReservations),
    QUERN_CAPS(CL_DEVICE_PIPE_MAX_PACKET_SIZE, cl_uint, caps.pipeLimits.maxPacketBytes),

    // What comes from outside: images in it are linear.
    QUERN_LIST(CL_DEVICE_EXTERNAL_MEMORY_IMPORT_HANDLE_TYPES_KHR, memoryHandleTypes()),
    QUERN_LIST(deviceMemoryLinearImageTypes, memoryHandleTypes()),

    // Semaphores.
    QUERN_CAPS(CL_DEVICE_SEMAPHORE_TYPES_KHR, cl_semaphore_type_khr, CL_SEMAPHORE_TYPE_BINARY_KHR),
    {CL_DEVICE_SEMAPHORE_IMPORT_HANDLE_TYPES_KHR,
     [](const Device&, InfoValue& value) { value.put(semaphoreHandleTypes); }},
    {CL_DEVICE_SEMAPHORE_EXPORT_HANDLE_TYPES_KHR,
     [](const Device&, InfoValue& value) { value.put(semaphoreHandleTypes); }},

    // Sharing with graphics, which no device has.
    QUERN_CAPS(CL_DEVICE_PREFERRED_INTEROP_USER_SYNC, cl_bool, CL_TRUE),

    // Sub-devices.
    QUERN_CAPS(CL_DEVICE_PARENT_DEVICE, cl_device_id, toHandle(device.parent())),
    QUERN_CAPS(CL_DEVICE_PARTITION_MAX_SUB_DEVICES, cl_uint, caps.maxSubDevices),
    QUERN_LIST(CL_DEVICE_PARTITION_PROPERTIES, partitionProperties(caps)),
    QUERN_CAPS(CL_DEVICE_PARTITION_AFFINITY_DOMAIN, cl_device_affinity_domain,
               affinityDomains(caps)),
    QUERN_LIST(CL_DEVICE_PARTITION_TYPE, partitionType(device)),
    QUERN_CAPS(CL_DEVICE_REFERENCE_COUNT, cl_uint, device.apiReferences()),
};

#undef QUERN_CAPS
#undef QUERN_STRING
#undef QUERN_LIST

/// The value of a query that one of the device's own extensions brings, or null.
const Bytes* valueOfExtension(const Caps& caps, cl_device_info name) {
  for (const device::QueryExtension& extension : caps.queryExtensions)
    for (const auto& [query, value] : extension.values)
      if (query == name)
        return &value;
  return nullptr;
}

} // namespace

Status getDeviceInfo(cl_device_id device, cl_device_info name, const InfoRequest& request) {
  QUERN_ASSIGN(const Device* object, fromHandle<Device>(device));
  if (const Bytes* bytes = valueOfExtension(object->caps(), name)) {
    InfoValue value;
    value.putBytes(*bytes);
    return answer(value, request);
  }
  return query(std::span<const InfoRow<Device>>(deviceRows), "device", *object, name, request);
}

} // namespace quern::api
