#include "opencl_test.h"

namespace quern::test {
namespace {

constexpr cl_command_queue_properties onDevice =
    CL_QUEUE_ON_DEVICE | CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE;

class DeviceQueueTest : public OpenClTest {
protected:
  Queue makeDeviceQueue(std::vector<cl_queue_properties> properties) {
    return Queue(
        clCreateCommandQueueWithProperties(context.get(), device, properties.data(), &code));
  }
  Queue makeDeviceQueue(cl_command_queue_properties more = 0) {
    return makeDeviceQueue({CL_QUEUE_PROPERTIES, onDevice | more, 0});
  }
  cl_command_queue defaultOf(cl_command_queue asked) {
    return info<cl_command_queue>(clGetCommandQueueInfo, asked, CL_QUEUE_DEVICE_DEFAULT);
  }
  cl_uint limit(cl_device_info name) { return info<cl_uint>(clGetDeviceInfo, device, name); }
  cl_int code = 0;
};

TEST_F(DeviceQueueTest, devicesSayWhatTheyCan) {
  EXPECT_EQ(cl_device_device_enqueue_capabilities{CL_DEVICE_QUEUE_SUPPORTED |
                                                  CL_DEVICE_QUEUE_REPLACEABLE_DEFAULT},
            info<cl_device_device_enqueue_capabilities>(clGetDeviceInfo, device,
                                                        CL_DEVICE_DEVICE_ENQUEUE_CAPABILITIES));
  EXPECT_EQ(cl_command_queue_properties{CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE |
                                        CL_QUEUE_PROFILING_ENABLE},
            info<cl_command_queue_properties>(clGetDeviceInfo, device,
                                              CL_DEVICE_QUEUE_ON_DEVICE_PROPERTIES));
  EXPECT_LE(16u * 1024, limit(CL_DEVICE_QUEUE_ON_DEVICE_PREFERRED_SIZE));
  EXPECT_LE(256u * 1024, limit(CL_DEVICE_QUEUE_ON_DEVICE_MAX_SIZE));
  EXPECT_LE(1u, limit(CL_DEVICE_MAX_ON_DEVICE_QUEUES));
  EXPECT_LE(1024u, limit(CL_DEVICE_MAX_ON_DEVICE_EVENTS));
}

TEST_F(DeviceQueueTest, answersQueries) {
  const std::vector<cl_queue_properties> properties = {
      CL_QUEUE_PROPERTIES, onDevice | CL_QUEUE_PROFILING_ENABLE, CL_QUEUE_SIZE, 65536, 0};
  const Queue made = makeDeviceQueue(properties);
  ASSERT_EQ(CL_SUCCESS, code);
  const cl_command_queue q = made.get();
  EXPECT_EQ(context.get(), info<cl_context>(clGetCommandQueueInfo, q, CL_QUEUE_CONTEXT));
  EXPECT_EQ(device, info<cl_device_id>(clGetCommandQueueInfo, q, CL_QUEUE_DEVICE));
  EXPECT_EQ(1u, info<cl_uint>(clGetCommandQueueInfo, q, CL_QUEUE_REFERENCE_COUNT));
  EXPECT_EQ(onDevice | CL_QUEUE_PROFILING_ENABLE,
            info<cl_command_queue_properties>(clGetCommandQueueInfo, q, CL_QUEUE_PROPERTIES));
  EXPECT_EQ(65536u, info<cl_uint>(clGetCommandQueueInfo, q, CL_QUEUE_SIZE));
  EXPECT_EQ(properties,
            infoList<cl_queue_properties>(clGetCommandQueueInfo, q, CL_QUEUE_PROPERTIES_ARRAY));
  EXPECT_EQ(nullptr, defaultOf(q));
  expectQueryErrors(clGetCommandQueueInfo, q, CL_QUEUE_CONTEXT);
  EXPECT_EQ(CL_SUCCESS, clRetainCommandQueue(q));
  EXPECT_EQ(2u, info<cl_uint>(clGetCommandQueueInfo, q, CL_QUEUE_REFERENCE_COUNT));
  EXPECT_EQ(CL_SUCCESS, clReleaseCommandQueue(q));
  EXPECT_EQ(limit(CL_DEVICE_QUEUE_ON_DEVICE_PREFERRED_SIZE),
            info<cl_uint>(clGetCommandQueueInfo, makeDeviceQueue().get(), CL_QUEUE_SIZE));
}

TEST_F(DeviceQueueTest, oneIsTheDefault) {
  EXPECT_EQ(nullptr, defaultOf(queue.get()));
  const Queue first = makeDeviceQueue(CL_QUEUE_ON_DEVICE_DEFAULT);
  EXPECT_EQ(first.get(), defaultOf(queue.get()));
  EXPECT_EQ(first.get(), defaultOf(first.get()));
  // Who asks for the default queue once more gets the same.
  const Queue again = makeDeviceQueue(CL_QUEUE_ON_DEVICE_DEFAULT);
  EXPECT_EQ(first.get(), again.get());
  EXPECT_EQ(2u, info<cl_uint>(clGetCommandQueueInfo, first.get(), CL_QUEUE_REFERENCE_COUNT));
  const Queue other = makeDeviceQueue();
  EXPECT_NE(first.get(), other.get());
  EXPECT_EQ(CL_SUCCESS, clSetDefaultDeviceCommandQueue(context.get(), device, other.get()));
  EXPECT_EQ(other.get(), defaultOf(queue.get()));
}

TEST_F(DeviceQueueTest, defaultErrors) {
  const Queue made = makeDeviceQueue();
  const cl_command_queue q = made.get();
  EXPECT_EQ(CL_INVALID_CONTEXT, clSetDefaultDeviceCommandQueue(nullptr, device, q));
  EXPECT_EQ(CL_INVALID_DEVICE, clSetDefaultDeviceCommandQueue(context.get(), nullptr, q));
  EXPECT_EQ(CL_INVALID_COMMAND_QUEUE,
            clSetDefaultDeviceCommandQueue(context.get(), device, nullptr));
  EXPECT_EQ(CL_INVALID_COMMAND_QUEUE,
            clSetDefaultDeviceCommandQueue(context.get(), device, queue.get()));
  EXPECT_EQ(CL_INVALID_COMMAND_QUEUE,
            clSetDefaultDeviceCommandQueue(otherContext.get(), device, q));
}

TEST_F(DeviceQueueTest, creationErrors) {
  const auto failure = [this](std::vector<cl_queue_properties> properties) {
    EXPECT_EQ(nullptr, makeDeviceQueue(std::move(properties)));
    return code;
  };
  const cl_uint most = limit(CL_DEVICE_QUEUE_ON_DEVICE_MAX_SIZE);
  EXPECT_EQ(CL_INVALID_VALUE, failure({CL_QUEUE_PROPERTIES, CL_QUEUE_ON_DEVICE, 0}));
  EXPECT_EQ(CL_INVALID_VALUE, failure({CL_QUEUE_PROPERTIES, CL_QUEUE_ON_DEVICE_DEFAULT, 0}));
  EXPECT_EQ(CL_INVALID_VALUE, failure({CL_QUEUE_SIZE, 65536, 0}));
  EXPECT_EQ(CL_INVALID_VALUE, failure({CL_QUEUE_PROPERTIES, onDevice | 1 << 20, 0}));
  EXPECT_EQ(CL_INVALID_VALUE, failure({CL_QUEUE_PROPERTIES, onDevice, 0x4242, 1, 0}));
  EXPECT_EQ(CL_INVALID_VALUE,
            failure({CL_QUEUE_PROPERTIES, onDevice, CL_QUEUE_PROPERTIES, onDevice, 0}));
  EXPECT_EQ(CL_INVALID_QUEUE_PROPERTIES,
            failure({CL_QUEUE_PROPERTIES, onDevice, CL_QUEUE_SIZE, 0, 0}));
  EXPECT_EQ(CL_INVALID_QUEUE_PROPERTIES,
            failure({CL_QUEUE_PROPERTIES, onDevice, CL_QUEUE_SIZE, most + 1, 0}));
  EXPECT_NE(nullptr, makeDeviceQueue({CL_QUEUE_PROPERTIES, onDevice, CL_QUEUE_SIZE, most, 0}));
  EXPECT_EQ(nullptr, clCreateCommandQueue(context.get(), device, onDevice, &code));
  EXPECT_EQ(CL_INVALID_QUEUE_PROPERTIES, code);
}

TEST_F(DeviceQueueTest, thereAreSoManyAndNoMore) {
  // The default queue is not counted.
  std::vector<Queue> queues;
  const cl_uint most = limit(CL_DEVICE_MAX_ON_DEVICE_QUEUES);
  while (queues.size() < most + 1) {
    queues.push_back(makeDeviceQueue());
    ASSERT_EQ(CL_SUCCESS, code);
  }
  EXPECT_EQ(nullptr, makeDeviceQueue());
  EXPECT_EQ(CL_OUT_OF_RESOURCES, code);
  queues.pop_back();
  EXPECT_NE(nullptr, makeDeviceQueue());
}

TEST_F(DeviceQueueTest, takesNoCommandsOfTheHost) {
  const Queue made = makeDeviceQueue();
  const cl_command_queue q = made.get();
  const Memory buffer = makeBuffer(64);
  char byte = 0;
  EXPECT_EQ(CL_INVALID_COMMAND_QUEUE,
            clEnqueueReadBuffer(q, buffer.get(), CL_TRUE, 0, 1, &byte, 0, nullptr, nullptr));
  EXPECT_EQ(CL_INVALID_COMMAND_QUEUE, clEnqueueMarkerWithWaitList(q, 0, nullptr, nullptr));
  EXPECT_EQ(CL_INVALID_COMMAND_QUEUE, clFlush(q));
  EXPECT_EQ(CL_INVALID_COMMAND_QUEUE, clFinish(q));
}

} // namespace
} // namespace quern::test
