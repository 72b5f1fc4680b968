// Asks a device for its claims.
#include <span>
#include <stdexcept>

#include <CL/cl_ext.h>

#include "claims/claims.h"

namespace quern::tests {
namespace {

struct Name {
  cl_bitfield value;
  const char* name;
};
#define QUERN_NAME(constant) {constant, #constant}

constexpr Name deviceTypes[] = {
    QUERN_NAME(CL_DEVICE_TYPE_CPU),
    QUERN_NAME(CL_DEVICE_TYPE_GPU),
    QUERN_NAME(CL_DEVICE_TYPE_ACCELERATOR),
};
constexpr Name floatBits[] = {
    QUERN_NAME(CL_FP_DENORM),           QUERN_NAME(CL_FP_INF_NAN),
    QUERN_NAME(CL_FP_ROUND_TO_NEAREST), QUERN_NAME(CL_FP_ROUND_TO_ZERO),
    QUERN_NAME(CL_FP_ROUND_TO_INF),     QUERN_NAME(CL_FP_FMA),
    QUERN_NAME(CL_FP_SOFT_FLOAT),       QUERN_NAME(CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT),
};
constexpr Name atomicBits[] = {
    QUERN_NAME(CL_DEVICE_ATOMIC_ORDER_RELAXED),    QUERN_NAME(CL_DEVICE_ATOMIC_ORDER_ACQ_REL),
    QUERN_NAME(CL_DEVICE_ATOMIC_ORDER_SEQ_CST),    QUERN_NAME(CL_DEVICE_ATOMIC_SCOPE_WORK_ITEM),
    QUERN_NAME(CL_DEVICE_ATOMIC_SCOPE_WORK_GROUP), QUERN_NAME(CL_DEVICE_ATOMIC_SCOPE_DEVICE),
    QUERN_NAME(CL_DEVICE_ATOMIC_SCOPE_ALL_DEVICES)};
constexpr Name svmBits[] = {
    QUERN_NAME(CL_DEVICE_SVM_COARSE_GRAIN_BUFFER),
    QUERN_NAME(CL_DEVICE_SVM_FINE_GRAIN_BUFFER),
    QUERN_NAME(CL_DEVICE_SVM_FINE_GRAIN_SYSTEM),
    QUERN_NAME(CL_DEVICE_SVM_ATOMICS),
};
constexpr Name unifiedMemoryBits[] = {
    QUERN_NAME(CL_UNIFIED_SHARED_MEMORY_ACCESS_INTEL),
    QUERN_NAME(CL_UNIFIED_SHARED_MEMORY_ATOMIC_ACCESS_INTEL),
    QUERN_NAME(CL_UNIFIED_SHARED_MEMORY_CONCURRENT_ACCESS_INTEL),
    QUERN_NAME(CL_UNIFIED_SHARED_MEMORY_CONCURRENT_ATOMIC_ACCESS_INTEL),
};
constexpr Name executionBits[] = {QUERN_NAME(CL_EXEC_KERNEL), QUERN_NAME(CL_EXEC_NATIVE_KERNEL)};
constexpr Name queueBits[] = {QUERN_NAME(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE),
                              QUERN_NAME(CL_QUEUE_PROFILING_ENABLE)};

constexpr Name enqueueBits[] = {QUERN_NAME(CL_DEVICE_QUEUE_SUPPORTED),
                                QUERN_NAME(CL_DEVICE_QUEUE_REPLACEABLE_DEFAULT)};

struct BitsQuery {
  cl_device_info query;
  const char* name;
  std::span<const Name> bits;
};
constexpr BitsQuery bitsQueries[] = {
    {CL_DEVICE_TYPE, "CL_DEVICE_TYPE", deviceTypes},
    {CL_DEVICE_HALF_FP_CONFIG, "CL_DEVICE_HALF_FP_CONFIG", floatBits},
    {CL_DEVICE_SINGLE_FP_CONFIG, "CL_DEVICE_SINGLE_FP_CONFIG", floatBits},
    {CL_DEVICE_DOUBLE_FP_CONFIG, "CL_DEVICE_DOUBLE_FP_CONFIG", floatBits},
    {CL_DEVICE_ATOMIC_MEMORY_CAPABILITIES, "CL_DEVICE_ATOMIC_MEMORY_CAPABILITIES", atomicBits},
    {CL_DEVICE_ATOMIC_FENCE_CAPABILITIES, "CL_DEVICE_ATOMIC_FENCE_CAPABILITIES", atomicBits},
    {CL_DEVICE_SVM_CAPABILITIES, "CL_DEVICE_SVM_CAPABILITIES", svmBits},
    {CL_DEVICE_HOST_MEM_CAPABILITIES_INTEL, "CL_DEVICE_HOST_MEM_CAPABILITIES_INTEL",
     unifiedMemoryBits},
    {CL_DEVICE_DEVICE_MEM_CAPABILITIES_INTEL, "CL_DEVICE_DEVICE_MEM_CAPABILITIES_INTEL",
     unifiedMemoryBits},
    {CL_DEVICE_SINGLE_DEVICE_SHARED_MEM_CAPABILITIES_INTEL,
     "CL_DEVICE_SINGLE_DEVICE_SHARED_MEM_CAPABILITIES_INTEL", unifiedMemoryBits},
    {CL_DEVICE_CROSS_DEVICE_SHARED_MEM_CAPABILITIES_INTEL,
     "CL_DEVICE_CROSS_DEVICE_SHARED_MEM_CAPABILITIES_INTEL", unifiedMemoryBits},
    {CL_DEVICE_SHARED_SYSTEM_MEM_CAPABILITIES_INTEL,
     "CL_DEVICE_SHARED_SYSTEM_MEM_CAPABILITIES_INTEL", unifiedMemoryBits},
    {CL_DEVICE_EXECUTION_CAPABILITIES, "CL_DEVICE_EXECUTION_CAPABILITIES", executionBits},
    {CL_DEVICE_QUEUE_ON_HOST_PROPERTIES, "CL_DEVICE_QUEUE_ON_HOST_PROPERTIES", queueBits},
    {CL_DEVICE_QUEUE_ON_DEVICE_PROPERTIES, "CL_DEVICE_QUEUE_ON_DEVICE_PROPERTIES", queueBits},
    {CL_DEVICE_DEVICE_ENQUEUE_CAPABILITIES, "CL_DEVICE_DEVICE_ENQUEUE_CAPABILITIES", enqueueBits},
};

constexpr Name truths[] = {
    QUERN_NAME(CL_DEVICE_AVAILABLE),
    QUERN_NAME(CL_DEVICE_COMPILER_AVAILABLE),
    QUERN_NAME(CL_DEVICE_ENDIAN_LITTLE),
    QUERN_NAME(CL_DEVICE_GENERIC_ADDRESS_SPACE_SUPPORT),
    QUERN_NAME(CL_DEVICE_IMAGE_SUPPORT),
    QUERN_NAME(CL_DEVICE_LINKER_AVAILABLE),
    QUERN_NAME(CL_DEVICE_NON_UNIFORM_WORK_GROUP_SUPPORT),
    QUERN_NAME(CL_DEVICE_PIPE_SUPPORT),
    QUERN_NAME(CL_DEVICE_SUB_GROUP_INDEPENDENT_FORWARD_PROGRESS),
    QUERN_NAME(CL_DEVICE_WORK_GROUP_COLLECTIVE_FUNCTIONS_SUPPORT),
};

constexpr Name numbers[] = {
    QUERN_NAME(CL_DEVICE_ADDRESS_BITS),
    QUERN_NAME(CL_DEVICE_GLOBAL_MEM_CACHELINE_SIZE),
    QUERN_NAME(CL_DEVICE_GLOBAL_MEM_SIZE),
    QUERN_NAME(CL_DEVICE_IMAGE2D_MAX_HEIGHT),
    QUERN_NAME(CL_DEVICE_IMAGE2D_MAX_WIDTH),
    QUERN_NAME(CL_DEVICE_IMAGE3D_MAX_DEPTH),
    QUERN_NAME(CL_DEVICE_IMAGE3D_MAX_HEIGHT),
    QUERN_NAME(CL_DEVICE_IMAGE3D_MAX_WIDTH),
    QUERN_NAME(CL_DEVICE_IMAGE_BASE_ADDRESS_ALIGNMENT),
    QUERN_NAME(CL_DEVICE_IMAGE_MAX_ARRAY_SIZE),
    QUERN_NAME(CL_DEVICE_IMAGE_MAX_BUFFER_SIZE),
    QUERN_NAME(CL_DEVICE_IMAGE_PITCH_ALIGNMENT),
    QUERN_NAME(CL_DEVICE_LOCAL_MEM_SIZE),
    QUERN_NAME(CL_DEVICE_MAX_CONSTANT_ARGS),
    QUERN_NAME(CL_DEVICE_MAX_CONSTANT_BUFFER_SIZE),
    QUERN_NAME(CL_DEVICE_MAX_GLOBAL_VARIABLE_SIZE),
    QUERN_NAME(CL_DEVICE_MAX_MEM_ALLOC_SIZE),
    QUERN_NAME(CL_DEVICE_MAX_NUM_SUB_GROUPS),
    QUERN_NAME(CL_DEVICE_MAX_ON_DEVICE_EVENTS),
    QUERN_NAME(CL_DEVICE_MAX_ON_DEVICE_QUEUES),
    QUERN_NAME(CL_DEVICE_MAX_PARAMETER_SIZE),
    QUERN_NAME(CL_DEVICE_MAX_PIPE_ARGS),
    QUERN_NAME(CL_DEVICE_MAX_READ_IMAGE_ARGS),
    QUERN_NAME(CL_DEVICE_MAX_READ_WRITE_IMAGE_ARGS),
    QUERN_NAME(CL_DEVICE_MAX_SAMPLERS),
    QUERN_NAME(CL_DEVICE_MAX_WORK_GROUP_SIZE),
    QUERN_NAME(CL_DEVICE_MAX_WORK_ITEM_DIMENSIONS),
    QUERN_NAME(CL_DEVICE_MAX_WRITE_IMAGE_ARGS),
    QUERN_NAME(CL_DEVICE_MEM_BASE_ADDR_ALIGN),
    QUERN_NAME(CL_DEVICE_PARTITION_MAX_SUB_DEVICES),
    QUERN_NAME(CL_DEVICE_PIPE_MAX_ACTIVE_RESERVATIONS),
    QUERN_NAME(CL_DEVICE_PIPE_MAX_PACKET_SIZE),
    QUERN_NAME(CL_DEVICE_PRINTF_BUFFER_SIZE),
    QUERN_NAME(CL_DEVICE_QUEUE_ON_DEVICE_MAX_SIZE),
    QUERN_NAME(CL_DEVICE_QUEUE_ON_DEVICE_PREFERRED_SIZE),
};

struct VersionsQuery {
  cl_device_info query;
  const char* prefix;
};
constexpr VersionsQuery versionsQueries[] = {
    {CL_DEVICE_EXTENSIONS_WITH_VERSION, ""},
    {CL_DEVICE_OPENCL_C_FEATURES, ""},
    {CL_DEVICE_BUILT_IN_KERNELS_WITH_VERSION, "kernel "},
};

constexpr Name orders[] = {QUERN_NAME(CL_R),         QUERN_NAME(CL_A),
                           QUERN_NAME(CL_RG),        QUERN_NAME(CL_RA),
                           QUERN_NAME(CL_RGB),       QUERN_NAME(CL_RGBA),
                           QUERN_NAME(CL_BGRA),      QUERN_NAME(CL_ARGB),
                           QUERN_NAME(CL_ABGR),      QUERN_NAME(CL_INTENSITY),
                           QUERN_NAME(CL_LUMINANCE), QUERN_NAME(CL_DEPTH),
                           QUERN_NAME(CL_Rx),        QUERN_NAME(CL_RGx),
                           QUERN_NAME(CL_RGBx),      QUERN_NAME(CL_sRGB),
                           QUERN_NAME(CL_sRGBx),     QUERN_NAME(CL_sRGBA),
                           QUERN_NAME(CL_sBGRA),     QUERN_NAME(CL_DEPTH_STENCIL)};
constexpr Name channelTypes[] = {QUERN_NAME(CL_SNORM_INT8),
                                 QUERN_NAME(CL_SNORM_INT16),
                                 QUERN_NAME(CL_UNORM_INT8),
                                 QUERN_NAME(CL_UNORM_INT16),
                                 QUERN_NAME(CL_UNORM_SHORT_565),
                                 QUERN_NAME(CL_UNORM_SHORT_555),
                                 QUERN_NAME(CL_UNORM_INT_101010),
                                 QUERN_NAME(CL_SIGNED_INT8),
                                 QUERN_NAME(CL_SIGNED_INT16),
                                 QUERN_NAME(CL_SIGNED_INT32),
                                 QUERN_NAME(CL_UNSIGNED_INT8),
                                 QUERN_NAME(CL_UNSIGNED_INT16),
                                 QUERN_NAME(CL_UNSIGNED_INT32),
                                 QUERN_NAME(CL_HALF_FLOAT),
                                 QUERN_NAME(CL_FLOAT),
                                 QUERN_NAME(CL_UNORM_INT24),
                                 QUERN_NAME(CL_UNORM_INT_101010_2)};
constexpr Name imageTypes[] = {
    {CL_MEM_OBJECT_IMAGE1D, "1D"},
    {CL_MEM_OBJECT_IMAGE1D_ARRAY, "1D_ARRAY"},
    {CL_MEM_OBJECT_IMAGE1D_BUFFER, "1D_BUFFER"},
    {CL_MEM_OBJECT_IMAGE2D, "2D"},
    {CL_MEM_OBJECT_IMAGE2D_ARRAY, "2D_ARRAY"},
    {CL_MEM_OBJECT_IMAGE3D, "3D"},
};
constexpr Name accesses[] = {
    {CL_MEM_READ_ONLY, "READ_ONLY"},
    {CL_MEM_WRITE_ONLY, "WRITE_ONLY"},
    {CL_MEM_READ_WRITE, "READ_WRITE"},
    {CL_MEM_KERNEL_READ_AND_WRITE, "KERNEL_READ_AND_WRITE"},
};

std::string nameOf(std::span<const Name> names, cl_bitfield value) {
  for (const Name& name : names)
    if (name.value == value)
      return name.name;
  return "the unknown constant " + std::to_string(value);
}

std::string versionText(cl_version version) {
  return std::to_string(CL_VERSION_MAJOR(version)) + "." +
         std::to_string(CL_VERSION_MINOR(version)) + "." +
         std::to_string(CL_VERSION_PATCH(version));
}

} // namespace

class Inquiry {
public:
  explicit Inquiry(cl_device_id device) : device_(device) {}

  Claims answer(cl_context context) {
    for (const VersionsQuery& query : versionsQueries)
      for (const cl_name_version& entry : ask<cl_name_version>(query.query))
        add(std::string(query.prefix) + entry.name, versionText(entry.version));
    for (cl_device_info query : {CL_DEVICE_OPENCL_C_ALL_VERSIONS, CL_DEVICE_ILS_WITH_VERSION})
      for (const cl_name_version& entry : ask<cl_name_version>(query))
        add(entry.name + (" " + versionText(entry.version)));
    for (const BitsQuery& query : bitsQueries)
      addBits(query);
    for (const Name& truth : truths)
      if (askNumber(cl_device_info(truth.value)) != 0)
        add(truth.name);
    for (const Name& number : numbers)
      if (const uint64_t value = askNumber(cl_device_info(number.value)); value != 0)
        add(number.name, std::to_string(value));
    addFormats(context);
    return std::move(claims_);
  }

private:
  /// Empty for a query that the device does not know: of a type that it does not have.
  template <typename T> std::vector<T> ask(cl_device_info query) const {
    size_t bytes = 0;
    cl_int code = clGetDeviceInfo(device_, query, 0, nullptr, &bytes);
    if (code == CL_INVALID_VALUE)
      return {};
    std::vector<T> values(bytes / sizeof(T));
    if (code == CL_SUCCESS && bytes > 0)
      code = clGetDeviceInfo(device_, query, bytes, values.data(), nullptr);
    if (code != CL_SUCCESS)
      throw std::runtime_error("clGetDeviceInfo of " + std::to_string(query) + " returned " +
                               std::to_string(code));
    return values;
  }

  void add(const std::string& name, std::string value = {}) {
    claims_.add(name, Claims::Value{.text = std::move(value)});
  }

  /// Of 4 or 8 bytes.
  uint64_t askNumber(cl_device_info query) const {
    uint64_t number = 0;
    const std::vector<unsigned char> bytes = ask<unsigned char>(query);
    for (size_t i = 0; i < bytes.size(); ++i)
      number |= uint64_t{bytes[i]} << (8 * i);
    return number;
  }

  void addBits(const BitsQuery& query) {
    uint64_t bits = askNumber(query.query);
    for (; bits != 0; bits &= bits - 1)
      add(query.name + (" " + nameOf(query.bits, bits & -bits)));
  }

  static std::vector<cl_image_format> formats(cl_context context, const Name& type,
                                              const Name& access) {
    const auto objectType = static_cast<cl_mem_object_type>(type.value);
    cl_uint count = 0;
    clGetSupportedImageFormats(context, access.value, objectType, 0, nullptr, &count);
    std::vector<cl_image_format> found(count);
    clGetSupportedImageFormats(context, access.value, objectType, count, found.data(), nullptr);
    return found;
  }

  /// One claim for each format: what images of which dimensions may be for.
  void addFormats(cl_context context) {
    // For each format and list of accesses the dimensions.
    std::map<std::string, std::map<std::string, std::string>> dimensions;
    for (const Name& type : imageTypes) {
      std::map<std::string, std::string> uses;
      for (const Name& access : accesses)
        for (const cl_image_format& format : formats(context, type, access))
          uses["image " + nameOf(orders, format.image_channel_order) + " " +
               nameOf(channelTypes, format.image_channel_data_type)] +=
              std::string(" ") + access.name;
      for (const auto& [format, use] : uses)
        dimensions[format][use] += std::string(" ") + type.name;
    }
    for (const auto& [format, uses] : dimensions) {
      std::string value;
      for (const auto& [use, types] : uses)
        value += (value.empty() ? "" : ";") + types + " for" + use;
      add(format, value.substr(1));
    }
  }

  const cl_device_id device_;
  Claims claims_;
};

Claims Claims::of(cl_device_id device, cl_context context) {
  return Inquiry(device).answer(context);
}

std::string listName(cl_device_id device) {
  cl_device_type type = 0;
  clGetDeviceInfo(device, CL_DEVICE_TYPE, sizeof(type), &type, nullptr);
  return type == CL_DEVICE_TYPE_CPU   ? "cpu.txt"
         : type == CL_DEVICE_TYPE_GPU ? "nvidia.txt"
                                      : "null.txt";
}

} // namespace quern::tests
