#include <regex>
#include <set>

#include "opencl_test.h"

namespace quern::test {
namespace {

class DeviceTest : public OpenClTest {
protected:
  template <typename T> T get(cl_device_info name) {
    return info<T>(clGetDeviceInfo, device, name);
  }
};

TEST_F(DeviceTest, answersEveryQueryOfTheSpecification) {
  for (const cl_device_info name : {CL_DEVICE_TYPE,
                                    CL_DEVICE_VENDOR_ID,
                                    CL_DEVICE_MAX_COMPUTE_UNITS,
                                    CL_DEVICE_MAX_WORK_ITEM_DIMENSIONS,
                                    CL_DEVICE_MAX_WORK_ITEM_SIZES,
                                    CL_DEVICE_MAX_WORK_GROUP_SIZE,
                                    CL_DEVICE_PREFERRED_VECTOR_WIDTH_CHAR,
                                    CL_DEVICE_PREFERRED_VECTOR_WIDTH_SHORT,
                                    CL_DEVICE_PREFERRED_VECTOR_WIDTH_INT,
                                    CL_DEVICE_PREFERRED_VECTOR_WIDTH_LONG,
                                    CL_DEVICE_PREFERRED_VECTOR_WIDTH_FLOAT,
                                    CL_DEVICE_PREFERRED_VECTOR_WIDTH_DOUBLE,
                                    CL_DEVICE_PREFERRED_VECTOR_WIDTH_HALF,
                                    CL_DEVICE_NATIVE_VECTOR_WIDTH_CHAR,
                                    CL_DEVICE_NATIVE_VECTOR_WIDTH_SHORT,
                                    CL_DEVICE_NATIVE_VECTOR_WIDTH_INT,
                                    CL_DEVICE_NATIVE_VECTOR_WIDTH_LONG,
                                    CL_DEVICE_NATIVE_VECTOR_WIDTH_FLOAT,
                                    CL_DEVICE_NATIVE_VECTOR_WIDTH_DOUBLE,
                                    CL_DEVICE_NATIVE_VECTOR_WIDTH_HALF,
                                    CL_DEVICE_MAX_CLOCK_FREQUENCY,
                                    CL_DEVICE_ADDRESS_BITS,
                                    CL_DEVICE_MAX_MEM_ALLOC_SIZE,
                                    CL_DEVICE_IMAGE_SUPPORT,
                                    CL_DEVICE_MAX_READ_IMAGE_ARGS,
                                    CL_DEVICE_MAX_WRITE_IMAGE_ARGS,
                                    CL_DEVICE_MAX_READ_WRITE_IMAGE_ARGS,
                                    CL_DEVICE_IL_VERSION,
                                    CL_DEVICE_ILS_WITH_VERSION,
                                    CL_DEVICE_IMAGE2D_MAX_WIDTH,
                                    CL_DEVICE_IMAGE2D_MAX_HEIGHT,
                                    CL_DEVICE_IMAGE3D_MAX_WIDTH,
                                    CL_DEVICE_IMAGE3D_MAX_HEIGHT,
                                    CL_DEVICE_IMAGE3D_MAX_DEPTH,
                                    CL_DEVICE_IMAGE_MAX_BUFFER_SIZE,
                                    CL_DEVICE_IMAGE_MAX_ARRAY_SIZE,
                                    CL_DEVICE_MAX_SAMPLERS,
                                    CL_DEVICE_IMAGE_PITCH_ALIGNMENT,
                                    CL_DEVICE_IMAGE_BASE_ADDRESS_ALIGNMENT,
                                    CL_DEVICE_MAX_PIPE_ARGS,
                                    CL_DEVICE_PIPE_MAX_ACTIVE_RESERVATIONS,
                                    CL_DEVICE_PIPE_MAX_PACKET_SIZE,
                                    CL_DEVICE_MAX_PARAMETER_SIZE,
                                    CL_DEVICE_MEM_BASE_ADDR_ALIGN,
                                    CL_DEVICE_MIN_DATA_TYPE_ALIGN_SIZE,
                                    CL_DEVICE_SINGLE_FP_CONFIG,
                                    CL_DEVICE_DOUBLE_FP_CONFIG,
                                    CL_DEVICE_GLOBAL_MEM_CACHE_TYPE,
                                    CL_DEVICE_GLOBAL_MEM_CACHELINE_SIZE,
                                    CL_DEVICE_GLOBAL_MEM_CACHE_SIZE,
                                    CL_DEVICE_GLOBAL_MEM_SIZE,
                                    CL_DEVICE_MAX_CONSTANT_BUFFER_SIZE,
                                    CL_DEVICE_MAX_CONSTANT_ARGS,
                                    CL_DEVICE_MAX_GLOBAL_VARIABLE_SIZE,
                                    CL_DEVICE_GLOBAL_VARIABLE_PREFERRED_TOTAL_SIZE,
                                    CL_DEVICE_LOCAL_MEM_TYPE,
                                    CL_DEVICE_LOCAL_MEM_SIZE,
                                    CL_DEVICE_ERROR_CORRECTION_SUPPORT,
                                    CL_DEVICE_HOST_UNIFIED_MEMORY,
                                    CL_DEVICE_PROFILING_TIMER_RESOLUTION,
                                    CL_DEVICE_ENDIAN_LITTLE,
                                    CL_DEVICE_AVAILABLE,
                                    CL_DEVICE_COMPILER_AVAILABLE,
                                    CL_DEVICE_LINKER_AVAILABLE,
                                    CL_DEVICE_EXECUTION_CAPABILITIES,
                                    CL_DEVICE_QUEUE_ON_HOST_PROPERTIES,
                                    CL_DEVICE_QUEUE_ON_DEVICE_PROPERTIES,
                                    CL_DEVICE_QUEUE_ON_DEVICE_PREFERRED_SIZE,
                                    CL_DEVICE_QUEUE_ON_DEVICE_MAX_SIZE,
                                    CL_DEVICE_MAX_ON_DEVICE_QUEUES,
                                    CL_DEVICE_MAX_ON_DEVICE_EVENTS,
                                    CL_DEVICE_BUILT_IN_KERNELS,
                                    CL_DEVICE_BUILT_IN_KERNELS_WITH_VERSION,
                                    CL_DEVICE_PLATFORM,
                                    CL_DEVICE_NAME,
                                    CL_DEVICE_VENDOR,
                                    CL_DRIVER_VERSION,
                                    CL_DEVICE_PROFILE,
                                    CL_DEVICE_VERSION,
                                    CL_DEVICE_NUMERIC_VERSION,
                                    CL_DEVICE_OPENCL_C_VERSION,
                                    CL_DEVICE_OPENCL_C_ALL_VERSIONS,
                                    CL_DEVICE_OPENCL_C_FEATURES,
                                    CL_DEVICE_EXTENSIONS,
                                    CL_DEVICE_EXTENSIONS_WITH_VERSION,
                                    CL_DEVICE_PRINTF_BUFFER_SIZE,
                                    CL_DEVICE_PREFERRED_INTEROP_USER_SYNC,
                                    CL_DEVICE_PARENT_DEVICE,
                                    CL_DEVICE_PARTITION_MAX_SUB_DEVICES,
                                    CL_DEVICE_PARTITION_PROPERTIES,
                                    CL_DEVICE_PARTITION_AFFINITY_DOMAIN,
                                    CL_DEVICE_PARTITION_TYPE,
                                    CL_DEVICE_REFERENCE_COUNT,
                                    CL_DEVICE_SVM_CAPABILITIES,
                                    CL_DEVICE_PREFERRED_PLATFORM_ATOMIC_ALIGNMENT,
                                    CL_DEVICE_PREFERRED_GLOBAL_ATOMIC_ALIGNMENT,
                                    CL_DEVICE_PREFERRED_LOCAL_ATOMIC_ALIGNMENT,
                                    CL_DEVICE_MAX_NUM_SUB_GROUPS,
                                    CL_DEVICE_SUB_GROUP_INDEPENDENT_FORWARD_PROGRESS,
                                    CL_DEVICE_ATOMIC_MEMORY_CAPABILITIES,
                                    CL_DEVICE_ATOMIC_FENCE_CAPABILITIES,
                                    CL_DEVICE_NON_UNIFORM_WORK_GROUP_SUPPORT,
                                    CL_DEVICE_WORK_GROUP_COLLECTIVE_FUNCTIONS_SUPPORT,
                                    CL_DEVICE_GENERIC_ADDRESS_SPACE_SUPPORT,
                                    CL_DEVICE_DEVICE_ENQUEUE_CAPABILITIES,
                                    CL_DEVICE_PIPE_SUPPORT,
                                    CL_DEVICE_PREFERRED_WORK_GROUP_SIZE_MULTIPLE,
                                    CL_DEVICE_LATEST_CONFORMANCE_VERSION_PASSED}) {
    size_t size = 0;
    EXPECT_EQ(CL_SUCCESS, clGetDeviceInfo(device, name, 0, nullptr, &size)) << std::hex << name;
    std::vector<char> value(size + 1);
    EXPECT_EQ(CL_SUCCESS, clGetDeviceInfo(device, name, size, value.data(), nullptr))
        << std::hex << name;
  }
}

TEST_F(DeviceTest, meetsTheMinimumsOfTheFullProfile) {
  EXPECT_EQ(cl_device_type{CL_DEVICE_TYPE_CPU}, get<cl_device_type>(CL_DEVICE_TYPE));
  EXPECT_EQ(platform, get<cl_platform_id>(CL_DEVICE_PLATFORM));
  EXPECT_GE(get<cl_uint>(CL_DEVICE_MAX_COMPUTE_UNITS), 1u);
  EXPECT_EQ(3u, get<cl_uint>(CL_DEVICE_MAX_WORK_ITEM_DIMENSIONS));
  EXPECT_EQ(3u, infoList<size_t>(clGetDeviceInfo, device, CL_DEVICE_MAX_WORK_ITEM_SIZES).size());
  EXPECT_GE(get<size_t>(CL_DEVICE_MAX_PARAMETER_SIZE), 1024u);
  EXPECT_GE(get<cl_uint>(CL_DEVICE_MEM_BASE_ADDR_ALIGN), 1024u);
  EXPECT_GE(get<cl_ulong>(CL_DEVICE_MAX_CONSTANT_BUFFER_SIZE), 65536u);
  EXPECT_GE(get<cl_uint>(CL_DEVICE_MAX_CONSTANT_ARGS), 8u);
  EXPECT_GE(get<cl_ulong>(CL_DEVICE_LOCAL_MEM_SIZE), 32768u);
  EXPECT_GE(get<size_t>(CL_DEVICE_PRINTF_BUFFER_SIZE), size_t{1} << 20);
  const auto global = get<cl_ulong>(CL_DEVICE_GLOBAL_MEM_SIZE);
  EXPECT_LE(get<cl_ulong>(CL_DEVICE_MAX_MEM_ALLOC_SIZE), global);
  EXPECT_GE(get<cl_ulong>(CL_DEVICE_MAX_MEM_ALLOC_SIZE), std::min<cl_ulong>(1 << 30, global / 4));
  EXPECT_EQ(cl_command_queue_properties{CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE |
                                        CL_QUEUE_PROFILING_ENABLE},
            get<cl_command_queue_properties>(CL_DEVICE_QUEUE_ON_HOST_PROPERTIES));
  const auto fp = get<cl_device_fp_config>(CL_DEVICE_SINGLE_FP_CONFIG);
  constexpr cl_device_fp_config least = CL_FP_ROUND_TO_NEAREST | CL_FP_INF_NAN;
  EXPECT_EQ(least, fp & least);
  const auto atomics = get<cl_device_atomic_capabilities>(CL_DEVICE_ATOMIC_MEMORY_CAPABILITIES);
  EXPECT_TRUE(atomics & CL_DEVICE_ATOMIC_ORDER_RELAXED);
  EXPECT_TRUE(atomics & CL_DEVICE_ATOMIC_SCOPE_WORK_GROUP);
}

// Programs such as hashcat keep binaries of their own until this changes.
TEST_F(DeviceTest, driverVersionTellsOneBuildFromAnother) {
  const std::string version = infoString(clGetDeviceInfo, device, CL_DRIVER_VERSION);
  EXPECT_TRUE(std::regex_match(version, std::regex("[0-9.]+-[0-9a-f]{8}"))) << version;
  const auto identity = infoList<char>(clGetDeviceInfo, device, CL_DRIVER_UUID_KHR);
  ASSERT_EQ(identity.size(), size_t{CL_UUID_SIZE_KHR});
  EXPECT_EQ(version.substr(version.size() - 8), std::string(identity.data(), 8));
}

TEST_F(DeviceTest, listsAgreeWithTheirVersionedForms) {
  std::string joined;
  std::set<std::string> names;
  for (const cl_name_version& extension :
       infoList<cl_name_version>(clGetDeviceInfo, device, CL_DEVICE_EXTENSIONS_WITH_VERSION)) {
    joined += (joined.empty() ? "" : " ") + std::string(extension.name);
    EXPECT_TRUE(names.insert(extension.name).second) << extension.name << " is listed twice";
  }
  EXPECT_EQ(joined, infoString(clGetDeviceInfo, device, CL_DEVICE_EXTENSIONS));
  std::set<cl_version> versions;
  for (const cl_name_version& version :
       infoList<cl_name_version>(clGetDeviceInfo, device, CL_DEVICE_OPENCL_C_ALL_VERSIONS)) {
    EXPECT_STREQ("OpenCL C", version.name);
    versions.insert(version.version);
  }
  EXPECT_TRUE(versions.contains(CL_MAKE_VERSION(3, 1, 0)));
  EXPECT_TRUE(versions.contains(CL_MAKE_VERSION(3, 0, 0)));
  EXPECT_TRUE(versions.contains(CL_MAKE_VERSION(1, 2, 0)));
  for (const cl_name_version& feature :
       infoList<cl_name_version>(clGetDeviceInfo, device, CL_DEVICE_OPENCL_C_FEATURES))
    EXPECT_EQ(0u, std::string(feature.name).find("__opencl_c_"));
}

// cl_ext_float_atomics: loads and stores, sums, minima and maxima in global and in local memory.
TEST_F(DeviceTest, hasFloatAtomics) {
  for (const cl_device_info name : {0x4231, 0x4232, 0x4233}) // of float, double and half
    EXPECT_EQ(0x00070007u, get<cl_bitfield>(name)) << std::hex << name;
}

TEST_F(DeviceTest, hasImages) {
  EXPECT_EQ(cl_bool{CL_TRUE}, get<cl_bool>(CL_DEVICE_IMAGE_SUPPORT));
  // The least that the full profile allows.
  EXPECT_LE(16384u, get<size_t>(CL_DEVICE_IMAGE2D_MAX_WIDTH));
  EXPECT_LE(16384u, get<size_t>(CL_DEVICE_IMAGE2D_MAX_HEIGHT));
  EXPECT_LE(2048u, get<size_t>(CL_DEVICE_IMAGE3D_MAX_WIDTH));
  EXPECT_LE(2048u, get<size_t>(CL_DEVICE_IMAGE3D_MAX_HEIGHT));
  EXPECT_LE(2048u, get<size_t>(CL_DEVICE_IMAGE3D_MAX_DEPTH));
  EXPECT_LE(2048u, get<size_t>(CL_DEVICE_IMAGE_MAX_ARRAY_SIZE));
  EXPECT_LE(65536u, get<size_t>(CL_DEVICE_IMAGE_MAX_BUFFER_SIZE));
  EXPECT_LE(128u, get<cl_uint>(CL_DEVICE_MAX_READ_IMAGE_ARGS));
  EXPECT_LE(64u, get<cl_uint>(CL_DEVICE_MAX_WRITE_IMAGE_ARGS));
  EXPECT_LE(64u, get<cl_uint>(CL_DEVICE_MAX_READ_WRITE_IMAGE_ARGS));
  EXPECT_LE(16u, get<cl_uint>(CL_DEVICE_MAX_SAMPLERS));
  EXPECT_EQ(1u, get<cl_uint>(CL_DEVICE_IMAGE_PITCH_ALIGNMENT));
  EXPECT_EQ(1u, get<cl_uint>(CL_DEVICE_IMAGE_BASE_ADDRESS_ALIGNMENT));
}

TEST_F(DeviceTest, selectsByType) {
  cl_uint count = 0;
  for (const cl_device_type type :
       {cl_device_type{CL_DEVICE_TYPE_CPU}, cl_device_type{CL_DEVICE_TYPE_DEFAULT},
        cl_device_type{CL_DEVICE_TYPE_ALL},
        cl_device_type{CL_DEVICE_TYPE_CPU | CL_DEVICE_TYPE_GPU}})
    EXPECT_EQ(CL_SUCCESS, clGetDeviceIDs(platform, type, 0, nullptr, &count));
  EXPECT_EQ(1u, count);
  cl_device_id found = nullptr;
  EXPECT_EQ(CL_DEVICE_NOT_FOUND, clGetDeviceIDs(platform, CL_DEVICE_TYPE_GPU, 1, &found, nullptr));
  EXPECT_EQ(nullptr, found);
  EXPECT_EQ(CL_DEVICE_NOT_FOUND,
            clGetDeviceIDs(platform, CL_DEVICE_TYPE_CUSTOM, 1, &found, nullptr));
}

/// As bindings for languages without unsigned numbers pass it.
TEST_F(DeviceTest, allTypesMayBeGivenWithASign) {
  cl_uint all = 0, count = 0;
  EXPECT_EQ(CL_SUCCESS, clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 0, nullptr, &all));
  EXPECT_EQ(CL_SUCCESS, clGetDeviceIDs(platform, ~cl_device_type{0}, 0, nullptr, &count));
  EXPECT_EQ(all, count);
}

TEST_F(DeviceTest, rejectsWrongArguments) {
  cl_device_id found = nullptr;
  cl_uint count = 0;
  EXPECT_EQ(CL_INVALID_PLATFORM, clGetDeviceIDs(reinterpret_cast<cl_platform_id>(device),
                                                CL_DEVICE_TYPE_ALL, 1, &found, nullptr));
  EXPECT_EQ(CL_INVALID_DEVICE_TYPE, clGetDeviceIDs(platform, 0, 1, &found, nullptr));
  EXPECT_EQ(CL_INVALID_DEVICE_TYPE, clGetDeviceIDs(platform, 1 << 10, 1, &found, nullptr));
  EXPECT_EQ(CL_INVALID_VALUE, clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 0, &found, &count));
  EXPECT_EQ(CL_INVALID_VALUE, clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, nullptr, nullptr));
  expectQueryErrors(clGetDeviceInfo, device, CL_DEVICE_NAME);
  EXPECT_EQ(CL_INVALID_DEVICE, clGetDeviceInfo(reinterpret_cast<cl_device_id>(platform),
                                               CL_DEVICE_NAME, 0, nullptr, nullptr));
}

TEST_F(DeviceTest, rootDevicesAreNotCounted) {
  EXPECT_EQ(CL_SUCCESS, clRetainDevice(device));
  EXPECT_EQ(1u, get<cl_uint>(CL_DEVICE_REFERENCE_COUNT));
  EXPECT_EQ(CL_SUCCESS, clReleaseDevice(device));
  EXPECT_EQ(CL_SUCCESS, clReleaseDevice(device));
  EXPECT_EQ(1u, get<cl_uint>(CL_DEVICE_REFERENCE_COUNT));
  EXPECT_EQ(CL_INVALID_DEVICE, clRetainDevice(reinterpret_cast<cl_device_id>(context.get())));
  EXPECT_EQ(CL_INVALID_DEVICE, clReleaseDevice(reinterpret_cast<cl_device_id>(context.get())));
}

TEST_F(DeviceTest, timersRunTogether) {
  cl_ulong deviceTime = 0, hostTime = 0, later = 0;
  EXPECT_EQ(CL_SUCCESS, clGetDeviceAndHostTimer(device, &deviceTime, &hostTime));
  EXPECT_EQ(CL_SUCCESS, clGetHostTimer(device, &later));
  EXPECT_GE(later, hostTime);
  EXPECT_GE(hostTime, deviceTime);
  EXPECT_EQ(CL_INVALID_VALUE, clGetDeviceAndHostTimer(device, nullptr, &hostTime));
  EXPECT_EQ(CL_INVALID_VALUE, clGetDeviceAndHostTimer(device, &deviceTime, nullptr));
  EXPECT_EQ(CL_INVALID_VALUE, clGetHostTimer(device, nullptr));
  const auto wrong = reinterpret_cast<cl_device_id>(queue.get());
  EXPECT_EQ(CL_INVALID_DEVICE, clGetDeviceAndHostTimer(wrong, &deviceTime, &hostTime));
  EXPECT_EQ(CL_INVALID_DEVICE, clGetHostTimer(wrong, &hostTime));
}

} // namespace
} // namespace quern::test
