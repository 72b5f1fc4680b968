// Quern and another OpenCL driver, with its own LLVM, in one process.
#include <filesystem>

#include "kernels/child_process.h"
#include "kernels/kernel_fixture.h"
#include "temporary_folder.h"

namespace quern::tests {
namespace {

/// Builds and runs a kernel on the first device of a platform, without the fixture's own device.
bool worksOn(cl_platform_id platform) {
  cl_device_id device = nullptr;
  check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, nullptr), "clGetDeviceIDs");
  cl_int code = CL_SUCCESS;
  cl_context context = clCreateContext(nullptr, 1, &device, nullptr, nullptr, &code);
  check(code, "clCreateContext");
  cl_command_queue queue = clCreateCommandQueueWithProperties(context, device, nullptr, &code);
  check(code, "clCreateCommandQueueWithProperties");
  const char* source = R"(
    kernel void k(global int* out, local int* l) {
      l[get_local_id(0)] = (int)get_global_id(0);
      barrier(CLK_LOCAL_MEM_FENCE);
      out[get_global_id(0)] = l[get_local_size(0) - 1 - get_local_id(0)] + (int)exp2(3.0f);
    })";
  cl_program program = clCreateProgramWithSource(context, 1, &source, nullptr, &code);
  check(code, "clCreateProgramWithSource");
  check(clBuildProgram(program, 1, &device, "", nullptr, nullptr), "clBuildProgram");
  cl_kernel kernel = clCreateKernel(program, "k", &code);
  check(code, "clCreateKernel");
  std::vector<cl_int> result(64);
  cl_mem buffer = clCreateBuffer(context, 0, 64 * sizeof(cl_int), nullptr, &code);
  check(code, "clCreateBuffer");
  check(clSetKernelArg(kernel, 0, sizeof(buffer), &buffer), "clSetKernelArg");
  check(clSetKernelArg(kernel, 1, 64, nullptr), "clSetKernelArg");
  const size_t global = 64, local = 16;
  check(clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &global, &local, 0, nullptr, nullptr),
        "clEnqueueNDRangeKernel");
  check(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, 64 * sizeof(cl_int), result.data(), 0,
                            nullptr, nullptr),
        "clEnqueueReadBuffer");
  clReleaseMemObject(buffer);
  clReleaseKernel(kernel);
  clReleaseProgram(program);
  clReleaseCommandQueue(queue);
  clReleaseContext(context);
  return result == tabulate<cl_int>(64, [](size_t g) { return g / 16 * 16 + 15 - g % 16 + 8; });
}

QUERN_CHILD(useTwoPlatforms) {
  for (int round = 0; round < 2; ++round)
    for (const std::string& name : arguments) {
      cl_platform_id platform = findPlatform(name);
      if (!platform)
        return 77;
      if (!worksOn(platform))
        return 1;
    }
  return 0;
}

TEST(TwoDrivers, workInOneProcess) {
  const std::string other = "/etc/OpenCL/vendors/pocl.icd";
  const char* vendors = std::getenv("OCL_ICD_VENDORS");
  if (!vendors || !std::filesystem::exists(other))
    GTEST_SKIP() << "no second driver is installed";
  TemporaryFolder folder, cache;
  writeFile(folder / "quern.icd", readFile(std::string(vendors) + "/quern.icd"));
  writeFile(folder / "pocl.icd", readFile(other));
  const std::string pocl = "Portable Computing Language";
  for (const std::vector<std::string>& order :
       {std::vector<std::string>{"Quern", pocl}, {pocl, "Quern"}}) {
    ChildResult result = runChild({"useTwoPlatforms",
                                   order,
                                   {{"OCL_ICD_VENDORS", folder.path()},
                                    {"QUERN_CACHE", "off"},
                                    {"POCL_CACHE_DIR", cache.path()}},
                                   std::chrono::seconds(60),
                                   true});
    if (result.exitCode == 77)
      GTEST_SKIP() << "the second driver offers no platform";
    EXPECT_EQ(result.exitCode, 0) << result;
  }
}

} // namespace
} // namespace quern::tests
