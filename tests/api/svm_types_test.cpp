// cl_khr_unified_svm on the CPU.
#include <limits>

#include "opencl_test.h"
#include "svm_memory.h"

namespace quern::test {
namespace {

// Newer than the headers of some systems.
constexpr cl_platform_info platformTypes = 0x0909;
constexpr cl_device_info deviceTypes = 0x1077;
constexpr cl_properties associatedDevice = 0x2078, accessFlags = 0x2079, alignment = 0x207A;
constexpr cl_uint infoType = 0x2088, infoCapabilities = 0x2089, infoProperties = 0x208A,
                  infoAccess = 0x208B, infoBase = 0x419B, infoSize = 0x419C, infoDevice = 0x419D;
constexpr cl_uint none = std::numeric_limits<cl_uint>::max();
/// What the extension's convenience macros stand for, in the order of our types.
constexpr cl_bitfield macros[] = {0xf19, 0x1fd9, 0x4e05, 0x46f9, 0x46c1, 0x7fdb};

class SvmTypesTest : public OpenClTest {
protected:
  void SetUp() override {
    OpenClTest::SetUp();
    const auto find = [](auto& function, const char* name) {
      function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(
          clGetExtensionFunctionAddressForPlatform(quernPlatform(), name));
      ASSERT_TRUE(function) << name;
    };
    find(allocate, "clSVMAllocWithPropertiesKHR");
    find(free, "clSVMFreeWithPropertiesKHR");
    find(about, "clGetSVMPointerInfoKHR");
    find(suggest, "clGetSVMSuggestedTypeIndexKHR");
    types = infoList<cl_bitfield>(clGetDeviceInfo, device, deviceTypes);
  }
  template <typename T> T get(const void* pointer, cl_uint name) const {
    T value = {};
    size_t size = 0;
    EXPECT_EQ(CL_SUCCESS, about(context.get(), nullptr, pointer, name, sizeof(T), &value, &size));
    EXPECT_EQ(sizeof(T), size);
    return value;
  }

  void*(CL_API_CALL* allocate)(cl_context, const cl_properties*, cl_uint, size_t, cl_int*);
  cl_int(CL_API_CALL* free)(cl_context, const cl_properties*, cl_bitfield, void*);
  cl_int(CL_API_CALL* about)(cl_context, cl_device_id, const void*, cl_uint, size_t, void*,
                             size_t*);
  cl_int(CL_API_CALL* suggest)(cl_context, cl_bitfield, cl_bitfield, const cl_properties*, size_t,
                               cl_uint*);
  std::vector<cl_bitfield> types;
};

TEST_F(SvmTypesTest, deviceHasThoseOfThePlatformAndMore) {
  const auto platform = infoList<cl_bitfield>(clGetPlatformInfo, quernPlatform(), platformTypes);
  ASSERT_EQ(platform.size(), types.size());
  ASSERT_EQ(6u, types.size());
  for (size_t i = 0; i < types.size(); ++i) {
    EXPECT_EQ(platform[i], types[i] & platform[i]) << i;
    EXPECT_NE(0u, types[i]) << i;
  }
}

TEST_F(SvmTypesTest, allocationsAreKnownByTheirType) {
  const cl_properties properties[] = {
      associatedDevice, reinterpret_cast<cl_properties>(device), accessFlags, 2, alignment, 64, 0};
  for (cl_uint type = 0; type < 5; ++type) {
    SCOPED_TRACE(type);
    cl_int code = -1;
    void* const pointer = allocate(context.get(), properties, type, 1000, &code);
    EXPECT_EQ(CL_SUCCESS, code);
    ASSERT_NE(nullptr, pointer);
    EXPECT_EQ(0u, reinterpret_cast<uintptr_t>(pointer) % 64);
    const void* const inside = static_cast<char*>(pointer) + 999;
    EXPECT_EQ(type, get<cl_uint>(inside, infoType));
    EXPECT_EQ(types[type], get<cl_bitfield>(inside, infoCapabilities));
    EXPECT_EQ(2u, get<cl_bitfield>(inside, infoAccess));
    EXPECT_EQ(pointer, get<void*>(inside, infoBase));
    EXPECT_EQ(1000u, get<size_t>(inside, infoSize));
    EXPECT_EQ(device, get<cl_device_id>(inside, infoDevice));
    size_t size = 0;
    EXPECT_EQ(CL_SUCCESS, about(context.get(), device, inside, infoProperties, 0, nullptr, &size));
    EXPECT_EQ(sizeof(properties), size);
    const cl_int pattern = 5;
    cl_int result = 0;
    EXPECT_EQ(CL_SUCCESS,
              clEnqueueSVMMemFill(queue.get(), pointer, &pattern, 4, 1000, 0, nullptr, nullptr));
    EXPECT_EQ(CL_SUCCESS,
              clEnqueueSVMMemcpy(queue.get(), CL_TRUE, &result, pointer, 4, 0, nullptr, nullptr));
    EXPECT_EQ(5, result);
    EXPECT_EQ(CL_SUCCESS, free(context.get(), nullptr, 0, pointer));
    EXPECT_EQ(none, get<cl_uint>(pointer, infoType));
  }
  const SvmMemory coarse(context, 64), fine(context, 64, CL_MEM_SVM_FINE_GRAIN_BUFFER);
  EXPECT_EQ(0u, get<cl_uint>(coarse.get(), infoType));
  EXPECT_EQ(1u, get<cl_uint>(fine.get(), infoType));
}

TEST_F(SvmTypesTest, otherPointersAreUnknown) {
  int mine = 0;
  EXPECT_EQ(none, get<cl_uint>(&mine, infoType));
  EXPECT_EQ(0u, get<cl_bitfield>(&mine, infoCapabilities));
  EXPECT_EQ(0u, get<cl_bitfield>(&mine, infoAccess));
  EXPECT_EQ(nullptr, get<void*>(&mine, infoBase));
  EXPECT_EQ(0u, get<size_t>(&mine, infoSize));
  EXPECT_EQ(nullptr, get<cl_device_id>(&mine, infoDevice));
  size_t size = 1;
  EXPECT_EQ(CL_SUCCESS, about(context.get(), nullptr, &mine, infoProperties, 0, nullptr, &size));
  EXPECT_EQ(0u, size);
}

TEST_F(SvmTypesTest, suggestionsHaveWhatIsRequired) {
  for (const cl_bitfield required : macros) {
    cl_uint index = none;
    EXPECT_EQ(CL_SUCCESS, suggest(context.get(), required, 0, nullptr, 0, &index)) << required;
    ASSERT_LT(index, types.size()) << required;
    EXPECT_EQ(required, types[index] & required);
  }
  // Owned by a device and by the host.
  cl_uint index = 0;
  EXPECT_EQ(CL_SUCCESS, suggest(context.get(), 0x24, 0, nullptr, 0, &index));
  EXPECT_EQ(none, index);
  EXPECT_EQ(CL_SUCCESS, suggest(context.get(), 0, 0x04, nullptr, 0, &index));
  EXPECT_EQ(2u, index);
}

TEST_F(SvmTypesTest, refusesWhatIsNotValid) {
  const cl_properties device[] = {associatedDevice, reinterpret_cast<cl_properties>(context.get()),
                                  0};
  const cl_properties unknown[] = {0x207B, 0, 0};
  const cl_properties twice[] = {accessFlags, 0, accessFlags, 0, 0};
  const cl_properties badAccess[] = {accessFlags, 4, 0};
  const cl_properties badAlignment[] = {alignment, 3, 0};
  const auto refused = [&](cl_int expected, cl_context where, const cl_properties* properties,
                           cl_uint type, size_t bytes) {
    cl_int code = 0;
    EXPECT_EQ(nullptr, allocate(where, properties, type, bytes, &code));
    EXPECT_EQ(expected, code);
  };
  refused(CL_INVALID_CONTEXT, nullptr, nullptr, 0, 64);
  refused(CL_INVALID_DEVICE, context.get(), device, 0, 64);
  for (const cl_properties* properties : {unknown, twice, badAccess, badAlignment}) {
    refused(CL_INVALID_PROPERTY, context.get(), properties, 0, 64);
    cl_uint index = 0;
    EXPECT_EQ(CL_INVALID_PROPERTY, suggest(context.get(), 0, 0, properties, 0, &index));
  }
  refused(CL_INVALID_VALUE, context.get(), nullptr, 6, 64);
  refused(CL_INVALID_OPERATION, context.get(), nullptr, 5, 64); // what malloc gives
  refused(CL_INVALID_OPERATION, context.get(), nullptr, 2, 64); // of a device, but of which?
  refused(CL_INVALID_BUFFER_SIZE, context.get(), nullptr, 0, 0);
  int mine = 0;
  void* const pointer = allocate(context.get(), nullptr, 0, 64, nullptr);
  EXPECT_EQ(CL_INVALID_CONTEXT, free(nullptr, nullptr, 0, pointer));
  EXPECT_EQ(CL_INVALID_PROPERTY, free(context.get(), unknown, 0, pointer));
  EXPECT_EQ(CL_INVALID_VALUE, free(context.get(), nullptr, 1, pointer));
  EXPECT_EQ(CL_INVALID_VALUE, free(context.get(), nullptr, 0, &mine));
  EXPECT_EQ(CL_SUCCESS, free(context.get(), nullptr, 0, nullptr));
  cl_uint type = 0;
  EXPECT_EQ(CL_INVALID_CONTEXT,
            about(nullptr, nullptr, pointer, infoType, sizeof(type), &type, nullptr));
  EXPECT_EQ(CL_INVALID_DEVICE, about(context.get(), reinterpret_cast<cl_device_id>(context.get()),
                                     pointer, infoType, sizeof(type), &type, nullptr));
  EXPECT_EQ(CL_INVALID_VALUE, about(context.get(), nullptr, pointer, 0xdead, 0, nullptr, nullptr));
  EXPECT_EQ(CL_INVALID_VALUE, about(context.get(), nullptr, pointer, infoType, 1, &type, nullptr));
  EXPECT_EQ(CL_INVALID_CONTEXT, suggest(nullptr, 0, 0, nullptr, 0, &type));
  EXPECT_EQ(CL_INVALID_VALUE, suggest(context.get(), 0, 0, nullptr, 0, nullptr));
  EXPECT_EQ(CL_INVALID_VALUE, suggest(context.get(), 1u << 15, 0, nullptr, 0, &type));
  EXPECT_EQ(CL_SUCCESS, free(context.get(), nullptr, 0, pointer));
}

} // namespace
} // namespace quern::test
