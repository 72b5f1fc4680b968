#include "opencl_test.h"

namespace quern::test {
namespace {

using Properties = std::vector<cl_queue_properties>;

class CommandQueueTest : public OpenClTest {
protected:
  cl_int tryCreate(const Properties& properties) {
    cl_int code = 0;
    Queue made(clCreateCommandQueueWithProperties(context.get(), device, properties.data(), &code));
    EXPECT_EQ(code == CL_SUCCESS, made != nullptr);
    return code;
  }
  cl_int tryCreateOld(cl_command_queue_properties properties) {
    cl_int code = 0;
    Queue made(clCreateCommandQueue(context.get(), device, properties, &code));
    EXPECT_EQ(code == CL_SUCCESS, made != nullptr);
    return code;
  }
};

TEST_F(CommandQueueTest, answersEveryQuery) {
  const Properties properties = {CL_QUEUE_PROPERTIES, CL_QUEUE_PROFILING_ENABLE, 0};
  Queue made(clCreateCommandQueueWithProperties(context.get(), device, properties.data(), nullptr));
  ASSERT_TRUE(made);
  const cl_command_queue handle = made.get();
  EXPECT_EQ(context.get(), info<cl_context>(clGetCommandQueueInfo, handle, CL_QUEUE_CONTEXT));
  EXPECT_EQ(device, info<cl_device_id>(clGetCommandQueueInfo, handle, CL_QUEUE_DEVICE));
  EXPECT_EQ(1u, info<cl_uint>(clGetCommandQueueInfo, handle, CL_QUEUE_REFERENCE_COUNT));
  EXPECT_EQ(cl_command_queue_properties{CL_QUEUE_PROFILING_ENABLE},
            info<cl_command_queue_properties>(clGetCommandQueueInfo, handle, CL_QUEUE_PROPERTIES));
  EXPECT_EQ(properties, infoList<cl_queue_properties>(clGetCommandQueueInfo, handle,
                                                      CL_QUEUE_PROPERTIES_ARRAY));
  EXPECT_EQ(nullptr,
            info<cl_command_queue>(clGetCommandQueueInfo, handle, CL_QUEUE_DEVICE_DEFAULT));
  cl_uint size = 0;
  EXPECT_EQ(CL_INVALID_COMMAND_QUEUE,
            clGetCommandQueueInfo(handle, CL_QUEUE_SIZE, sizeof(size), &size, nullptr));
  expectQueryErrors(clGetCommandQueueInfo, handle, CL_QUEUE_CONTEXT);
  EXPECT_EQ(CL_INVALID_COMMAND_QUEUE,
            clGetCommandQueueInfo(reinterpret_cast<cl_command_queue>(device), CL_QUEUE_CONTEXT, 0,
                                  nullptr, nullptr));
}

TEST_F(CommandQueueTest, returnsItsPropertiesAsGiven) {
  const auto array = [](const Queue& made) {
    return infoList<cl_queue_properties>(clGetCommandQueueInfo, made.get(),
                                         CL_QUEUE_PROPERTIES_ARRAY);
  };
  const Properties empty = {0};
  EXPECT_EQ(empty, array(Queue(clCreateCommandQueueWithProperties(context.get(), device,
                                                                  empty.data(), nullptr))));
  EXPECT_TRUE(
      array(Queue(clCreateCommandQueueWithProperties(context.get(), device, nullptr, nullptr)))
          .empty());
  EXPECT_TRUE(array(Queue(clCreateCommandQueue(context.get(), device, 0, nullptr))).empty());
}

TEST_F(CommandQueueTest, acceptsHints) {
  for (const cl_queue_properties level :
       {CL_QUEUE_PRIORITY_HIGH_KHR, CL_QUEUE_PRIORITY_MED_KHR, CL_QUEUE_PRIORITY_LOW_KHR}) {
    EXPECT_EQ(CL_SUCCESS, tryCreate({CL_QUEUE_PRIORITY_KHR, level, 0}));
    EXPECT_EQ(CL_SUCCESS, tryCreate({CL_QUEUE_THROTTLE_KHR, level, 0}));
  }
  EXPECT_EQ(CL_INVALID_VALUE, tryCreate({CL_QUEUE_PRIORITY_KHR, 0, 0}));
  EXPECT_EQ(CL_INVALID_VALUE, tryCreate({CL_QUEUE_THROTTLE_KHR, 3, 0}));
}

TEST_F(CommandQueueTest, rejectsWrongProperties) {
  EXPECT_EQ(CL_INVALID_VALUE, tryCreate({0x4242, 1, 0}));
  EXPECT_EQ(CL_INVALID_VALUE, tryCreate({CL_QUEUE_PROPERTIES, 1 << 20, 0}));
  EXPECT_EQ(CL_INVALID_VALUE, tryCreate({CL_QUEUE_PROPERTIES, 0, CL_QUEUE_PROPERTIES, 0, 0}));
  EXPECT_EQ(CL_INVALID_VALUE, tryCreateOld(1 << 20));
  EXPECT_EQ(CL_SUCCESS, tryCreateOld(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE));
}

TEST_F(CommandQueueTest, rejectsWrongObjects) {
  cl_int code = 0;
  EXPECT_EQ(nullptr, clCreateCommandQueueWithProperties(reinterpret_cast<cl_context>(device),
                                                        device, nullptr, &code));
  EXPECT_EQ(CL_INVALID_CONTEXT, code);
  EXPECT_EQ(nullptr, clCreateCommandQueue(context.get(), nullptr, 0, &code));
  EXPECT_EQ(CL_INVALID_DEVICE, code);
  const auto wrong = reinterpret_cast<cl_command_queue>(context.get());
  EXPECT_EQ(CL_INVALID_COMMAND_QUEUE, clRetainCommandQueue(wrong));
  EXPECT_EQ(CL_INVALID_COMMAND_QUEUE, clReleaseCommandQueue(wrong));
  EXPECT_EQ(CL_INVALID_COMMAND_QUEUE, clFlush(wrong));
  EXPECT_EQ(CL_INVALID_COMMAND_QUEUE, clFinish(wrong));
  EXPECT_EQ(CL_INVALID_COMMAND_QUEUE, clSetCommandQueueProperty(wrong, 0, CL_TRUE, nullptr));
}

TEST_F(CommandQueueTest, rejectsADeviceOfAnotherContext) {
  const cl_device_partition_property equally[] = {CL_DEVICE_PARTITION_EQUALLY, 1, 0};
  cl_uint count = 0;
  if (clCreateSubDevices(device, equally, 0, nullptr, &count) != CL_SUCCESS)
    GTEST_SKIP() << "needs a device that can be partitioned";
  std::vector<cl_device_id> ids(count);
  ASSERT_EQ(CL_SUCCESS, clCreateSubDevices(device, equally, count, ids.data(), nullptr));
  const std::vector<SubDevice> parts(ids.begin(), ids.end());
  cl_int code = 0;
  EXPECT_EQ(nullptr, clCreateCommandQueue(context.get(), ids[0], 0, &code));
  EXPECT_EQ(CL_INVALID_DEVICE, code);
  EXPECT_EQ(CL_INVALID_DEVICE, clSetDefaultDeviceCommandQueue(context.get(), ids[0], queue.get()));
}

TEST_F(CommandQueueTest, refusesWhatNoDeviceHas) {
  EXPECT_EQ(CL_INVALID_OPERATION,
            clSetCommandQueueProperty(queue.get(), CL_QUEUE_PROFILING_ENABLE, CL_TRUE, nullptr));
}

TEST_F(CommandQueueTest, hasAnExtensionFormOfItsConstructor) {
  const auto create = reinterpret_cast<clCreateCommandQueueWithPropertiesKHR_fn>(
      clGetExtensionFunctionAddressForPlatform(platform, "clCreateCommandQueueWithPropertiesKHR"));
  ASSERT_NE(nullptr, create);
  cl_int code = 0;
  const Queue made(create(context.get(), device, nullptr, &code));
  EXPECT_EQ(CL_SUCCESS, code);
}

TEST_F(CommandQueueTest, countsReferences) {
  EXPECT_EQ(CL_SUCCESS, clRetainCommandQueue(queue.get()));
  EXPECT_EQ(2u, info<cl_uint>(clGetCommandQueueInfo, queue.get(), CL_QUEUE_REFERENCE_COUNT));
  EXPECT_EQ(CL_SUCCESS, clReleaseCommandQueue(queue.get()));
}

} // namespace
} // namespace quern::test
