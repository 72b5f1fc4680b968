// The null device's controls: holding commands back and failing on request.
#include "backend_test.h"
#include "devices/null/null_device.h"

namespace quern::test {
namespace {

class NullDeviceTest : public testing::Test {
protected:
  Ref<null::NullDevice> device = makeRef<null::NullDevice>();
  Ref<device::Queue> queue = *device->createQueue({});
  null::Controls& controls = device->controls();
};

TEST_F(NullDeviceTest, CommandsRunWhereTheyAreSubmitted) {
  CommandProbe command;
  queue->submit(command);
  EXPECT_TRUE(command.isDone());
}

TEST_F(NullDeviceTest, HeldCommandsWaitForTheirRelease) {
  controls.hold();
  CommandProbe first, second, third;
  for (CommandProbe* command : {&first, &second, &third})
    queue->submit(*command);
  EXPECT_EQ(controls.held(), 3u);
  controls.release(1);
  EXPECT_TRUE(first.isDone());
  EXPECT_FALSE(second.isDone());
  controls.release(5);
  EXPECT_TRUE(second.isDone() && third.isDone());
  CommandProbe fourth;
  queue->submit(fourth);
  EXPECT_FALSE(fourth.isDone());
  controls.resume();
  EXPECT_TRUE(fourth.isDone());
}

TEST_F(NullDeviceTest, OperationsFailOnceWhenTheyAreToldTo) {
  controls.fail(null::Operation::Allocate, CL_MEM_OBJECT_ALLOCATION_FAILURE, 1);
  EXPECT_TRUE(device->allocate({.bytes = 4}).ok());
  EXPECT_EQ(device->allocate({.bytes = 4}).status().code(), CL_MEM_OBJECT_ALLOCATION_FAILURE);
  EXPECT_TRUE(device->allocate({.bytes = 4}).ok());

  controls.fail(null::Operation::CreateQueue, CL_OUT_OF_RESOURCES);
  EXPECT_EQ(device->createQueue({}).status().code(), CL_OUT_OF_RESOURCES);
  controls.fail(null::Operation::Load, CL_INVALID_BINARY);
  EXPECT_EQ(device->load({}).status().code(), CL_INVALID_BINARY);
  controls.fail(null::Operation::Partition, CL_OUT_OF_HOST_MEMORY);
  EXPECT_EQ(device->partition({}).status().code(), CL_OUT_OF_HOST_MEMORY);
  EXPECT_EQ(device->partition({}).status().code(), CL_DEVICE_PARTITION_FAILED);
}

TEST_F(NullDeviceTest, CommandsFailOnceWhenTheyAreToldTo) {
  controls.fail(null::Operation::Execute, CL_OUT_OF_RESOURCES);
  CommandProbe first, second;
  queue->submit(first);
  queue->submit(second);
  EXPECT_EQ(first.status, CL_OUT_OF_RESOURCES);
  EXPECT_EQ(second.status, CL_COMPLETE);
}

TEST_F(NullDeviceTest, KernelsDoNothing) {
  abi::ProgramImage image;
  image.kernels.resize(1);
  const auto executable = *device->load(image);
  CommandProbe command(device::LaunchKernel{executable, 0, {.global = {1000, 1, 1}}, {}});
  queue->submit(command);
  EXPECT_EQ(command.status, CL_COMPLETE);
}

} // namespace
} // namespace quern::test
