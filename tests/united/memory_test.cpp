// Commands that are no launches, where the bytes of a buffer are in two memories.
#include <cstring>

#include "united/both_devices.h"

namespace quern::united_tests {
namespace {

class UnitedMemory : public BothDevices {
protected:
  /// A buffer of which each half was written last by another member.
  size_t splitBuffer(size_t count) {
    build("kernel void count_up(global int* out) { out[get_global_id(0)] = get_global_id(0); }");
    const size_t data = buffer<int>(count);
    run("count_up", {.global = {count}}, {memory(data)});
    expectSplit("count_up");
    return data;
  }
};

TEST_F(UnitedMemory, IsReadAndWrittenAcrossTheSplit) {
  const size_t data = splitBuffer(4000);
  const std::vector<int> values(1000, -1);
  for (Place& place : places())
    check(clEnqueueWriteBuffer(place.queue, place.memory[data], CL_TRUE, 1500 * sizeof(int),
                               values.size() * sizeof(int), values.data(), 0, nullptr, nullptr),
          "clEnqueueWriteBuffer");
  run("count_up", {.global = {1800}}, {memory(data)});
  expectSame();
}

TEST_F(UnitedMemory, IsFilledWithPatternsThatDoNotFitTheSplit) {
  const size_t data = splitBuffer(4000);
  const std::array<int, 4> pattern = {1, 2, 3, 4};
  for (Place& place : places())
    check(clEnqueueFillBuffer(place.queue, place.memory[data], pattern.data(), sizeof(pattern),
                              16 * 3, 16 * 700, 0, nullptr, nullptr),
          "clEnqueueFillBuffer");
  expectSame();
}

TEST_F(UnitedMemory, IsCopiedWithinAndBetweenBuffers) {
  const size_t data = splitBuffer(4000), other = buffer<int>(4000);
  for (Place& place : places()) {
    check(clEnqueueCopyBuffer(place.queue, place.memory[data], place.memory[other], 400, 4000,
                              10000, 0, nullptr, nullptr),
          "clEnqueueCopyBuffer");
    check(clEnqueueCopyBuffer(place.queue, place.memory[other], place.memory[other], 4000, 0, 2000,
                              0, nullptr, nullptr),
          "clEnqueueCopyBuffer");
    const std::array<size_t, 3> from = {4, 2, 0}, to = {8, 1, 0}, region = {40, 30, 1};
    check(clEnqueueCopyBufferRect(place.queue, place.memory[data], place.memory[other], from.data(),
                                  to.data(), region.data(), 400, 0, 200, 0, 0, nullptr, nullptr),
          "clEnqueueCopyBufferRect");
  }
  expectSame();
}

TEST_F(UnitedMemory, IsMapped) {
  const size_t data = splitBuffer(4000);
  for (Place& place : places()) {
    cl_int code = CL_SUCCESS;
    auto* const mapped = static_cast<int*>(
        clEnqueueMapBuffer(place.queue, place.memory[data], CL_TRUE, CL_MAP_READ | CL_MAP_WRITE,
                           7000, 4000, 0, nullptr, nullptr, &code));
    check(code, "clEnqueueMapBuffer");
    EXPECT_EQ(mapped[10], 1760);
    for (int i = 0; i < 1000; ++i)
      mapped[i] *= 2;
    check(clEnqueueUnmapMemObject(place.queue, place.memory[data], mapped, 0, nullptr, nullptr),
          "clEnqueueUnmapMemObject");
  }
  expectSame();
}

TEST_F(UnitedMemory, IsTheProgramsOwnAfterAMap) {
  build("kernel void double_it(global int* data) { data[get_global_id(0)] *= 2; }");
  for (Place& place : places()) {
    std::vector<int> own(1000, 21);
    cl_int code = CL_SUCCESS;
    cl_mem memory = clCreateBuffer(place.context, CL_MEM_USE_HOST_PTR, own.size() * sizeof(int),
                                   own.data(), &code);
    check(code, "clCreateBuffer");
    cl_kernel kernel = clCreateKernel(place.program, "double_it", &code);
    check(code, "clCreateKernel");
    check(clSetKernelArg(kernel, 0, sizeof(memory), &memory), "clSetKernelArg");
    const size_t count = own.size();
    check(clEnqueueNDRangeKernel(place.queue, kernel, 1, nullptr, &count, nullptr, 0, nullptr,
                                 nullptr),
          "clEnqueueNDRangeKernel");
    void* const mapped = clEnqueueMapBuffer(place.queue, memory, CL_TRUE, CL_MAP_READ, 0,
                                            own.size() * sizeof(int), 0, nullptr, nullptr, &code);
    check(code, "clEnqueueMapBuffer");
    EXPECT_EQ(mapped, own.data());
    EXPECT_EQ(own, std::vector<int>(1000, 42));
    check(clEnqueueUnmapMemObject(place.queue, memory, mapped, 0, nullptr, nullptr),
          "clEnqueueUnmapMemObject");
    check(clFinish(place.queue), "clFinish");
    clReleaseKernel(kernel);
    clReleaseMemObject(memory);
  }
}

TEST_F(UnitedMemory, HoldsImages) {
  build("constant sampler_t nearest = CLK_ADDRESS_CLAMP | CLK_FILTER_NEAREST;"
        "kernel void brighten(read_only image2d_t in, write_only image2d_t out) {"
        "  int2 p = (int2)(get_global_id(0), get_global_id(1));"
        "  write_imageui(out, p, read_imageui(in, nearest, p + (int2)(1, 1)) + 3); }"
        "kernel void to_buffer(read_only image2d_t in, global uint* out) {"
        "  int2 p = (int2)(get_global_id(0), get_global_id(1));"
        "  out[p.y * 60 + p.x] = read_imageui(in, nearest, p).y; }");
  const size_t out = buffer<unsigned>(60 * 40);
  std::vector<unsigned char> elements(60 * 40 * 4);
  for (size_t i = 0; i < elements.size(); ++i)
    elements[i] = static_cast<unsigned char>(i * 31);
  const cl_image_format format = {CL_RGBA, CL_UNSIGNED_INT8};
  cl_image_desc shape = {};
  shape.image_type = CL_MEM_OBJECT_IMAGE2D;
  shape.image_width = 60;
  shape.image_height = 40;
  std::array<size_t, 2> images = {};
  for (size_t& image : images) {
    for (Place& place : places()) {
      cl_int code = CL_SUCCESS;
      place.memory.push_back(clCreateImage(place.context, CL_MEM_COPY_HOST_PTR, &format, &shape,
                                           elements.data(), &code));
      check(code, "clCreateImage");
    }
    image = places()[0].memory.size() - 1;
  }
  run("brighten", {.global = {60, 40}}, {memory(images[0]), memory(images[1])});
  run("to_buffer", {.global = {60, 40}}, {memory(images[1]), memory(out)});
  expectWhole("brighten", "argument 1 ('out')");
  expectSplit("to_buffer", 1);
  for (Place& place : places())
    while (place.memory.size() > out + 1) {
      clReleaseMemObject(place.memory.back());
      place.memory.pop_back();
    }
  expectSame();
}

TEST_F(UnitedMemory, TellsTimesInOrder) {
  const size_t data = splitBuffer(100000);
  Place& place = places()[0];
  cl_int code = CL_SUCCESS;
  const std::array<cl_queue_properties, 3> properties = {CL_QUEUE_PROPERTIES,
                                                         CL_QUEUE_PROFILING_ENABLE, 0};
  cl_command_queue queue =
      clCreateCommandQueueWithProperties(place.context, place.device, properties.data(), &code);
  check(code, "clCreateCommandQueueWithProperties");
  cl_kernel kernel = clCreateKernel(place.program, "count_up", &code);
  check(code, "clCreateKernel");
  check(clSetKernelArg(kernel, 0, sizeof(cl_mem), &place.memory[data]), "clSetKernelArg");
  const size_t count = 100000;
  cl_event event = nullptr;
  check(clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &count, nullptr, 0, nullptr, &event),
        "clEnqueueNDRangeKernel");
  check(clWaitForEvents(1, &event), "clWaitForEvents");
  cl_ulong last = 0;
  for (const cl_profiling_info what : {CL_PROFILING_COMMAND_QUEUED, CL_PROFILING_COMMAND_SUBMIT,
                                       CL_PROFILING_COMMAND_START, CL_PROFILING_COMMAND_END}) {
    cl_ulong time = 0;
    check(clGetEventProfilingInfo(event, what, sizeof(time), &time, nullptr),
          "clGetEventProfilingInfo");
    EXPECT_GE(time, last) << what;
    last = time;
  }
  clReleaseEvent(event);
  clReleaseKernel(kernel);
  clReleaseCommandQueue(queue);
}

TEST_F(UnitedMemory, ClaimsNothingThatNeedsTheHostsMemory) {
  Place& united = places()[0];
  cl_device_svm_capabilities svm = 1;
  cl_device_exec_capabilities execution = 0;
  cl_uint parts = 1;
  check(clGetDeviceInfo(united.device, CL_DEVICE_SVM_CAPABILITIES, sizeof(svm), &svm, nullptr),
        "clGetDeviceInfo");
  check(clGetDeviceInfo(united.device, CL_DEVICE_EXECUTION_CAPABILITIES, sizeof(execution),
                        &execution, nullptr),
        "clGetDeviceInfo");
  check(clGetDeviceInfo(united.device, CL_DEVICE_PARTITION_MAX_SUB_DEVICES, sizeof(parts), &parts,
                        nullptr),
        "clGetDeviceInfo");
  EXPECT_EQ(svm, 0u);
  EXPECT_EQ(execution, cl_device_exec_capabilities{CL_EXEC_KERNEL});
  EXPECT_EQ(parts, 0u);
  const std::array<cl_device_partition_property, 3> halves = {CL_DEVICE_PARTITION_EQUALLY, 1, 0};
  EXPECT_NE(clCreateSubDevices(united.device, halves.data(), 0, nullptr, &parts), CL_SUCCESS);
}

} // namespace
} // namespace quern::united_tests
