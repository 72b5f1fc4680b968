// Shared virtual memory in kernels: pointers in memory, and host and device at work on the same
// data.
#include "kernels/kernel_fixture.h"

#include <atomic>
#include <memory>
#include <thread>

namespace quern::tests {
namespace {

constexpr cl_svm_mem_flags fineGrain = CL_MEM_SVM_FINE_GRAIN_BUFFER;
constexpr cl_svm_mem_flags atomics = CL_MEM_SVM_FINE_GRAIN_BUFFER | CL_MEM_SVM_ATOMICS;

struct SvmDeleter {
  void operator()(void* pointer) const { clSVMFree(Device::get().context, pointer); }
};
template <typename T> using Svm = std::unique_ptr<T[], SvmDeleter>;

template <typename T> Svm<T> allocate(size_t count, cl_svm_mem_flags flags = 0) {
  void* memory = clSVMAlloc(Device::get().context, flags, count * sizeof(T), 0);
  check(memory ? CL_SUCCESS : CL_MEM_OBJECT_ALLOCATION_FAILURE, "clSVMAlloc");
  return Svm<T>(static_cast<T*>(memory));
}

void setPointer(Kernel& kernel, cl_uint index, const void* pointer) {
  check(clSetKernelArgSVMPointer(kernel.handle(), index, pointer), "clSetKernelArgSVMPointer");
}

void usePointers(Kernel& kernel, std::vector<const void*> pointers) {
  check(clSetKernelExecInfo(kernel.handle(), CL_KERNEL_EXEC_INFO_SVM_PTRS,
                            pointers.size() * sizeof(void*), pointers.data()),
        "clSetKernelExecInfo");
}

/// Coarse-grain memory belongs to the host between these.
struct HostAccess {
  HostAccess(void* memory, size_t bytes) : memory(memory) {
    check(clEnqueueSVMMap(Device::get().queue, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, memory, bytes,
                          0, nullptr, nullptr),
          "clEnqueueSVMMap");
  }
  ~HostAccess() { clEnqueueSVMUnmap(Device::get().queue, memory, 0, nullptr, nullptr); }
  void* memory;
};

struct ListNode {
  ListNode* next;
  cl_long value;
};

constexpr const char* listSource = R"(
  struct ListNode { global struct ListNode* next; long value; };
  kernel void append(global struct ListNode* nodes, int length) {
    int list = get_global_id(0);
    global struct ListNode* node = &nodes[list * length];
    for (int i = 0; i < length; ++i) {
      node[i].value = list * 1000 + i;
      node[i].next = i + 1 < length ? &node[i + 1] : 0;
    }
  }
  kernel void sum(global struct ListNode* global* heads, global long* sums) {
    long total = 0;
    for (global struct ListNode* n = heads[get_global_id(0)]; n; n = n->next)
      total += n->value;
    sums[get_global_id(0)] = total;
  })";

TEST(SvmKernels, listsBuiltByTheHostAreWalkedByTheDevice) {
  QUERN_NEEDS("CL_DEVICE_SVM_CAPABILITIES CL_DEVICE_SVM_COARSE_GRAIN_BUFFER");
  constexpr size_t lists = 100, length = 37;
  const auto nodes = allocate<ListNode>(lists * length);
  const auto heads = allocate<ListNode*>(lists);
  const auto sums = allocate<cl_long>(lists);
  std::vector<cl_long> expected(lists);
  {
    const HostAccess nodeAccess(nodes.get(), lists * length * sizeof(ListNode));
    const HostAccess headAccess(heads.get(), lists * sizeof(ListNode*));
    for (size_t i = 0; i < lists * length; ++i) { // neighbours in memory are of different lists
      nodes[i] = {i + lists < lists * length ? &nodes[i + lists] : nullptr, cl_long(i * i)};
      expected[i % lists] += cl_long(i * i);
    }
    for (size_t i = 0; i < lists; ++i)
      heads[i] = &nodes[i];
  }
  const Program program = build(listSource, openClC3);
  Kernel sum(program, "sum");
  setPointer(sum, 0, heads.get());
  setPointer(sum, 1, sums.get());
  usePointers(sum, {nodes.get()});
  sum.enqueue({{lists}});
  const HostAccess access(sums.get(), lists * sizeof(cl_long));
  EXPECT_EQ(std::vector<cl_long>(sums.get(), sums.get() + lists), expected);
}

TEST(SvmKernels, listsBuiltByTheDeviceAreWalkedByTheHost) {
  QUERN_NEEDS("CL_DEVICE_SVM_CAPABILITIES CL_DEVICE_SVM_COARSE_GRAIN_BUFFER");
  constexpr cl_int lists = 64, length = 20;
  const auto nodes = allocate<ListNode>(lists * length);
  const Program program = build(listSource, openClC3);
  Kernel append(program, "append");
  setPointer(append, 0, nodes.get());
  append.set(1, length);
  append.enqueue({{size_t(lists)}});
  const HostAccess access(nodes.get(), lists * length * sizeof(ListNode));
  for (cl_int list = 0; list < lists; ++list) {
    const ListNode* node = &nodes[list * length];
    for (cl_int i = 0; i < length; ++i, node = node->next)
      ASSERT_EQ(node->value, list * 1000 + i);
    EXPECT_EQ(node, nullptr);
  }
}

TEST(SvmKernels, pointersMayPointIntoTheMiddleOfAnAllocation) {
  QUERN_NEEDS("CL_DEVICE_SVM_CAPABILITIES CL_DEVICE_SVM_FINE_GRAIN_BUFFER");
  const auto values = allocate<cl_int>(256, fineGrain);
  std::fill_n(values.get(), 256, 1);
  const Program program =
      build("kernel void twice(global int* p) { p[get_global_id(0)] += get_global_id(0); }");
  Kernel kernel(program, "twice");
  setPointer(kernel, 0, values.get() + 100);
  kernel.enqueue({{56}});
  check(clFinish(Device::get().queue), "clFinish");
  EXPECT_EQ(
      std::vector<cl_int>(values.get(), values.get() + 256),
      tabulate<cl_int>(256, [](size_t i) { return i >= 100 && i < 156 ? 1 + (i - 100) : 1; }));
}

TEST(SvmKernels, kernelsUseTheProgramsOwnMemory) {
  QUERN_NEEDS("CL_DEVICE_SVM_CAPABILITIES CL_DEVICE_SVM_FINE_GRAIN_SYSTEM");
  std::vector<cl_int> heap = tabulate<cl_int>(1000, [](size_t i) { return i; });
  cl_int onStack[4] = {};
  struct Pair {
    cl_int* from;
    cl_int* to;
  };
  const auto pair = std::make_unique<Pair>(Pair{heap.data(), onStack});
  const Program program = build(R"(
    struct Pair { global int* from; global int* to; };
    kernel void total(global struct Pair* pair, int count) {
      int i = get_global_id(0);
      int sum = 0;
      for (int k = i; k < count; k += get_global_size(0))
        sum += pair->from[k];
      pair->to[i] = sum;
    })");
  Kernel kernel(program, "total");
  setPointer(kernel, 0, pair.get());
  kernel.set(1, cl_int(heap.size()));
  kernel.enqueue({{4}});
  check(clFinish(Device::get().queue), "clFinish");
  for (cl_int i = 0; i < 4; ++i)
    EXPECT_EQ(onStack[i], 250 * i + 4 * (249 * 250 / 2));
}

TEST(SvmKernels, atomicsOfHostAndDeviceMeet) {
  QUERN_NEEDS("CL_DEVICE_SVM_CAPABILITIES CL_DEVICE_SVM_ATOMICS", "OpenCL C 3.0.0");
  const auto counters = allocate<std::atomic<cl_int>>(4, atomics);
  for (int i = 0; i < 4; ++i)
    counters[i].store(0);
  // The device waits for the host, the host for the device, several times over.
  const Program program = build(R"(
    kernel void turns(global atomic_int* c, int rounds) {
      for (int i = 0; i < rounds; ++i) {
        while (atomic_load_explicit(&c[0], memory_order_acquire, memory_scope_all_svm_devices) != 2 * i + 1)
          ;
        atomic_fetch_add_explicit(&c[1], i, memory_order_relaxed, memory_scope_all_svm_devices);
        atomic_store_explicit(&c[0], 2 * i + 2, memory_order_release, memory_scope_all_svm_devices);
      }
    })",
                                openClC3);
  constexpr cl_int rounds = 100;
  Kernel kernel(program, "turns");
  setPointer(kernel, 0, counters.get());
  kernel.set(1, rounds);
  kernel.enqueue({{1}});
  check(clFlush(Device::get().queue), "clFlush");
  cl_int sum = 0;
  for (cl_int i = 0; i < rounds; ++i) {
    counters[1].fetch_add(1, std::memory_order_relaxed);
    sum += i + 1;
    counters[0].store(2 * i + 1, std::memory_order_release);
    while (counters[0].load(std::memory_order_acquire) != 2 * i + 2)
      std::this_thread::yield();
    EXPECT_EQ(counters[1].load(), sum);
  }
  check(clFinish(Device::get().queue), "clFinish");
}

TEST(SvmKernels, hostAndDeviceCountTogether) {
  QUERN_NEEDS("CL_DEVICE_SVM_CAPABILITIES CL_DEVICE_SVM_ATOMICS", "OpenCL C 3.0.0");
  // One counter for additions, one for exchanges that must find what they compared, and one of
  // those that the device made.
  const auto counters = allocate<std::atomic<cl_int>>(3, atomics);
  for (int i = 0; i < 3; ++i)
    counters[i].store(0);
  const Program program = build(R"(
    kernel void count(global atomic_int* c, int rounds) {
      for (int i = 0; i < rounds; ++i) {
        atomic_fetch_add_explicit(&c[0], 1, memory_order_relaxed, memory_scope_all_svm_devices);
        int seen = atomic_load_explicit(&c[1], memory_order_relaxed, memory_scope_all_svm_devices);
        if (atomic_compare_exchange_strong_explicit(&c[1], &seen, seen + 1, memory_order_relaxed, memory_order_relaxed,
                                                    memory_scope_all_svm_devices))
          atomic_fetch_add_explicit(&c[2], 1, memory_order_relaxed, memory_scope_all_svm_devices);
      }
      atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_release, memory_scope_all_svm_devices);
    })",
                                openClC3);
  constexpr cl_int rounds = 50, items = 512, own = 20'000;
  Kernel kernel(program, "count");
  setPointer(kernel, 0, counters.get());
  kernel.set(1, rounds);
  kernel.enqueue({{size_t(items)}});
  check(clFlush(Device::get().queue), "clFlush");
  cl_int exchanged = 0;
  for (cl_int i = 0; i < own; ++i) {
    counters[0].fetch_add(1, std::memory_order_relaxed);
    cl_int seen = counters[1].load(std::memory_order_relaxed);
    exchanged += counters[1].compare_exchange_strong(seen, seen + 1);
  }
  check(clFinish(Device::get().queue), "clFinish");
  EXPECT_EQ(counters[0].load(), items * rounds + own);
  EXPECT_EQ(counters[1].load(), exchanged + counters[2].load());
}

TEST(SvmKernels, aBufferOverSvmAndThePointerAreTheSameMemory) {
  QUERN_NEEDS("CL_DEVICE_SVM_CAPABILITIES CL_DEVICE_SVM_COARSE_GRAIN_BUFFER");
  const auto values = allocate<cl_int>(64);
  cl_int code = CL_SUCCESS;
  cl_mem buffer = clCreateBuffer(Device::get().context, CL_MEM_USE_HOST_PTR, 64 * sizeof(cl_int),
                                 values.get(), &code);
  check(code, "clCreateBuffer");
  const Program program = build(R"(
    kernel void fill(global int* p, int value) { p[get_global_id(0)] = value; }
    kernel void same(global int* a, global int* b, global int* result) { *result = a == b; })");
  Buffer<cl_int> result(1);
  Kernel same(program, "same");
  same.set(0, buffer);
  setPointer(same, 1, values.get());
  same.set(2, result);
  same.enqueue({{1}});
  EXPECT_EQ(result.read()[0], 1);
  Kernel fill(program, "fill");
  fill.set(0, buffer);
  fill.set(1, cl_int{42});
  fill.enqueue({{64}});
  {
    const HostAccess access(values.get(), 64 * sizeof(cl_int));
    EXPECT_EQ(std::vector<cl_int>(values.get(), values.get() + 64), std::vector<cl_int>(64, 42));
  }
  check(clFinish(Device::get().queue), "clFinish");
  clReleaseMemObject(buffer);
}

} // namespace
} // namespace quern::tests
