#include "opencl_test.h"

#include <fcntl.h>

namespace quern::test {

cl_platform_id quernPlatform() {
  cl_platform_id platform = nullptr;
  EXPECT_EQ(CL_SUCCESS, clGetPlatformIDs(1, &platform, nullptr));
  EXPECT_EQ("Quern", infoString(clGetPlatformInfo, platform, CL_PLATFORM_NAME));
  return platform;
}

bool isOpen(int file) {
  return fcntl(file, F_GETFD) != -1;
}

void OpenClTest::SetUp() {
  platform = quernPlatform();
  ASSERT_FALSE(HasFailure()) << "OCL_ICD_VENDORS must name the folder of quern.icd";
  ASSERT_EQ(CL_SUCCESS, clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, nullptr));
  cl_int code = 0;
  context.reset(clCreateContext(nullptr, 1, &device, nullptr, nullptr, &code));
  ASSERT_EQ(CL_SUCCESS, code);
  otherContext.reset(clCreateContext(nullptr, 1, &device, nullptr, nullptr, &code));
  ASSERT_EQ(CL_SUCCESS, code);
  queue = makeQueue();
  ASSERT_TRUE(queue);
}

Queue OpenClTest::makeQueue(cl_command_queue_properties properties) const {
  const cl_queue_properties list[] = {CL_QUEUE_PROPERTIES, properties, 0};
  cl_int code = 0;
  Queue made(clCreateCommandQueueWithProperties(context.get(), device, list, &code));
  EXPECT_EQ(CL_SUCCESS, code);
  return made;
}

Memory OpenClTest::makeBuffer(size_t bytes, cl_mem_flags flags, void* hostPointer) const {
  cl_int code = 0;
  Memory made(clCreateBuffer(context.get(), flags, bytes, hostPointer, &code));
  EXPECT_EQ(CL_SUCCESS, code);
  return made;
}

Event OpenClTest::makeUserEvent() const {
  cl_int code = 0;
  Event made(clCreateUserEvent(context.get(), &code));
  EXPECT_EQ(CL_SUCCESS, code);
  return made;
}

} // namespace quern::test
