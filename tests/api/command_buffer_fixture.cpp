#include "command_buffer_fixture.h"

namespace quern::test {

void* khr::function(const char* name) {
  void* const found = clGetExtensionFunctionAddressForPlatform(quernPlatform(), name);
  EXPECT_TRUE(found) << name;
  return found;
}

CommandBuffer CommandBufferTest::makeCommandBuffer(const std::vector<cl_command_queue>& queues,
                                                   cl_bitfield flags) const {
  const cl_properties list[] = {CL_COMMAND_BUFFER_FLAGS_KHR, flags, 0};
  cl_int code = 1;
  CommandBuffer made(khr::CreateCommandBuffer(static_cast<cl_uint>(queues.size()), queues.data(),
                                              flags ? list : nullptr, &code));
  EXPECT_EQ(CL_SUCCESS, code);
  return made;
}

cl_sync_point_khr CommandBufferTest::launch(const CommandBuffer& buffer, const Kernel& kernel,
                                            size_t items,
                                            const std::vector<cl_sync_point_khr>& waits,
                                            cl_mutable_command_khr* handle) const {
  cl_sync_point_khr point = 0;
  EXPECT_EQ(CL_SUCCESS,
            khr::CommandNDRangeKernel(buffer.get(), nullptr, nullptr, kernel.get(), 1, nullptr,
                                      &items, nullptr, static_cast<cl_uint>(waits.size()),
                                      waits.empty() ? nullptr : waits.data(), &point, handle));
  return point;
}

void CommandBufferTest::finalize(const CommandBuffer& buffer) const {
  EXPECT_EQ(CL_SUCCESS, khr::FinalizeCommandBuffer(buffer.get()));
}

Event CommandBufferTest::enqueue(const CommandBuffer& buffer, const Event* wait) const {
  const cl_event list[] = {wait ? wait->get() : nullptr};
  cl_event event = nullptr;
  EXPECT_EQ(CL_SUCCESS, khr::EnqueueCommandBuffer(0, nullptr, buffer.get(), wait ? 1 : 0,
                                                  wait ? list : nullptr, &event));
  return Event(event);
}

void CommandBufferTest::run(const CommandBuffer& buffer) const {
  const Event event = enqueue(buffer);
  const cl_event list[] = {event.get()};
  EXPECT_EQ(CL_SUCCESS, clWaitForEvents(1, list));
}

cl_uint CommandBufferTest::stateOf(const CommandBuffer& buffer) const {
  cl_uint state = ~0u;
  EXPECT_EQ(CL_SUCCESS, khr::GetCommandBufferInfo(buffer.get(), CL_COMMAND_BUFFER_STATE_KHR,
                                                  sizeof(state), &state, nullptr));
  return state;
}

} // namespace quern::test
