// cl_intel_unified_shared_memory on the CPU: what it promises, and each of its errors.
#include "unified_memory.h"

#include <cstring>
#include <numeric>

#include "program_fixture.h"
#include "svm_memory.h"

namespace quern::test {
namespace {

constexpr const char* source = R"(
  struct Node { global struct Node* next; int value; };
  kernel void twice(global int* values) { values[get_global_id(0)] *= 2; }
  kernel void sum(global struct Node* list, global int* total) {
    *total = 0;
    for (; list; list = list->next)
      *total += list->value;
  }
  kernel void value(int number, local int* scratch) {}
)";

class UnifiedMemoryTest : public ProgramTest {
protected:
  UnifiedAllocation host(size_t bytes) const { return {usm, context, hostPointer(bytes)}; }
  UnifiedAllocation onDevice(size_t bytes) const {
    return {usm, context, usm.deviceAlloc(context.get(), device, nullptr, bytes, 0, nullptr)};
  }
  UnifiedAllocation shared(size_t bytes) const {
    return {usm, context, usm.sharedAlloc(context.get(), device, nullptr, bytes, 0, nullptr)};
  }
  void* hostPointer(size_t bytes) const {
    return usm.hostAlloc(context.get(), nullptr, bytes, 0, nullptr);
  }
  template <typename T> T about(const void* pointer, cl_mem_info_intel name) const {
    T value = {};
    size_t size = 0;
    EXPECT_EQ(CL_SUCCESS, usm.info(context.get(), pointer, name, sizeof(T), &value, &size));
    EXPECT_EQ(sizeof(T), size);
    return value;
  }
  cl_unified_shared_memory_type_intel typeOf(const void* pointer) const {
    return about<cl_unified_shared_memory_type_intel>(pointer, CL_MEM_ALLOC_TYPE_INTEL);
  }

  const UnifiedMemoryFunctions usm;
};

TEST_F(UnifiedMemoryTest, deviceDoesAllWithEveryKind) {
  constexpr cl_bitfield all = CL_UNIFIED_SHARED_MEMORY_ACCESS_INTEL |
                              CL_UNIFIED_SHARED_MEMORY_ATOMIC_ACCESS_INTEL |
                              CL_UNIFIED_SHARED_MEMORY_CONCURRENT_ACCESS_INTEL |
                              CL_UNIFIED_SHARED_MEMORY_CONCURRENT_ATOMIC_ACCESS_INTEL;
  for (const cl_device_info name :
       {CL_DEVICE_HOST_MEM_CAPABILITIES_INTEL, CL_DEVICE_DEVICE_MEM_CAPABILITIES_INTEL,
        CL_DEVICE_SINGLE_DEVICE_SHARED_MEM_CAPABILITIES_INTEL,
        CL_DEVICE_CROSS_DEVICE_SHARED_MEM_CAPABILITIES_INTEL,
        CL_DEVICE_SHARED_SYSTEM_MEM_CAPABILITIES_INTEL})
    EXPECT_EQ(all, info<cl_bitfield>(clGetDeviceInfo, device, name)) << name;
}

TEST_F(UnifiedMemoryTest, allocationsAreAlignedAndKnown) {
  const cl_mem_properties_intel properties[] = {CL_MEM_ALLOC_FLAGS_INTEL,
                                                CL_MEM_ALLOC_INITIAL_PLACEMENT_DEVICE_INTEL, 0};
  for (const cl_uint alignment : {0u, 1u, 16u, 128u}) {
    cl_int code = -1;
    const UnifiedAllocation memory(
        usm, context, usm.sharedAlloc(context.get(), device, properties, 1000, alignment, &code));
    EXPECT_EQ(CL_SUCCESS, code);
    EXPECT_EQ(0u, reinterpret_cast<uintptr_t>(memory.get()) % (alignment ? alignment : 128));
    const char* const inside = memory.as<char>() + 999;
    EXPECT_EQ(cl_uint{CL_MEM_TYPE_SHARED_INTEL}, typeOf(inside));
    EXPECT_EQ(memory.get(), about<void*>(inside, CL_MEM_ALLOC_BASE_PTR_INTEL));
    EXPECT_EQ(1000u, about<size_t>(inside, CL_MEM_ALLOC_SIZE_INTEL));
    EXPECT_EQ(device, about<cl_device_id>(inside, CL_MEM_ALLOC_DEVICE_INTEL));
    EXPECT_EQ(properties[1], about<cl_mem_alloc_flags_intel>(inside, CL_MEM_ALLOC_FLAGS_INTEL));
    EXPECT_EQ(cl_uint{CL_MEM_TYPE_UNKNOWN_INTEL}, typeOf(inside + 1));
  }
}

TEST_F(UnifiedMemoryTest, eachKindIsToldApart) {
  EXPECT_EQ(cl_uint{CL_MEM_TYPE_HOST_INTEL}, typeOf(host(8).get()));
  EXPECT_EQ(cl_uint{CL_MEM_TYPE_DEVICE_INTEL}, typeOf(onDevice(8).get()));
  const UnifiedAllocation unassociated(
      usm, context, usm.sharedAlloc(context.get(), nullptr, nullptr, 8, 0, nullptr));
  EXPECT_EQ(cl_uint{CL_MEM_TYPE_SHARED_INTEL}, typeOf(unassociated.get()));
  EXPECT_EQ(nullptr, about<cl_device_id>(unassociated.get(), CL_MEM_ALLOC_DEVICE_INTEL));
  EXPECT_EQ(nullptr, about<cl_device_id>(host(8).get(), CL_MEM_ALLOC_DEVICE_INTEL));
}

TEST_F(UnifiedMemoryTest, otherPointersAreUnknown) {
  const SvmMemory svm(context, 64);
  int mine = 0;
  for (const void* pointer : {static_cast<const void*>(nullptr), static_cast<const void*>(&mine),
                              static_cast<const void*>(svm.get())}) {
    EXPECT_EQ(cl_uint{CL_MEM_TYPE_UNKNOWN_INTEL}, typeOf(pointer));
    EXPECT_EQ(nullptr, about<void*>(pointer, CL_MEM_ALLOC_BASE_PTR_INTEL));
    EXPECT_EQ(0u, about<size_t>(pointer, CL_MEM_ALLOC_SIZE_INTEL));
    EXPECT_EQ(nullptr, about<cl_device_id>(pointer, CL_MEM_ALLOC_DEVICE_INTEL));
    EXPECT_EQ(0u, about<cl_mem_alloc_flags_intel>(pointer, CL_MEM_ALLOC_FLAGS_INTEL));
  }
}

TEST_F(UnifiedMemoryTest, allocationRefusesWhatTheSpecificationRefuses) {
  const cl_ulong limit = info<cl_ulong>(clGetDeviceInfo, device, CL_DEVICE_MAX_MEM_ALLOC_SIZE);
  using List = std::vector<cl_mem_properties_intel>;
  const auto refused = [&](cl_int expected, cl_context where, const List& list, size_t bytes,
                           cl_uint alignment, bool sharedToo = true) {
    const cl_mem_properties_intel* properties = list.empty() ? nullptr : list.data();
    const auto expect = [&](auto&& allocate) {
      cl_int code = 0;
      EXPECT_EQ(nullptr, allocate(code));
      EXPECT_EQ(expected, code);
    };
    expect([&](cl_int& code) { return usm.hostAlloc(where, properties, bytes, alignment, &code); });
    expect([&](cl_int& code) {
      return usm.deviceAlloc(where, device, properties, bytes, alignment, &code);
    });
    if (sharedToo)
      expect([&](cl_int& code) {
        return usm.sharedAlloc(where, device, properties, bytes, alignment, &code);
      });
  };
  refused(CL_INVALID_CONTEXT, nullptr, {}, 64, 0);
  refused(CL_INVALID_VALUE, context.get(), {}, 64, 3);
  refused(CL_INVALID_VALUE, context.get(), {}, 64, 256);
  refused(CL_INVALID_PROPERTY, context.get(), {CL_MEM_ALLOC_TYPE_INTEL, 0, 0}, 64, 0);
  refused(CL_INVALID_PROPERTY, context.get(), {CL_MEM_ALLOC_FLAGS_INTEL, 1 << 3, 0}, 64, 0);
  refused(CL_INVALID_PROPERTY, context.get(),
          {CL_MEM_ALLOC_FLAGS_INTEL, 0, CL_MEM_ALLOC_FLAGS_INTEL, 0, 0}, 64, 0);
  refused(CL_INVALID_PROPERTY, context.get(), {CL_MEM_ALLOC_FLAGS_INTEL, 6, 0}, 64, 0);
  for (const cl_mem_properties_intel placement :
       {CL_MEM_ALLOC_INITIAL_PLACEMENT_DEVICE_INTEL, CL_MEM_ALLOC_INITIAL_PLACEMENT_HOST_INTEL})
    refused(CL_INVALID_PROPERTY, context.get(), {CL_MEM_ALLOC_FLAGS_INTEL, placement, 0}, 64, 0,
            /*sharedToo=*/false);
  refused(CL_INVALID_BUFFER_SIZE, context.get(), {}, 0, 0);
  refused(CL_INVALID_BUFFER_SIZE, context.get(), {}, limit + 1, 0);
}

TEST_F(UnifiedMemoryTest, allocationRefusesOtherDevices) {
  const cl_device_partition_property equally[] = {CL_DEVICE_PARTITION_EQUALLY, 1, 0};
  cl_uint count = 0;
  std::vector<cl_device_id> parts(
      info<cl_uint>(clGetDeviceInfo, device, CL_DEVICE_MAX_COMPUTE_UNITS));
  ASSERT_EQ(CL_SUCCESS, clCreateSubDevices(device, equally, static_cast<cl_uint>(parts.size()),
                                           parts.data(), &count));
  for (const cl_device_id other : {parts[0], foreignHandle<cl_device_id>(context)}) {
    cl_int code = 0;
    EXPECT_EQ(nullptr, usm.deviceAlloc(context.get(), other, nullptr, 64, 0, &code));
    EXPECT_EQ(CL_INVALID_DEVICE, code);
    EXPECT_EQ(nullptr, usm.sharedAlloc(context.get(), other, nullptr, 64, 0, &code));
    EXPECT_EQ(CL_INVALID_DEVICE, code);
  }
  cl_int code = 0;
  EXPECT_EQ(nullptr, usm.deviceAlloc(context.get(), nullptr, nullptr, 64, 0, &code));
  EXPECT_EQ(CL_INVALID_DEVICE, code);
  for (const cl_device_id part : parts)
    clReleaseDevice(part);
}

TEST_F(UnifiedMemoryTest, freeRefusesWhatItDidNotGive) {
  const SvmMemory svm(context, 64);
  void* const pointer = hostPointer(64);
  for (const auto free : {usm.free, usm.blockingFree}) {
    EXPECT_EQ(CL_INVALID_CONTEXT, free(nullptr, pointer));
    EXPECT_EQ(CL_SUCCESS, free(context.get(), nullptr));
    EXPECT_EQ(CL_INVALID_VALUE, free(context.get(), svm.get()));
    EXPECT_EQ(CL_INVALID_VALUE, free(context.get(), static_cast<char*>(pointer) + 1));
    EXPECT_EQ(CL_INVALID_VALUE, free(otherContext.get(), pointer));
  }
  // That it is not SVM either: nothing happens.
  clSVMFree(context.get(), pointer);
  std::memset(pointer, 1, 64);
  EXPECT_EQ(CL_SUCCESS, usm.free(context.get(), pointer));
  EXPECT_EQ(CL_INVALID_VALUE, usm.free(context.get(), pointer));
}

TEST_F(UnifiedMemoryTest, blockingFreeWaitsForEveryQueue) {
  const UnifiedAllocation target = host(sizeof(cl_int) * 1024);
  void* const memory = hostPointer(sizeof(cl_int) * 1024);
  const Queue outOfOrder = makeQueue(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
  std::vector<cl_event> events(2);
  const cl_int one = 1;
  for (int i = 0; i < 64; ++i)
    ASSERT_EQ(CL_SUCCESS, usm.fill(queue.get(), memory, &one, sizeof(one), sizeof(cl_int) * 1024, 0,
                                   nullptr, nullptr));
  ASSERT_EQ(CL_SUCCESS,
            usm.copy(queue.get(), CL_FALSE, target.get(), memory, 4096, 0, nullptr, &events[0]));
  ASSERT_EQ(CL_SUCCESS, usm.migrate(outOfOrder.get(), memory, 4096, 0, 1, &events[0], &events[1]));
  EXPECT_EQ(CL_SUCCESS, usm.blockingFree(context.get(), memory));
  for (const cl_event event : events) {
    EXPECT_EQ(CL_COMPLETE, info<cl_int>(clGetEventInfo, event, CL_EVENT_COMMAND_EXECUTION_STATUS));
    clReleaseEvent(event);
  }
  EXPECT_EQ(1, target.as<cl_int>()[1023]);
}

TEST_F(UnifiedMemoryTest, memoryIsKeptForCommandsUnderWay) {
  const UnifiedAllocation target = shared(4096);
  void* const memory = hostPointer(4096);
  std::memset(memory, 7, 4096);
  const Event gate = makeUserEvent();
  const cl_event list[] = {gate.get()};
  ASSERT_EQ(CL_SUCCESS,
            usm.copy(queue.get(), CL_FALSE, target.get(), memory, 4096, 1, list, nullptr));
  EXPECT_EQ(CL_SUCCESS, usm.free(context.get(), memory));
  clSetUserEventStatus(gate.get(), CL_COMPLETE);
  clFinish(queue.get());
  EXPECT_EQ(7, target.as<char>()[4095]);
}

TEST_F(UnifiedMemoryTest, infoRefusesWhatTheSpecificationRefuses) {
  const UnifiedAllocation memory = host(64);
  size_t size = 0;
  EXPECT_EQ(CL_INVALID_CONTEXT,
            usm.info(nullptr, memory.get(), CL_MEM_ALLOC_TYPE_INTEL, 0, nullptr, &size));
  EXPECT_EQ(CL_INVALID_VALUE, usm.info(context.get(), memory.get(), 0xdead, 0, nullptr, &size));
  cl_uint type = 0;
  EXPECT_EQ(CL_INVALID_VALUE,
            usm.info(context.get(), memory.get(), CL_MEM_ALLOC_TYPE_INTEL, 3, &type, nullptr));
}

TEST_F(UnifiedMemoryTest, commandsHaveTheirOwnTypes) {
  const UnifiedAllocation from = host(64), to = shared(64);
  const cl_int pattern = 5;
  cl_event events[4] = {};
  ASSERT_EQ(CL_SUCCESS, usm.fill(queue.get(), from.get(), &pattern, sizeof(pattern), 64, 0, nullptr,
                                 &events[0]));
  ASSERT_EQ(CL_SUCCESS,
            usm.copy(queue.get(), CL_FALSE, to.get(), from.get(), 64, 0, nullptr, &events[1]));
  ASSERT_EQ(CL_SUCCESS, usm.migrate(queue.get(), to.get(), 64, CL_MIGRATE_MEM_OBJECT_HOST, 0,
                                    nullptr, &events[2]));
  ASSERT_EQ(CL_SUCCESS, usm.advise(queue.get(), to.get(), 64, 0, 0, nullptr, &events[3]));
  const cl_command_type types[] = {CL_COMMAND_MEMFILL_INTEL, CL_COMMAND_MEMCPY_INTEL,
                                   CL_COMMAND_MIGRATEMEM_INTEL, CL_COMMAND_MEMADVISE_INTEL};
  for (int i = 0; i < 4; ++i) {
    EXPECT_EQ(types[i], info<cl_command_type>(clGetEventInfo, events[i], CL_EVENT_COMMAND_TYPE));
    clReleaseEvent(events[i]);
  }
  clFinish(queue.get());
  EXPECT_EQ(5, to.as<cl_int>()[15]);
}

TEST_F(UnifiedMemoryTest, commandsRefuseWhatTheSpecificationRefuses) {
  const UnifiedAllocation memory = host(256);
  char* const at = memory.as<char>();
  const cl_int pattern[64] = {};
  const auto fill = [&](cl_command_queue where, void* to, const void* what, size_t patternBytes,
                        size_t bytes) {
    return usm.fill(where, to, what, patternBytes, bytes, 0, nullptr, nullptr);
  };
  EXPECT_EQ(CL_INVALID_COMMAND_QUEUE, fill(nullptr, at, pattern, 4, 64));
  EXPECT_EQ(CL_INVALID_VALUE, fill(queue.get(), nullptr, pattern, 4, 64));
  EXPECT_EQ(CL_INVALID_VALUE, fill(queue.get(), at + 2, pattern, 4, 64));
  EXPECT_EQ(CL_INVALID_VALUE, fill(queue.get(), at, nullptr, 4, 64));
  EXPECT_EQ(CL_INVALID_VALUE, fill(queue.get(), at, pattern, 3, 63));
  EXPECT_EQ(CL_INVALID_VALUE, fill(queue.get(), at, pattern, 256, 256));
  EXPECT_EQ(CL_INVALID_VALUE, fill(queue.get(), at, pattern, 4, 63));
  const auto copy = [&](cl_command_queue where, void* to, const void* from) {
    return usm.copy(where, CL_FALSE, to, from, 64, 0, nullptr, nullptr);
  };
  EXPECT_EQ(CL_INVALID_COMMAND_QUEUE, copy(nullptr, at, at + 64));
  EXPECT_EQ(CL_INVALID_VALUE, copy(queue.get(), nullptr, at));
  EXPECT_EQ(CL_INVALID_VALUE, copy(queue.get(), at, nullptr));
  EXPECT_EQ(CL_MEM_COPY_OVERLAP, copy(queue.get(), at, at + 63));
  EXPECT_EQ(CL_INVALID_COMMAND_QUEUE, usm.migrate(nullptr, at, 64, 0, 0, nullptr, nullptr));
  EXPECT_EQ(CL_INVALID_VALUE, usm.migrate(queue.get(), at, 64, 4, 0, nullptr, nullptr));
  EXPECT_EQ(CL_INVALID_COMMAND_QUEUE, usm.advise(nullptr, at, 64, 0, 0, nullptr, nullptr));
  EXPECT_EQ(CL_INVALID_VALUE, usm.advise(queue.get(), at, 64, 1, 0, nullptr, nullptr));
  // Wait lists: count and list disagree, or an event of another context.
  const Event other(clCreateUserEvent(otherContext.get(), nullptr));
  const cl_event list[] = {other.get()};
  EXPECT_EQ(CL_INVALID_EVENT_WAIT_LIST, usm.migrate(queue.get(), at, 64, 0, 1, nullptr, nullptr));
  EXPECT_EQ(CL_INVALID_EVENT_WAIT_LIST, usm.advise(queue.get(), at, 64, 0, 0, list, nullptr));
  EXPECT_EQ(CL_INVALID_CONTEXT, usm.fill(queue.get(), at, pattern, 4, 64, 1, list, nullptr));
  EXPECT_EQ(CL_INVALID_CONTEXT, usm.copy(queue.get(), CL_FALSE, at, at + 64, 64, 1, list, nullptr));
  clSetUserEventStatus(other.get(), CL_COMPLETE);
}

TEST_F(UnifiedMemoryTest, blockingCopyTellsOfFailedEvents) {
  const UnifiedAllocation memory = host(256);
  const Event failed = makeUserEvent();
  clSetUserEventStatus(failed.get(), -1);
  const cl_event list[] = {failed.get()};
  EXPECT_EQ(
      CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST,
      usm.copy(queue.get(), CL_TRUE, memory.get(), memory.as<char>() + 128, 64, 1, list, nullptr));
}

TEST_F(UnifiedMemoryTest, kernelsTakePointers) {
  const Program program = buildProgram(source);
  const Kernel twice = makeKernel(program, "twice");
  const UnifiedAllocation memory = onDevice(sizeof(cl_int) * 100);
  std::vector<cl_int> values(100);
  std::iota(values.begin(), values.end(), 0);
  ASSERT_EQ(CL_SUCCESS,
            usm.copy(queue.get(), CL_TRUE, memory.get(), values.data(), 400, 0, nullptr, nullptr));
  // From the 50th on.
  ASSERT_EQ(CL_SUCCESS, usm.setArgument(twice.get(), 0, memory.as<cl_int>() + 50));
  run(twice, 50);
  ASSERT_EQ(CL_SUCCESS,
            usm.copy(queue.get(), CL_TRUE, values.data(), memory.get(), 400, 0, nullptr, nullptr));
  for (cl_int i = 0; i < 100; ++i)
    EXPECT_EQ(i < 50 ? i : 2 * i, values[static_cast<size_t>(i)]);
  // Any pointer, and none.
  EXPECT_EQ(CL_SUCCESS, usm.setArgument(twice.get(), 0, nullptr));
  EXPECT_EQ(CL_SUCCESS, usm.setArgument(twice.get(), 0, values.data()));
  const Kernel value = makeKernel(program, "value");
  EXPECT_EQ(CL_INVALID_KERNEL, usm.setArgument(nullptr, 0, memory.get()));
  EXPECT_EQ(CL_INVALID_ARG_INDEX, usm.setArgument(twice.get(), 1, memory.get()));
  EXPECT_EQ(CL_INVALID_ARG_VALUE, usm.setArgument(value.get(), 0, memory.get()));
  EXPECT_EQ(CL_INVALID_ARG_VALUE, usm.setArgument(value.get(), 1, memory.get()));
}

TEST_F(UnifiedMemoryTest, kernelsFollowPointersInMemory) {
  struct Node {
    Node* next;
    cl_int value;
  };
  const Program program = buildProgram(source);
  const Kernel sum = makeKernel(program, "sum");
  const UnifiedAllocation first = host(sizeof(Node)), second = shared(sizeof(Node));
  const UnifiedAllocation total = shared(sizeof(cl_int));
  *first.as<Node>() = {second.as<Node>(), 30};
  *second.as<Node>() = {nullptr, 12};
  const cl_bool yes = CL_TRUE;
  for (const cl_kernel_exec_info kind : {CL_KERNEL_EXEC_INFO_INDIRECT_HOST_ACCESS_INTEL,
                                         CL_KERNEL_EXEC_INFO_INDIRECT_DEVICE_ACCESS_INTEL,
                                         CL_KERNEL_EXEC_INFO_INDIRECT_SHARED_ACCESS_INTEL}) {
    EXPECT_EQ(CL_SUCCESS, clSetKernelExecInfo(sum.get(), kind, sizeof(yes), &yes));
    EXPECT_EQ(CL_INVALID_VALUE, clSetKernelExecInfo(sum.get(), kind, 1, &yes));
    EXPECT_EQ(CL_INVALID_VALUE, clSetKernelExecInfo(sum.get(), kind, sizeof(yes), nullptr));
  }
  ASSERT_EQ(CL_SUCCESS, usm.setArgument(sum.get(), 0, first.get()));
  ASSERT_EQ(CL_SUCCESS, usm.setArgument(sum.get(), 1, total.get()));
  run(sum, 1);
  EXPECT_EQ(42, *total.as<cl_int>());
}

TEST_F(UnifiedMemoryTest, kernelsKeepWhatTheyAreToldOf) {
  const Program program = buildProgram(source);
  const Kernel twice = makeKernel(program, "twice");
  const UnifiedAllocation memory = host(sizeof(cl_int));
  *memory.as<cl_int>() = 4;
  const void* pointers[] = {memory.get()};
  EXPECT_EQ(CL_SUCCESS, clSetKernelExecInfo(twice.get(), CL_KERNEL_EXEC_INFO_USM_PTRS_INTEL,
                                            sizeof(pointers), pointers));
  EXPECT_EQ(CL_INVALID_VALUE, clSetKernelExecInfo(twice.get(), CL_KERNEL_EXEC_INFO_USM_PTRS_INTEL,
                                                  sizeof(pointers) - 1, pointers));
  EXPECT_EQ(CL_INVALID_VALUE, clSetKernelExecInfo(twice.get(), CL_KERNEL_EXEC_INFO_USM_PTRS_INTEL,
                                                  sizeof(pointers), nullptr));
  EXPECT_EQ(CL_SUCCESS,
            clSetKernelExecInfo(twice.get(), CL_KERNEL_EXEC_INFO_USM_PTRS_INTEL, 0, nullptr));
  // Those of SVM, too, may be set by this function.
  ASSERT_EQ(CL_SUCCESS, clSetKernelArgSVMPointer(twice.get(), 0, memory.get()));
  run(twice, 1);
  EXPECT_EQ(8, *memory.as<cl_int>());
}

TEST_F(UnifiedMemoryTest, buffersAreMadeOfIt) {
  const UnifiedAllocation memory = host(4096);
  const Memory buffer = makeBuffer(4096, CL_MEM_USE_HOST_PTR, memory.get());
  const cl_int number = 23;
  EXPECT_EQ(CL_SUCCESS, clEnqueueWriteBuffer(queue.get(), buffer.get(), CL_TRUE, 0, sizeof(number),
                                             &number, 0, nullptr, nullptr));
  EXPECT_EQ(23, *memory.as<cl_int>());
}

} // namespace
} // namespace quern::test
