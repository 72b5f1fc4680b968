// Kernels on host, device and shared memory (cl_intel_unified_shared_memory), also where pointers
// lead from one to another.
#include "kernels/kernel_fixture.h"

#include <CL/cl_ext.h>

namespace quern::tests {
namespace {

struct Node {
  const Node* next;
  cl_long value;
};

constexpr const char* linkedSource = R"(
  struct Node { global const struct Node* next; long value; };
  kernel void sum(global const struct Node* list, global long* total) {
    *total = 0;
    for (; list; list = list->next)
      *total += list->value;
  }
  kernel void link(global struct Node* nodes, global const struct Node* last) {
    size_t i = get_global_id(0);
    nodes[i].next = i + 1 < get_global_size(0) ? &nodes[i + 1] : last;
    nodes[i].value = i * i;
  }
  kernel void count(global int* counter) { atomic_inc(counter); })";

class UnifiedMemoryKernels : public testing::Test {
protected:
  UnifiedMemoryKernels() {
    find(hostAlloc, "clHostMemAllocINTEL");
    find(deviceAlloc, "clDeviceMemAllocINTEL");
    find(sharedAlloc, "clSharedMemAllocINTEL");
    find(free, "clMemFreeINTEL");
    find(setArgument, "clSetKernelArgMemPointerINTEL");
    find(copy, "clEnqueueMemcpyINTEL");
  }
  ~UnifiedMemoryKernels() override {
    clFinish(Device::get().queue);
    for (void* pointer : pointers_)
      free(Device::get().context, pointer);
  }

  template <typename T> T* host(size_t count) {
    return keep<T>(hostAlloc(Device::get().context, nullptr, count * sizeof(T), 0, nullptr));
  }
  template <typename T> T* onDevice(size_t count) {
    return keep<T>(deviceAlloc(Device::get().context, Device::get().id, nullptr, count * sizeof(T),
                               0, nullptr));
  }
  template <typename T> T* shared(size_t count) {
    return keep<T>(sharedAlloc(Device::get().context, Device::get().id, nullptr, count * sizeof(T),
                               0, nullptr));
  }
  /// Launches over `items` work-items; all arguments are pointers.
  template <typename... Pointers>
  void launch(const Program& program, const char* name, size_t items, Pointers*... pointers) {
    const Kernel kernel(program, name);
    cl_uint index = 0;
    (check(setArgument(kernel.handle(), index++, pointers), "clSetKernelArgMemPointerINTEL"), ...);
    const cl_bool yes = CL_TRUE;
    for (const cl_kernel_exec_info kind : {CL_KERNEL_EXEC_INFO_INDIRECT_HOST_ACCESS_INTEL,
                                           CL_KERNEL_EXEC_INFO_INDIRECT_DEVICE_ACCESS_INTEL,
                                           CL_KERNEL_EXEC_INFO_INDIRECT_SHARED_ACCESS_INTEL})
      check(clSetKernelExecInfo(kernel.handle(), kind, sizeof(yes), &yes), "clSetKernelExecInfo");
    check(clEnqueueNDRangeKernel(Device::get().queue, kernel.handle(), 1, nullptr, &items, nullptr,
                                 0, nullptr, nullptr),
          "clEnqueueNDRangeKernel");
  }
  template <typename T> T read(const T* pointer) {
    T value;
    check(copy(Device::get().queue, CL_TRUE, &value, pointer, sizeof(T), 0, nullptr, nullptr),
          "clEnqueueMemcpyINTEL");
    return value;
  }

private:
  template <typename Function> static void find(Function& function, const char* name) {
    function = reinterpret_cast<Function>(
        clGetExtensionFunctionAddressForPlatform(Device::get().platform, name));
  }
  template <typename T> T* keep(void* pointer) {
    check(pointer ? CL_SUCCESS : CL_OUT_OF_RESOURCES, "an allocation");
    pointers_.push_back(pointer);
    return static_cast<T*>(pointer);
  }

  decltype(&clHostMemAllocINTEL) hostAlloc = nullptr;
  decltype(&clDeviceMemAllocINTEL) deviceAlloc = nullptr;
  decltype(&clSharedMemAllocINTEL) sharedAlloc = nullptr;
  decltype(&clMemFreeINTEL) free = nullptr;
  decltype(&clSetKernelArgMemPointerINTEL) setArgument = nullptr;
  decltype(&clEnqueueMemcpyINTEL) copy = nullptr;
  std::vector<void*> pointers_;
};

TEST_F(UnifiedMemoryKernels, pointersLeadFromAnyMemoryToAnyOther) {
  QUERN_NEEDS("cl_intel_unified_shared_memory");
  constexpr size_t count = 1000;
  const Program program = build(linkedSource);
  Node* const atHost = host<Node>(1);
  Node* const inShared = shared<Node>(1);
  Node* const inDevice = onDevice<Node>(count);
  cl_long* const total = onDevice<cl_long>(1);
  *atHost = {nullptr, 1'000'000'000};
  *inShared = {inDevice, 5'000'000'000};
  launch(program, "link", count, inDevice, atHost);
  launch(program, "sum", 1, inShared, total);
  cl_long expected = 6'000'000'000;
  for (cl_long i = 0; i < static_cast<cl_long>(count); ++i)
    expected += i * i;
  EXPECT_EQ(expected, read(total));
}

TEST_F(UnifiedMemoryKernels, atomicsCountInEachKind) {
  QUERN_NEEDS("cl_intel_unified_shared_memory");
  const Program program = build(linkedSource);
  for (cl_int* counter : {host<cl_int>(1), shared<cl_int>(1)}) {
    *counter = 17;
    launch(program, "count", 10000, counter);
    EXPECT_EQ(10017, read(counter));
    EXPECT_EQ(10017, *counter);
  }
}

TEST_F(UnifiedMemoryKernels, pointersMayPointIntoAnAllocation) {
  QUERN_NEEDS("cl_intel_unified_shared_memory");
  const Program program = build(linkedSource);
  Node* const nodes = shared<Node>(100);
  cl_long* const total = shared<cl_long>(1);
  launch(program, "link", 100, nodes, static_cast<Node*>(nullptr));
  launch(program, "sum", 1, nodes + 90, total);
  clFinish(Device::get().queue);
  cl_long expected = 0;
  for (cl_long i = 90; i < 100; ++i)
    expected += i * i;
  EXPECT_EQ(expected, *total);
}

} // namespace
} // namespace quern::tests
