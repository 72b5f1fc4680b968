// Coarse-grain shared virtual memory in contexts with devices of other processes, which have copies
// of it: two nodes, and this process' CPU. An MPI launcher starts it beside the nodes.
#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <numeric>

#include "api/newer_constants.h"
#include "backend/node_process.h"
#include "command_buffer_fixture.h"
#include "svm_memory.h"

namespace quern::test {
namespace {

constexpr size_t count = 5000, bytes = count * sizeof(cl_int);

constexpr const char* source = R"(
  struct Node { global struct Node* next; global int* value; };
  kernel void link(global struct Node* nodes, global int* values, int count) {
    for (int i = 0; i < count; ++i) {
      values[i] = 3 * i;
      nodes[i].value = &values[i];
      nodes[i].next = i + 1 < count ? &nodes[i + 1] : 0;
    }
  }
  kernel void sum(global struct Node* first, global int* result) {
    int total = 0;
    for (global struct Node* n = first; n; n = n->next)
      total += *n->value;
    *result = total;
  }
  kernel void add(global int* data, int value) { data[get_global_id(0)] += value; }
  kernel void addThrough(global int* global* data, int value) { (*data)[get_global_id(0)] += value; }
  kernel void wait(global int* data) { for (int i = 0; i >= 0 || data[0] == 0; ++i) data[i & 7] = i; }
  kernel void copyGlobal(const global int* from, global int* to) {
    to[get_global_id(0)] = from[get_global_id(0)];
  }
  kernel void copy(constant int* from, global int* to) { to[get_global_id(0)] = from[get_global_id(0)]; }
)";

/// What `source` calls a Node.
struct ListNode {
  ListNode* next;
  cl_int* value;
};

class NodesSvm : public testing::Test {
protected:
  void SetUp() override {
    if (!std::getenv("PMI_RANK"))
      GTEST_SKIP() << "no launcher has started nodes beside this test";
    devices.resize(8);
    cl_uint found = 0;
    ASSERT_EQ(CL_SUCCESS,
              clGetDeviceIDs(quernPlatform(), CL_DEVICE_TYPE_ALL, 8, devices.data(), &found));
    devices.resize(found);
    ASSERT_EQ(3u, found) << "two nodes and what else QUERN_DEVICES names";
    use(devices);
  }
  /// Makes the context, and a queue for each device.
  void use(const std::vector<cl_device_id>& list) {
    devices = list;
    queues.clear();
    context.reset(clCreateContext(nullptr, static_cast<cl_uint>(list.size()), list.data(), nullptr,
                                  nullptr, nullptr));
    for (const cl_device_id device : list)
      queues.emplace_back(
          clCreateCommandQueueWithProperties(context.get(), device, nullptr, nullptr));
  }
  void build() {
    const char* text = source;
    program.reset(clCreateProgramWithSource(context.get(), 1, &text, nullptr, nullptr));
    ASSERT_EQ(CL_SUCCESS,
              clBuildProgram(program.get(), 0, nullptr, "-cl-std=CL3.0", nullptr, nullptr));
  }
  Kernel kernel(const char* name) const {
    cl_int code = 1;
    Kernel made(clCreateKernel(program.get(), name, &code));
    EXPECT_EQ(CL_SUCCESS, code) << name;
    return made;
  }
  static void setPointer(const Kernel& kernel, cl_uint index, const void* pointer) {
    EXPECT_EQ(CL_SUCCESS, clSetKernelArgSVMPointer(kernel.get(), index, pointer));
  }
  template <typename T> static void setValue(const Kernel& kernel, cl_uint index, T value) {
    EXPECT_EQ(CL_SUCCESS, clSetKernelArg(kernel.get(), index, sizeof(value), &value));
  }
  static void usePointers(const Kernel& kernel, std::vector<const void*> pointers) {
    EXPECT_EQ(CL_SUCCESS, clSetKernelExecInfo(kernel.get(), CL_KERNEL_EXEC_INFO_SVM_PTRS,
                                              pointers.size() * sizeof(void*), pointers.data()));
  }
  cl_int launch(size_t device, const Kernel& kernel, size_t items) const {
    return clEnqueueNDRangeKernel(queues[device].get(), kernel.get(), 1, nullptr, &items, nullptr,
                                  0, nullptr, nullptr);
  }
  /// Launches and waits.
  void run(size_t device, const Kernel& kernel, size_t items) const {
    EXPECT_EQ(CL_SUCCESS, launch(device, kernel, items));
    EXPECT_EQ(CL_SUCCESS, clFinish(queues[device].get()));
  }
  cl_int map(size_t device, void* pointer, size_t size, cl_map_flags flags = CL_MAP_READ) const {
    return clEnqueueSVMMap(queues[device].get(), CL_TRUE, flags, pointer, size, 0, nullptr,
                           nullptr);
  }
  cl_int unmap(size_t device, void* pointer) const {
    const cl_int code = clEnqueueSVMUnmap(queues[device].get(), pointer, 0, nullptr, nullptr);
    return code == CL_SUCCESS ? clFinish(queues[device].get()) : code;
  }
  /// What the host sees of `count` numbers, by a map of that device's.
  std::vector<cl_int> read(size_t device, void* pointer) const {
    EXPECT_EQ(CL_SUCCESS, map(device, pointer, bytes));
    const auto* const values = static_cast<const cl_int*>(pointer);
    std::vector<cl_int> result(values, values + count);
    EXPECT_EQ(CL_SUCCESS, unmap(device, pointer));
    return result;
  }
  void write(size_t device, void* pointer, const std::vector<cl_int>& values) const {
    const size_t size = values.size() * sizeof(cl_int);
    EXPECT_EQ(CL_SUCCESS, map(device, pointer, size, CL_MAP_WRITE_INVALIDATE_REGION));
    std::memcpy(pointer, values.data(), size);
    EXPECT_EQ(CL_SUCCESS, unmap(device, pointer));
  }
  cl_int fill(size_t device, cl_int* first, size_t size, cl_int value) const {
    return clEnqueueSVMMemFill(queues[device].get(), first, &value, sizeof(value),
                               size * sizeof(value), 0, nullptr, nullptr);
  }
  static std::vector<cl_int> ascending(cl_int first) {
    std::vector<cl_int> values(count);
    std::iota(values.begin(), values.end(), first);
    return values;
  }

  std::vector<cl_device_id> devices; ///< the nodes' first
  Context context;
  std::vector<Queue> queues;
  Program program;
};

TEST_F(NodesSvm, devicesSayWhatTheyHave) {
  for (size_t i = 0; i < 2; ++i) {
    EXPECT_EQ(
        cl_device_svm_capabilities{CL_DEVICE_SVM_COARSE_GRAIN_BUFFER},
        info<cl_device_svm_capabilities>(clGetDeviceInfo, devices[i], CL_DEVICE_SVM_CAPABILITIES));
    const std::string extensions = infoString(clGetDeviceInfo, devices[i], CL_DEVICE_EXTENSIONS);
    EXPECT_EQ(extensions.npos, extensions.find("cl_intel_unified_shared_memory"));
    EXPECT_EQ(extensions.npos, extensions.find("cl_khr_unified_svm"));
  }
}

TEST_F(NodesSvm, listsHoldOnAllDevicesAndTheHost) {
  build();
  constexpr cl_int length = 300, expected = 3 * length * (length - 1) / 2;
  const SvmMemory nodes(context, length * sizeof(ListNode)), values(context, length * 4),
      result(context, 4);
  for (size_t maker = 0; maker < 3; ++maker) {
    const Kernel link = kernel("link");
    setPointer(link, 0, nodes.get());
    setPointer(link, 1, values.get());
    setValue(link, 2, length);
    run(maker, link, 1);
    for (size_t reader = 0; reader < 3; ++reader) {
      const Kernel sum = kernel("sum");
      setPointer(sum, 0, nodes.get());
      setPointer(sum, 1, result.get());
      usePointers(sum, {values.get()});
      run(reader, sum, 1);
      ASSERT_EQ(CL_SUCCESS, map(reader, result.get(), 4));
      EXPECT_EQ(expected, *static_cast<cl_int*>(result.get())) << maker << reader;
      EXPECT_EQ(CL_SUCCESS, unmap(reader, result.get()));
    }
    ASSERT_EQ(CL_SUCCESS, map(maker, nodes.get(), length * sizeof(ListNode)));
    ASSERT_EQ(CL_SUCCESS, map(maker, values.get(), length * 4));
    cl_int total = 0;
    for (const auto* node = static_cast<ListNode*>(nodes.get()); node; node = node->next)
      total += *node->value;
    EXPECT_EQ(expected, total);
    EXPECT_EQ(CL_SUCCESS, unmap(maker, nodes.get()));
    EXPECT_EQ(CL_SUCCESS, unmap(maker, values.get()));
  }
}

TEST_F(NodesSvm, theHostsListsHoldOnNodes) {
  build();
  constexpr size_t length = 100;
  const SvmMemory nodes(context, length * sizeof(ListNode)), values(context, bytes),
      result(context, 4);
  write(2, values.get(), ascending(1));
  ASSERT_EQ(CL_SUCCESS, map(0, nodes.get(), length * sizeof(ListNode), CL_MAP_WRITE));
  auto* const list = static_cast<ListNode*>(nodes.get());
  auto* const numbers = static_cast<cl_int*>(values.get());
  for (size_t i = 0; i < length; ++i) // from the end to the beginning
    list[i] = {i == 0 ? nullptr : &list[i - 1], &numbers[i]};
  EXPECT_EQ(CL_SUCCESS, unmap(0, nodes.get()));
  const Kernel sum = kernel("sum");
  setPointer(sum, 0, list + length - 1); // into the middle of the memory
  setPointer(sum, 1, result.get());
  usePointers(sum, {values.get()});
  run(1, sum, 1);
  ASSERT_EQ(CL_SUCCESS, map(1, result.get(), 4));
  EXPECT_EQ(cl_int(length * (length + 1) / 2), *static_cast<cl_int*>(result.get()));
}

TEST_F(NodesSvm, indirectAccessMakesAllMemoryUsable) {
  build();
  const SvmMemory data(context, bytes), pointer(context, sizeof(void*));
  write(0, data.get(), ascending(0));
  ASSERT_EQ(CL_SUCCESS, map(0, pointer.get(), sizeof(void*), CL_MAP_WRITE));
  void* address = data.get();
  std::memcpy(pointer.get(), &address, sizeof(address));
  EXPECT_EQ(CL_SUCCESS, unmap(0, pointer.get()));
  const Kernel add = kernel("addThrough");
  const cl_bool isAllowed = CL_TRUE;
  EXPECT_EQ(CL_SUCCESS, clSetKernelExecInfo(add.get(), api::kernelExecInfoSvmIndirectAccess,
                                            sizeof(isAllowed), &isAllowed));
  setPointer(add, 0, pointer.get());
  setValue(add, 1, cl_int{10});
  for (size_t device = 0; device < 3; ++device)
    run(device, add, count);
  EXPECT_EQ(ascending(30), read(1, data.get()));
  // What is made later, too, though the kernel's arguments are as they were.
  const SvmMemory later(context, bytes);
  write(2, later.get(), ascending(0));
  ASSERT_EQ(CL_SUCCESS, map(0, pointer.get(), sizeof(void*), CL_MAP_WRITE));
  address = later.get();
  std::memcpy(pointer.get(), &address, sizeof(address));
  EXPECT_EQ(CL_SUCCESS, unmap(0, pointer.get()));
  run(1, add, count);
  EXPECT_EQ(ascending(10), read(0, later.get()));
}

TEST_F(NodesSvm, eachDeviceSeesWhatTheOthersWrote) {
  build();
  const SvmMemory data(context, bytes);
  write(1, data.get(), ascending(0));
  const Kernel add = kernel("add");
  setPointer(add, 0, data.get());
  for (cl_int i = 1; i <= 30; ++i) {
    setValue(add, 1, i);
    run(static_cast<size_t>(i) * 2 % 3, add, count);
  }
  EXPECT_EQ(ascending(30 * 31 / 2), read(0, data.get()));
}

TEST_F(NodesSvm, devicesWritePartsAtTheSameTime) {
  const SvmMemory data(context, bytes);
  auto* const numbers = static_cast<cl_int*>(data.get());
  for (cl_int round = 1; round <= 20; ++round) {
    // Parts that no page or cache line ends at.
    ASSERT_EQ(CL_SUCCESS, fill(0, numbers, 1001, round));
    ASSERT_EQ(CL_SUCCESS, fill(1, numbers + 1001, 2002, -round));
    ASSERT_EQ(CL_SUCCESS, fill(2, numbers + 3003, count - 3003, 7 * round));
    for (const Queue& queue : queues)
      ASSERT_EQ(CL_SUCCESS, clFinish(queue.get()));
    std::vector<cl_int> expected(count, 7 * round);
    std::fill_n(expected.begin(), 3003, -round);
    std::fill_n(expected.begin(), 1001, round);
    ASSERT_EQ(expected, read(static_cast<size_t>(round) % 3, data.get()));
  }
}

TEST_F(NodesSvm, whatIsNotMappedStaysWithTheDevice) {
  const SvmMemory data(context, bytes);
  auto* const numbers = static_cast<cl_int*>(data.get());
  ASSERT_EQ(CL_SUCCESS, fill(0, numbers, count, 5));
  // Of what was mapped for writing, the host's bytes count; of the rest, the node's.
  ASSERT_EQ(CL_SUCCESS, map(0, numbers + 10, 20 * sizeof(cl_int), CL_MAP_READ | CL_MAP_WRITE));
  EXPECT_EQ(std::vector<cl_int>(20, 5), std::vector<cl_int>(numbers + 10, numbers + 30));
  std::fill_n(numbers + 10, 10, 6);
  EXPECT_EQ(CL_SUCCESS, unmap(0, numbers + 10));
  std::vector<cl_int> expected(count, 5);
  std::fill_n(expected.begin() + 10, 10, 6);
  std::vector<cl_int> there(count);
  ASSERT_EQ(CL_SUCCESS, clEnqueueSVMMemcpy(queues[1].get(), CL_TRUE, there.data(), numbers, bytes,
                                           0, nullptr, nullptr));
  EXPECT_EQ(expected, there);
}

TEST_F(NodesSvm, copiesGoBetweenSvmAndAnyMemory) {
  const SvmMemory first(context, bytes), second(context, bytes);
  const std::vector<cl_int> values = ascending(4);
  for (size_t device = 0; device < 3; ++device) {
    const cl_command_queue queue = queues[device].get();
    const cl_command_queue other = queues[(device + 1) % 3].get();
    EXPECT_EQ(CL_SUCCESS, clEnqueueSVMMemcpy(queue, CL_TRUE, first.get(), values.data(), bytes, 0,
                                             nullptr, nullptr));
    EXPECT_EQ(CL_SUCCESS, clEnqueueSVMMemcpy(other, CL_TRUE, second.get(), first.get(), bytes, 0,
                                             nullptr, nullptr));
    std::vector<cl_int> result(count), own(count);
    EXPECT_EQ(CL_SUCCESS, clEnqueueSVMMemcpy(queue, CL_TRUE, result.data(), second.get(), bytes, 0,
                                             nullptr, nullptr));
    EXPECT_EQ(values, result);
    // Neither is shared virtual memory.
    EXPECT_EQ(CL_SUCCESS, clEnqueueSVMMemcpy(queue, CL_TRUE, own.data(), result.data(), bytes, 0,
                                             nullptr, nullptr));
    EXPECT_EQ(values, own);
    EXPECT_EQ(CL_SUCCESS, fill(device, static_cast<cl_int*>(second.get()), count, 0));
  }
}

TEST_F(NodesSvm, migrationBringsBytes) {
  const SvmMemory data(context, bytes);
  write(2, data.get(), ascending(8));
  const void* pointers[] = {data.get()};
  const size_t sizes[] = {bytes / 2}, none[] = {0};
  for (const size_t* size : {sizes, none, static_cast<const size_t*>(nullptr)})
    for (const cl_mem_migration_flags flags : {0, CL_MIGRATE_MEM_OBJECT_HOST})
      for (const Queue& queue : queues) {
        EXPECT_EQ(CL_SUCCESS, clEnqueueSVMMigrateMem(queue.get(), 1, pointers, size, flags, 0,
                                                     nullptr, nullptr));
        EXPECT_EQ(CL_SUCCESS, clFinish(queue.get()));
      }
  EXPECT_EQ(ascending(8), read(0, data.get()));
}

TEST_F(NodesSvm, aBufferOverSvmIsTheSameMemory) {
  build();
  const SvmMemory data(context, bytes + 60);
  auto* const inside = reinterpret_cast<cl_int*>(static_cast<std::byte*>(data.get()) + 60);
  cl_int code = 1;
  const Memory buffer(clCreateBuffer(context.get(), CL_MEM_USE_HOST_PTR, bytes, inside, &code));
  ASSERT_EQ(CL_SUCCESS, code);
  EXPECT_TRUE(info<cl_bool>(clGetMemObjectInfo, buffer.get(), CL_MEM_USES_SVM_POINTER));
  EXPECT_EQ(0u, info<size_t>(clGetMemObjectInfo, buffer.get(), CL_MEM_OFFSET));
  write(0, inside, ascending(0));
  const Kernel add = kernel("add");
  setValue(add, 1, cl_int{100});
  setPointer(add, 0, inside);
  run(0, add, count);
  setValue(add, 0, buffer.get());
  run(1, add, count);
  EXPECT_EQ(ascending(200), read(2, inside));
  // A part of it has an offset of its own.
  const cl_buffer_region region = {1024, 512};
  const Memory part(
      clCreateSubBuffer(buffer.get(), 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &code));
  ASSERT_EQ(CL_SUCCESS, code);
  EXPECT_EQ(1024u, info<size_t>(clGetMemObjectInfo, part.get(), CL_MEM_OFFSET));
  EXPECT_EQ(inside + 256, info<void*>(clGetMemObjectInfo, part.get(), CL_MEM_HOST_PTR));
  setValue(add, 0, part.get());
  run(1, add, 128);
  std::vector<cl_int> expected = ascending(200);
  for (size_t i = 256; i < 384; ++i)
    expected[i] += 100;
  // The map of the buffer is at the pointer, as that of the memory is.
  void* const mapped =
      clEnqueueMapBuffer(queues[0].get(), buffer.get(), CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, 0,
                         bytes, 0, nullptr, nullptr, &code);
  ASSERT_EQ(inside, mapped);
  EXPECT_EQ(expected, std::vector<cl_int>(inside, inside + count));
  inside[7] = -1;
  expected[7] = -1;
  EXPECT_EQ(CL_SUCCESS,
            clEnqueueUnmapMemObject(queues[0].get(), buffer.get(), mapped, 0, nullptr, nullptr));
  EXPECT_EQ(CL_SUCCESS, clFinish(queues[0].get()));
  std::vector<cl_int> result(count);
  EXPECT_EQ(CL_SUCCESS, clEnqueueReadBuffer(queues[1].get(), buffer.get(), CL_TRUE, 0, bytes,
                                            result.data(), 0, nullptr, nullptr));
  EXPECT_EQ(expected, result);
}

TEST_F(NodesSvm, constantArgumentsAreOnlyRead) {
  build();
  const SvmMemory from(context, bytes), to(context, bytes);
  write(0, from.get(), ascending(2));
  const Kernel copy = kernel("copy");
  setPointer(copy, 0, from.get());
  setPointer(copy, 1, to.get());
  for (size_t device = 0; device < 3; ++device)
    run(device, copy, count);
  EXPECT_EQ(ascending(2), read(0, to.get()));
  EXPECT_EQ(ascending(2), read(1, from.get()));
}

TEST_F(NodesSvm, copiesOfMemoryThatKernelsOnlyReadStay) {
  build();
  const SvmMemory from(context, bytes, CL_MEM_READ_ONLY), to(context, bytes);
  write(0, from.get(), ascending(2));
  const Kernel copy = kernel("copyGlobal");
  setPointer(copy, 0, from.get());
  setPointer(copy, 1, to.get());
  run(0, copy, count);
  run(1, copy, count);
  // Of what only one of them had, nothing would come from a node that is stopped.
  kill(nodeProcess(1), SIGSTOP);
  EXPECT_EQ(ascending(2), read(2, from.get()));
  EXPECT_EQ(ascending(2), read(2, to.get()));
  kill(nodeProcess(1), SIGCONT);
}

TEST_F(NodesSvm, fineGrainMemoryIsNotTheNodes) {
  build();
  const SvmMemory fine(context, bytes, CL_MEM_SVM_FINE_GRAIN_BUFFER), coarse(context, bytes);
  const Kernel add = kernel("add");
  setValue(add, 1, cl_int{1});
  std::vector<cl_int> plain(count);
  for (void* const pointer : {fine.get(), static_cast<void*>(plain.data())}) {
    setPointer(add, 0, pointer);
    EXPECT_EQ(CL_INVALID_OPERATION, launch(0, add, count));
    run(2, add, count);
  }
  setPointer(add, 0, coarse.get());
  usePointers(add, {fine.get()});
  EXPECT_EQ(CL_INVALID_OPERATION, launch(1, add, count));
  run(2, add, count);
  // A buffer over it has a copy on the node.
  const Memory buffer(
      clCreateBuffer(context.get(), CL_MEM_USE_HOST_PTR, bytes, fine.get(), nullptr));
  const cl_int value = 77;
  EXPECT_EQ(CL_SUCCESS, clEnqueueFillBuffer(queues[0].get(), buffer.get(), &value, sizeof(value), 0,
                                            bytes, 0, nullptr, nullptr));
  EXPECT_EQ(CL_SUCCESS, clFinish(queues[0].get()));
  void* const mapped = clEnqueueMapBuffer(queues[0].get(), buffer.get(), CL_TRUE, CL_MAP_READ, 0,
                                          bytes, 0, nullptr, nullptr, nullptr);
  EXPECT_EQ(fine.get(), mapped);
  EXPECT_EQ(77, static_cast<cl_int*>(mapped)[count - 1]);
  EXPECT_EQ(CL_SUCCESS,
            clEnqueueUnmapMemObject(queues[0].get(), buffer.get(), mapped, 0, nullptr, nullptr));
  EXPECT_EQ(CL_SUCCESS, clFinish(queues[0].get()));
}

TEST_F(NodesSvm, bytesBeyondTheMemoryAreErrors) {
  const SvmMemory data(context, bytes), other(context, bytes);
  auto* const numbers = static_cast<cl_int*>(data.get());
  for (size_t device = 0; device < 3; ++device) {
    const cl_command_queue queue = queues[device].get();
    EXPECT_EQ(CL_INVALID_VALUE, map(device, numbers + 1, bytes));
    EXPECT_EQ(CL_INVALID_VALUE, fill(device, numbers + 1, count, 3));
    EXPECT_EQ(CL_INVALID_VALUE, clEnqueueSVMMemcpy(queue, CL_TRUE, numbers + 1, other.get(), bytes,
                                                   0, nullptr, nullptr));
    EXPECT_EQ(CL_INVALID_VALUE, clEnqueueSVMMemcpy(queue, CL_TRUE, other.get(), numbers + 1, bytes,
                                                   0, nullptr, nullptr));
    const void* pointers[] = {numbers + 1};
    const size_t sizes[] = {bytes};
    EXPECT_EQ(CL_INVALID_VALUE,
              clEnqueueSVMMigrateMem(queue, 1, pointers, sizes, 0, 0, nullptr, nullptr));
  }
  cl_int code = 1;
  const Memory buffer(
      clCreateBuffer(context.get(), CL_MEM_USE_HOST_PTR, bytes, numbers + 1, &code));
  EXPECT_EQ(CL_INVALID_BUFFER_SIZE, code);
  const cl_image_format format = {CL_R, CL_SIGNED_INT32};
  const cl_image_desc shape = {.image_type = CL_MEM_OBJECT_IMAGE1D, .image_width = count};
  const Memory image(
      clCreateImage(context.get(), CL_MEM_USE_HOST_PTR, &format, &shape, numbers + 1, &code));
  EXPECT_EQ(CL_INVALID_HOST_PTR, code);
}

TEST_F(NodesSvm, nodesAloneHaveNothingFinerThanCoarseGrain) {
  use({devices[0], devices[1]});
  EXPECT_EQ(nullptr, clSVMAlloc(context.get(), CL_MEM_SVM_FINE_GRAIN_BUFFER, bytes, 0));
  EXPECT_EQ(nullptr,
            clSVMAlloc(context.get(), CL_MEM_SVM_FINE_GRAIN_BUFFER | CL_MEM_SVM_ATOMICS, bytes, 0));
  build();
  const Kernel add = kernel("add");
  std::vector<cl_int> plain(count);
  EXPECT_EQ(CL_INVALID_ARG_VALUE, clSetKernelArgSVMPointer(add.get(), 0, plain.data()));
  const cl_bool wanted = CL_TRUE;
  EXPECT_EQ(CL_INVALID_OPERATION,
            clSetKernelExecInfo(add.get(), CL_KERNEL_EXEC_INFO_SVM_FINE_GRAIN_SYSTEM,
                                sizeof(wanted), &wanted));
  // The host's copy is nobody's but the host's.
  const SvmMemory data(context, bytes);
  write(0, data.get(), ascending(0));
  setPointer(add, 0, data.get());
  setValue(add, 1, cl_int{5});
  run(0, add, count);
  run(1, add, count);
  EXPECT_EQ(ascending(10), read(0, data.get()));
}

TEST_F(NodesSvm, partsOfADeviceShareItsCopy) {
  const cl_device_partition_property halves[] = {CL_DEVICE_PARTITION_EQUALLY, 1, 0};
  std::vector<cl_device_id> parts(2);
  cl_uint found = 0;
  if (clCreateSubDevices(devices[0], halves, 0, nullptr, &found) != CL_SUCCESS || found < 2)
    GTEST_SKIP() << "the node's device has one compute unit";
  parts.resize(found);
  ASSERT_EQ(CL_SUCCESS, clCreateSubDevices(devices[0], halves, found, parts.data(), nullptr));
  std::vector<SubDevice> owned;
  for (const cl_device_id part : parts)
    owned.emplace_back(part);
  use({parts[0], devices[1], parts[1], devices[0]});
  build();
  const SvmMemory data(context, bytes);
  write(1, data.get(), ascending(0));
  const Kernel add = kernel("add");
  setPointer(add, 0, data.get());
  setValue(add, 1, cl_int{1});
  for (size_t device = 0; device < 4; ++device)
    run(device, add, count);
  EXPECT_EQ(ascending(4), read(2, data.get()));
  queues.clear();
  program.reset();
}

TEST_F(NodesSvm, memoryIsFreedOnAllSides) {
  build();
  const Kernel add = kernel("add");
  setValue(add, 1, cl_int{1});
  for (size_t round = 0; round < 300; ++round) {
    void* const memory = clSVMAlloc(context.get(), 0, bytes, 0);
    ASSERT_NE(nullptr, memory);
    setPointer(add, 0, memory);
    ASSERT_EQ(CL_SUCCESS, launch(round % 3, add, count));
    void* list[] = {memory};
    ASSERT_EQ(CL_SUCCESS, clEnqueueSVMFree(queues[round % 3].get(), 1, list, nullptr, nullptr, 0,
                                           nullptr, nullptr));
    ASSERT_EQ(CL_SUCCESS, clFlush(queues[round % 3].get()));
  }
  for (const Queue& queue : queues)
    EXPECT_EQ(CL_SUCCESS, clFinish(queue.get()));
}

TEST_F(NodesSvm, whatIsTooLargeIsNotThere) {
  const auto largest = info<cl_ulong>(clGetDeviceInfo, devices[0], CL_DEVICE_MAX_MEM_ALLOC_SIZE);
  EXPECT_EQ(nullptr, clSVMAlloc(context.get(), 0, largest * 2, 0));
  std::vector<void*> taken;
  bool isFull = false;
  for (int i = 0; i < 8 && !isFull; ++i) {
    void* const memory = clSVMAlloc(context.get(), 0, largest, 0);
    isFull = memory == nullptr;
    if (memory)
      taken.push_back(memory);
  }
  EXPECT_TRUE(isFull) << "the devices' memory is used up";
  for (void* const memory : taken)
    clSVMFree(context.get(), memory);
  const SvmMemory data(context, largest);
  EXPECT_EQ(CL_SUCCESS, fill(1, static_cast<cl_int*>(data.get()), count, 1));
  EXPECT_EQ(CL_SUCCESS, clFinish(queues[1].get()));
}

TEST_F(NodesSvm, recordedCommandsMoveToOtherDevices) {
  build();
  const SvmMemory first(context, bytes), second(context, bytes);
  cl_command_queue own = queues[0].get();
  cl_int code = 1;
  const CommandBuffer recorded(khr::CreateCommandBuffer(1, &own, nullptr, &code));
  ASSERT_EQ(CL_SUCCESS, code);
  const cl_int value = 30;
  EXPECT_EQ(CL_SUCCESS, khr::CommandSVMMemFill(recorded.get(), nullptr, nullptr, first.get(),
                                               &value, 4, bytes, 0, nullptr, nullptr, nullptr));
  const Kernel add = kernel("add");
  setPointer(add, 0, first.get());
  setValue(add, 1, cl_int{3});
  const size_t items = count;
  EXPECT_EQ(CL_SUCCESS,
            khr::CommandNDRangeKernel(recorded.get(), nullptr, nullptr, add.get(), 1, nullptr,
                                      &items, nullptr, 0, nullptr, nullptr, nullptr));
  EXPECT_EQ(CL_SUCCESS, khr::CommandSVMMemcpy(recorded.get(), nullptr, nullptr, second.get(),
                                              first.get(), bytes, 0, nullptr, nullptr, nullptr));
  ASSERT_EQ(CL_SUCCESS, khr::FinalizeCommandBuffer(recorded.get()));
  const auto expectRun = [&](const CommandBuffer& buffer, size_t device) {
    write(2, second.get(), ascending(0));
    ASSERT_EQ(CL_SUCCESS, khr::EnqueueCommandBuffer(0, nullptr, buffer.get(), 0, nullptr, nullptr));
    ASSERT_EQ(CL_SUCCESS, clFinish(queues[device].get()));
    EXPECT_EQ(std::vector<cl_int>(count, 33), read(device, second.get()));
  };
  expectRun(recorded, 0);
  for (size_t device = 1; device < 3; ++device) {
    const cl_command_queue target = queues[device].get();
    const CommandBuffer moved(khr::RemapCommandBuffer(recorded.get(), cl_bool{CL_FALSE}, cl_uint{1},
                                                      &target, cl_uint{0}, nullptr, nullptr,
                                                      &code));
    ASSERT_EQ(CL_SUCCESS, code);
    expectRun(moved, device);
  }
}

TEST_F(NodesSvm, recordedCommandsOnFineGrainMemoryDoNotMoveToNodes) {
  const SvmMemory fine(context, bytes, CL_MEM_SVM_FINE_GRAIN_BUFFER);
  cl_command_queue own = queues[2].get();
  const cl_command_queue target = queues[0].get();
  cl_int code = 1;
  const CommandBuffer recorded(khr::CreateCommandBuffer(1, &own, nullptr, &code));
  const cl_int value = 30;
  EXPECT_EQ(CL_SUCCESS, khr::CommandSVMMemFill(recorded.get(), nullptr, nullptr, fine.get(), &value,
                                               4, bytes, 0, nullptr, nullptr, nullptr));
  ASSERT_EQ(CL_SUCCESS, khr::FinalizeCommandBuffer(recorded.get()));
  const CommandBuffer moved(khr::RemapCommandBuffer(recorded.get(), cl_bool{CL_FALSE}, cl_uint{1},
                                                    &target, cl_uint{0}, nullptr, nullptr, &code));
  EXPECT_EQ(CL_INVALID_OPERATION, code);
}

/// Each in a job of its own, whose first node is lost.
class NodesSvmLost : public NodesSvm {
protected:
  void SetUp() override {
    NodesSvm::SetUp();
    if (IsSkipped())
      return;
    ASSERT_NE(node = nodeProcess(1), 0);
    build();
    add = kernel("add");
    setValue(add, 1, cl_int{1});
  }
  /// Writes to all memory on a device.
  void addOne(size_t device, const SvmMemory& memory) {
    setPointer(add, 0, memory.get());
    run(device, add, count);
  }

  pid_t node = 0;
  Kernel add;
};

TEST_F(NodesSvmLost, KilledWithBytesThatOnlyItHas) {
  const SvmMemory onNode(context, bytes), onOther(context, bytes), onHost(context, bytes);
  for (const SvmMemory* memory : {&onNode, &onOther, &onHost})
    write(2, memory->get(), ascending(0));
  addOne(1, onOther);
  addOne(0, onHost);
  ASSERT_EQ(ascending(1), read(2, onHost.get()));
  addOne(0, onNode);
  kill(node, SIGKILL);
  cl_event event = nullptr;
  EXPECT_EQ(CL_SUCCESS, clEnqueueSVMMap(queues[2].get(), CL_FALSE, CL_MAP_READ, onNode.get(), bytes,
                                        0, nullptr, &event));
  const Event lost(event);
  EXPECT_EQ(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, clWaitForEvents(1, &event));
  EXPECT_EQ(CL_DEVICE_NOT_AVAILABLE, statusOf(lost));
  // What others have goes on.
  EXPECT_EQ(ascending(1), read(2, onHost.get()));
  EXPECT_EQ(ascending(1), read(2, onOther.get()));
  addOne(1, onHost);
  EXPECT_EQ(ascending(2), read(1, onHost.get()));
  // What is written anew is where it was written.
  write(2, onNode.get(), ascending(9));
  addOne(1, onNode);
  EXPECT_EQ(ascending(10), read(2, onNode.get()));
}

TEST_F(NodesSvmLost, KilledWhileAKernelRuns) {
  const SvmMemory data(context, bytes), other(context, bytes);
  const Kernel wait = kernel("wait");
  setPointer(wait, 0, data.get());
  cl_event event = nullptr;
  const size_t items = 1;
  ASSERT_EQ(CL_SUCCESS, clEnqueueNDRangeKernel(queues[0].get(), wait.get(), 1, nullptr, &items,
                                               nullptr, 0, nullptr, &event));
  const Event running(event);
  ASSERT_EQ(CL_SUCCESS, clFlush(queues[0].get()));
  kill(node, SIGKILL);
  EXPECT_EQ(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, clWaitForEvents(1, &event));
  EXPECT_EQ(CL_DEVICE_NOT_AVAILABLE, statusOf(running));
  write(1, other.get(), ascending(0));
  addOne(1, other);
  EXPECT_EQ(ascending(1), read(2, other.get()));
}

TEST_F(NodesSvmLost, KilledWhileBytesAreBrought) {
  constexpr size_t many = 16 << 20;
  const SvmMemory data(context, many * sizeof(cl_int));
  setPointer(add, 0, data.get());
  run(0, add, many);
  kill(node, SIGSTOP);
  cl_event event = nullptr;
  ASSERT_EQ(CL_SUCCESS, clEnqueueSVMMap(queues[1].get(), CL_FALSE, CL_MAP_READ, data.get(),
                                        many * sizeof(cl_int), 0, nullptr, &event));
  const Event mapped(event);
  ASSERT_EQ(CL_SUCCESS, clFlush(queues[1].get()));
  kill(node, SIGKILL);
  EXPECT_EQ(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, clWaitForEvents(1, &event));
  EXPECT_EQ(CL_DEVICE_NOT_AVAILABLE, statusOf(mapped));
}

TEST_F(NodesSvmLost, KilledBeforeAnAllocation) {
  std::string said;
  const auto notify = [](const char* text, const void*, size_t, void* receiver) {
    *static_cast<std::string*>(receiver) = text;
  };
  const Context all(clCreateContext(nullptr, 3, devices.data(), notify, &said, nullptr));
  kill(node, SIGKILL);
  EXPECT_EQ(nullptr, clSVMAlloc(all.get(), 0, bytes, 0));
  EXPECT_NE(said.npos, said.find("node 1 of the cluster does not answer any more")) << said;
  const Kernel old = std::move(add);
  use({devices[1], devices[2]});
  build();
  add = kernel("add");
  setValue(add, 1, cl_int{1});
  const SvmMemory data(context, bytes);
  write(0, data.get(), ascending(0));
  addOne(0, data);
  addOne(1, data);
  EXPECT_EQ(ascending(2), read(0, data.get()));
}

/// The nodes may not have as many addresses.
class NodesSvmNone : public NodesSvm {};

TEST_F(NodesSvmNone, DevicesSayThatTheyHaveNoSvm) {
  for (size_t i = 0; i < 2; ++i)
    EXPECT_EQ(0u, info<cl_device_svm_capabilities>(clGetDeviceInfo, devices[i],
                                                   CL_DEVICE_SVM_CAPABILITIES));
  const SvmMemory data(context, bytes);
  EXPECT_EQ(CL_INVALID_OPERATION, fill(0, static_cast<cl_int*>(data.get()), count, 1));
  EXPECT_EQ(CL_SUCCESS, fill(2, static_cast<cl_int*>(data.get()), count, 1));
  EXPECT_EQ(CL_SUCCESS, clFinish(queues[2].get()));
  // A buffer over it is copied.
  const Memory buffer(
      clCreateBuffer(context.get(), CL_MEM_USE_HOST_PTR, bytes, data.get(), nullptr));
  const cl_int value = 4;
  EXPECT_EQ(CL_SUCCESS, clEnqueueFillBuffer(queues[0].get(), buffer.get(), &value, 4, 0, bytes, 0,
                                            nullptr, nullptr));
  EXPECT_EQ(CL_SUCCESS, clFinish(queues[0].get()));
  std::vector<cl_int> result(count);
  EXPECT_EQ(CL_SUCCESS, clEnqueueReadBuffer(queues[1].get(), buffer.get(), CL_TRUE, 0, bytes,
                                            result.data(), 0, nullptr, nullptr));
  EXPECT_EQ(std::vector<cl_int>(count, 4), result);
}

/// With a GPU of this process', the stand-in for NVIDIA's driver: it uses the host's copy.
class NodesSvmGpu : public NodesSvm {};

TEST_F(NodesSvmGpu, UsesTheHostsCopyAtTheSameAddress) {
  const SvmMemory data(context, bytes);
  auto* const numbers = static_cast<cl_int*>(data.get());
  for (cl_int round = 1; round <= 5; ++round) {
    ASSERT_EQ(CL_SUCCESS, fill(0, numbers, count, round));
    ASSERT_EQ(CL_SUCCESS, clFinish(queues[0].get()));
    ASSERT_EQ(CL_SUCCESS, fill(2, numbers + 100, 100, -round));
    ASSERT_EQ(CL_SUCCESS, clFinish(queues[2].get()));
    ASSERT_EQ(CL_SUCCESS, fill(1, numbers + 150, 100, 10 * round));
    ASSERT_EQ(CL_SUCCESS, clFinish(queues[1].get()));
    std::vector<cl_int> expected(count, round);
    std::fill_n(expected.begin() + 100, 100, -round);
    std::fill_n(expected.begin() + 150, 100, 10 * round);
    ASSERT_EQ(expected, read(static_cast<size_t>(round) % 3, data.get()));
  }
}

} // namespace
} // namespace quern::test
