#include <cstring>
#include <dlfcn.h>

#include <CL/cl_icd.h>

#include "opencl_test.h"

namespace quern::test {
namespace {

class PlatformTest : public OpenClTest {};

TEST_F(PlatformTest, answersEveryQuery) {
  EXPECT_EQ("FULL_PROFILE", infoString(clGetPlatformInfo, platform, CL_PLATFORM_PROFILE));
  EXPECT_EQ(0u,
            infoString(clGetPlatformInfo, platform, CL_PLATFORM_VERSION).find("OpenCL 3.1 Quern"));
  EXPECT_EQ(cl_version{CL_MAKE_VERSION(3, 1, 0)},
            info<cl_version>(clGetPlatformInfo, platform, CL_PLATFORM_NUMERIC_VERSION));
  EXPECT_NE("", infoString(clGetPlatformInfo, platform, CL_PLATFORM_VENDOR));
  EXPECT_EQ("QRN", infoString(clGetPlatformInfo, platform, CL_PLATFORM_ICD_SUFFIX_KHR));
  EXPECT_EQ(1u, info<cl_ulong>(clGetPlatformInfo, platform, CL_PLATFORM_HOST_TIMER_RESOLUTION));
}

TEST_F(PlatformTest, listsTheSameExtensionsWithAndWithoutVersion) {
  std::string joined;
  for (const cl_name_version& extension : infoList<cl_name_version>(
           clGetPlatformInfo, platform, CL_PLATFORM_EXTENSIONS_WITH_VERSION)) {
    joined += (joined.empty() ? "" : " ") + std::string(extension.name);
    // Those of provisional extensions are below 1.0.
    EXPECT_GE(extension.version, cl_version{CL_MAKE_VERSION(0, 9, 0)}) << extension.name;
  }
  EXPECT_EQ(joined, infoString(clGetPlatformInfo, platform, CL_PLATFORM_EXTENSIONS));
  EXPECT_NE(joined.npos, joined.find("cl_khr_icd"));
}

TEST_F(PlatformTest, rejectsWrongArguments) {
  expectQueryErrors(clGetPlatformInfo, platform, CL_PLATFORM_NAME);
  EXPECT_EQ(CL_INVALID_PLATFORM, clGetPlatformInfo(reinterpret_cast<cl_platform_id>(device),
                                                   CL_PLATFORM_NAME, 0, nullptr, nullptr));
  EXPECT_EQ(CL_INVALID_PLATFORM,
            clUnloadPlatformCompiler(reinterpret_cast<cl_platform_id>(context.get())));
  EXPECT_EQ(CL_SUCCESS, clUnloadPlatformCompiler(platform));
  EXPECT_EQ(CL_SUCCESS, clUnloadCompiler());
}

TEST_F(PlatformTest, findsExtensionFunctionsByName) {
  EXPECT_NE(nullptr, clGetExtensionFunctionAddressForPlatform(
                         platform, "clCreateCommandQueueWithPropertiesKHR"));
  EXPECT_EQ(nullptr, clGetExtensionFunctionAddressForPlatform(platform, "clNoSuchFunction"));
  EXPECT_EQ(nullptr,
            clGetExtensionFunctionAddressForPlatform(reinterpret_cast<cl_platform_id>(device),
                                                     "clCreateCommandQueueWithPropertiesKHR"));
}

/// Talks to libquern.so as a loader does.
class LoaderTest : public ::testing::Test {
protected:
  void SetUp() override {
    library = dlopen(QUERN_LIBRARY, RTLD_NOW | RTLD_LOCAL);
    ASSERT_NE(nullptr, library) << dlerror();
  }
  template <typename Function> Function symbol(const char* name) {
    void* address = dlsym(library, name);
    EXPECT_NE(nullptr, address) << name;
    return reinterpret_cast<Function>(address);
  }
  void* library = nullptr;
};

TEST_F(LoaderTest, checksTheArgumentsOfPlatformEnumeration) {
  auto getPlatforms = symbol<clIcdGetPlatformIDsKHR_fn>("clIcdGetPlatformIDsKHR");
  cl_platform_id platform = nullptr;
  cl_uint count = 0;
  EXPECT_EQ(CL_INVALID_VALUE, getPlatforms(0, &platform, nullptr));
  EXPECT_EQ(CL_INVALID_VALUE, getPlatforms(0, nullptr, nullptr));
  EXPECT_EQ(CL_SUCCESS, getPlatforms(0, nullptr, &count));
  EXPECT_EQ(1u, count);
  EXPECT_EQ(CL_SUCCESS, getPlatforms(1, &platform, nullptr));
  EXPECT_NE(nullptr, platform);
}

TEST_F(LoaderTest, speaksVersion2OfTheLoaderInterface) {
  cl_platform_id platform = nullptr;
  ASSERT_EQ(CL_SUCCESS,
            symbol<clIcdGetPlatformIDsKHR_fn>("clIcdGetPlatformIDsKHR")(1, &platform, nullptr));
  struct Header {
    const intptr_t* dispatch;
    void* data;
  };
  const auto* header = reinterpret_cast<const Header*>(platform);
  constexpr intptr_t tag = 0x4F50454E434C3331;
  EXPECT_EQ(tag, header->dispatch[0]);

  using SetData = cl_int(CL_API_CALL*)(cl_platform_id, void*);
  using GetFunction = void*(CL_API_CALL*)(cl_platform_id, const char*);
  auto setData = symbol<SetData>("clIcdSetPlatformDispatchDataKHR");
  auto getFunction = symbol<GetFunction>("clIcdGetFunctionAddressForPlatformKHR");
  int data = 0;
  EXPECT_EQ(CL_INVALID_PLATFORM, setData(nullptr, &data));
  EXPECT_EQ(CL_SUCCESS, setData(platform, &data));
  EXPECT_EQ(&data, header->data);

  EXPECT_EQ(nullptr, getFunction(nullptr, "clCreateContext"));
  EXPECT_EQ(nullptr, getFunction(platform, "clNoSuchFunction"));
  EXPECT_NE(nullptr, getFunction(platform, "clUnloadCompiler"));
  // OpenCL 3.1's only entry ends the table.
  constexpr size_t end30 =
      offsetof(cl_icd_dispatch, clSetContextDestructorCallback) / sizeof(void*);
  EXPECT_EQ(getFunction(platform, "clSetContextDestructorCallback"),
            reinterpret_cast<void*>(header->dispatch[end30]));
  EXPECT_EQ(getFunction(platform, "clGetKernelSuggestedLocalWorkSize"),
            reinterpret_cast<void*>(header->dispatch[end30 + 1]));
  using GetDevices = decltype(&clGetDeviceIDs);
  auto getDevices = reinterpret_cast<GetDevices>(getFunction(platform, "clGetDeviceIDs"));
  ASSERT_NE(nullptr, getDevices);
  cl_device_id device = nullptr;
  ASSERT_EQ(CL_SUCCESS, getDevices(platform, CL_DEVICE_TYPE_ALL, 1, &device, nullptr));
  // Objects made from now on carry the loader's data.
  using CreateContext = decltype(&clCreateContext);
  auto createContext = reinterpret_cast<CreateContext>(getFunction(platform, "clCreateContext"));
  const Context context(createContext(nullptr, 1, &device, nullptr, nullptr, nullptr));
  ASSERT_TRUE(context);
  EXPECT_EQ(&data, reinterpret_cast<const Header*>(context.get())->data);
}

/// A loader that looks at the first handle of a list does not pass these on.
TEST_F(LoaderTest, listsMayBeMissing) {
  cl_platform_id platform = nullptr;
  ASSERT_EQ(CL_SUCCESS,
            symbol<clIcdGetPlatformIDsKHR_fn>("clIcdGetPlatformIDsKHR")(1, &platform, nullptr));
  using GetFunction = void*(CL_API_CALL*)(cl_platform_id, const char*);
  const auto find = [&]<typename Function>(Function, const char* name) {
    return reinterpret_cast<Function>(
        symbol<GetFunction>("clIcdGetFunctionAddressForPlatformKHR")(platform, name));
  };
  const auto waitForEvents = find(&clWaitForEvents, "clWaitForEvents");
  const cl_event noEvent = nullptr;
  EXPECT_EQ(CL_INVALID_VALUE, waitForEvents(0, nullptr));
  EXPECT_EQ(CL_INVALID_VALUE, waitForEvents(0, &noEvent));
  EXPECT_EQ(CL_INVALID_VALUE, waitForEvents(1, nullptr));
  EXPECT_EQ(CL_INVALID_EVENT, waitForEvents(1, &noEvent));
  const auto createContext = find(&clCreateContext, "clCreateContext");
  const cl_device_id noDevice = nullptr;
  cl_int code = 0;
  EXPECT_EQ(nullptr, createContext(nullptr, 0, nullptr, nullptr, nullptr, &code));
  EXPECT_EQ(CL_INVALID_VALUE, code);
  EXPECT_EQ(nullptr, createContext(nullptr, 0, &noDevice, nullptr, nullptr, &code));
  EXPECT_EQ(CL_INVALID_VALUE, code);
  EXPECT_EQ(nullptr, createContext(nullptr, 1, nullptr, nullptr, nullptr, &code));
  EXPECT_EQ(CL_INVALID_VALUE, code);
  EXPECT_EQ(nullptr, createContext(nullptr, 1, &noDevice, nullptr, nullptr, &code));
  EXPECT_EQ(CL_INVALID_DEVICE, code);
  EXPECT_EQ(CL_SUCCESS, find(&clUnloadCompiler, "clUnloadCompiler")());
}

TEST_F(LoaderTest, exportsNothingThatCouldTakeTheLoadersPlace) {
  EXPECT_EQ(nullptr, dlsym(library, "clCreateContext"));
  EXPECT_EQ(nullptr, dlsym(library, "clGetPlatformIDs"));
}

} // namespace
} // namespace quern::test
