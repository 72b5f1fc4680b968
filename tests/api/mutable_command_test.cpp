// Launches in command buffers that change between two enqueues.
#include "command_buffer_fixture.h"

#include <numeric>

namespace quern::test {
namespace {

constexpr cl_bitfield allFields = 31;

class MutableCommandTest : public CommandBufferTest {
protected:
  static constexpr const char* source = R"(
kernel void add(global int* data, int number) { data[get_global_id(0)] += number; }
kernel void scratch(global int* data, local int* memory) {
  size_t l = get_local_id(0);
  memory[l] = (int)l;
  barrier(CLK_LOCAL_MEM_FENCE);
  data[get_global_id(0)] = memory[get_local_size(0) - 1 - l];
}
)";
  static constexpr size_t count = 64;

  void SetUp() override {
    CommandBufferTest::SetUp();
    program = buildProgram(source);
    data = makeBuffer(std::vector<cl_int>(count, 0));
    other = makeBuffer(std::vector<cl_int>(count, 0));
    add = makeKernel(program, "add");
    setArguments(add, data.get(), cl_int{1});
    buffer = makeCommandBuffer({queue.get()}, CL_COMMAND_BUFFER_MUTABLE_KHR);
  }
  cl_mutable_command_khr record(const Kernel& kernel, cl_bitfield fields = allFields,
                                const size_t* local = nullptr) {
    const cl_properties list[] = {CL_MUTABLE_DISPATCH_UPDATABLE_FIELDS_KHR, fields, 0};
    cl_mutable_command_khr handle = nullptr;
    EXPECT_EQ(CL_SUCCESS,
              khr::CommandNDRangeKernel(buffer.get(), nullptr, list, kernel.get(), 1, nullptr,
                                        &count, local, 0, nullptr, nullptr, &handle));
    EXPECT_TRUE(handle);
    return handle;
  }
  cl_int update(const std::vector<ChangedLaunch>& launches) {
    std::vector<cl_uint> types(launches.size(), 0);
    std::vector<const void*> configs;
    for (const ChangedLaunch& launch : launches)
      configs.push_back(&launch);
    return khr::UpdateMutableCommands(buffer.get(), static_cast<cl_uint>(launches.size()),
                                      types.data(), configs.data());
  }
  cl_int update(const ChangedLaunch& launch) { return update(std::vector{launch}); }
  cl_int setNumber(cl_mutable_command_khr handle, cl_int number) {
    const ChangedArgument argument = {1, sizeof(number), &number};
    return update({.command = handle, .argumentCount = 1, .arguments = &argument});
  }
  cl_int valueAt(const Memory& memory, size_t index) {
    return contents<cl_int>(memory.get())[index];
  }

  Program program;
  Memory data, other;
  Kernel add;
  CommandBuffer buffer;
};

TEST_F(MutableCommandTest, argumentsChangeBetweenEnqueues) {
  const cl_mutable_command_khr handle = record(add);
  finalize(buffer);
  cl_int expected = 0;
  for (cl_int i = 0; i < 40; ++i) {
    EXPECT_EQ(CL_SUCCESS, setNumber(handle, i));
    enqueue(buffer);
    expected += i;
  }
  EXPECT_EQ(expected, valueAt(data, 5));
  cl_mem memory = other.get();
  const ChangedArgument argument = {0, sizeof(memory), &memory};
  EXPECT_EQ(CL_SUCCESS, update({.command = handle, .argumentCount = 1, .arguments = &argument}));
  run(buffer);
  EXPECT_EQ(expected, valueAt(data, 5));
  EXPECT_EQ(39, valueAt(other, 5));
}

TEST_F(MutableCommandTest, earlierEnqueuesKeepTheirArguments) {
  const cl_mutable_command_khr handle = record(add);
  finalize(buffer);
  const Event user = makeUserEvent();
  std::vector<Event> events;
  for (cl_int i = 1; i <= 5; ++i) {
    EXPECT_EQ(CL_SUCCESS, setNumber(handle, i * 10));
    events.push_back(enqueue(buffer, &user));
  }
  clSetUserEventStatus(user.get(), CL_COMPLETE);
  EXPECT_EQ(150, valueAt(data, 0));
}

TEST_F(MutableCommandTest, onlyTheChangedOneOfManyChanges) {
  std::vector<cl_mutable_command_khr> handles;
  for (int i = 0; i < 50; ++i)
    handles.push_back(record(add));
  finalize(buffer);
  run(buffer);
  EXPECT_EQ(50, valueAt(data, 1));
  EXPECT_EQ(CL_SUCCESS, setNumber(handles[20], 1001));
  run(buffer);
  EXPECT_EQ(1100, valueAt(data, 1));
}

TEST_F(MutableCommandTest, sizesChange) {
  const cl_mutable_command_khr handle = record(add);
  finalize(buffer);
  const size_t offset = 8, global = 16, local = 4;
  EXPECT_EQ(CL_SUCCESS, update({.command = handle,
                                .workDim = 1,
                                .offset = &offset,
                                .global = &global,
                                .local = &local}));
  run(buffer);
  std::vector<cl_int> expected(count, 0);
  std::fill_n(expected.begin() + 8, 16, 1);
  EXPECT_EQ(expected, contents<cl_int>(data.get()));
  const auto query = [&](cl_uint name) {
    size_t value = 0;
    EXPECT_EQ(CL_SUCCESS, khr::GetMutableCommandInfo(handle, name, sizeof(value), &value, nullptr));
    return value;
  };
  EXPECT_EQ(8u, query(CL_MUTABLE_DISPATCH_GLOBAL_WORK_OFFSET_KHR));
  EXPECT_EQ(16u, query(CL_MUTABLE_DISPATCH_GLOBAL_WORK_SIZE_KHR));
  EXPECT_EQ(4u, query(CL_MUTABLE_DISPATCH_LOCAL_WORK_SIZE_KHR));
}

TEST_F(MutableCommandTest, localMemoryChanges) {
  const Kernel scratch = makeKernel(program, "scratch");
  setArguments(scratch, data.get());
  EXPECT_EQ(CL_SUCCESS, clSetKernelArg(scratch.get(), 1, 16 * sizeof(cl_int), nullptr));
  const size_t local = 16, larger = 32;
  const cl_mutable_command_khr handle = record(scratch, allFields, &local);
  finalize(buffer);
  run(buffer);
  EXPECT_EQ(15, valueAt(data, 0));
  const ChangedArgument argument = {1, 32 * sizeof(cl_int), nullptr};
  EXPECT_EQ(
      CL_SUCCESS,
      update({.command = handle, .argumentCount = 1, .arguments = &argument, .local = &larger}));
  run(buffer);
  EXPECT_EQ(31, valueAt(data, 0));
}

TEST_F(MutableCommandTest, sharedVirtualMemoryChanges) {
  auto* const first = static_cast<cl_int*>(clSVMAlloc(context.get(), CL_MEM_READ_WRITE, 4096, 0));
  auto* const second = static_cast<cl_int*>(clSVMAlloc(context.get(), CL_MEM_READ_WRITE, 4096, 0));
  for (cl_int* memory : {first, second}) {
    const cl_int zero = 0;
    clEnqueueSVMMemFill(queue.get(), memory, &zero, 4, 4096, 0, nullptr, nullptr);
  }
  EXPECT_EQ(CL_SUCCESS, clSetKernelArgSVMPointer(add.get(), 0, first));
  const cl_mutable_command_khr handle = record(add);
  finalize(buffer);
  run(buffer);
  const ChangedArgument argument = {0, 0, second};
  const void* pointers[] = {first};
  const ChangedExecInfo info = {CL_KERNEL_EXEC_INFO_SVM_PTRS, sizeof(pointers), pointers};
  EXPECT_EQ(CL_SUCCESS, update({.command = handle,
                                .svmArgumentCount = 1,
                                .execInfoCount = 1,
                                .svmArguments = &argument,
                                .execInfos = &info}));
  run(buffer);
  run(buffer);
  for (const auto& [memory, expected] : {std::pair(first, 1), std::pair(second, 2)}) {
    clEnqueueSVMMap(queue.get(), CL_TRUE, CL_MAP_READ, memory, 4096, 0, nullptr, nullptr);
    EXPECT_EQ(expected, memory[7]);
    clEnqueueSVMUnmap(queue.get(), memory, 0, nullptr, nullptr);
  }
  clFinish(queue.get());
  clSVMFree(context.get(), first);
  clSVMFree(context.get(), second);
}

TEST_F(MutableCommandTest, argumentsMayComeAfterRecording) {
  const Kernel empty = makeKernel(program, "add");
  const cl_mutable_command_khr handle = record(empty, CL_MUTABLE_DISPATCH_ARGUMENTS_KHR);
  finalize(buffer);
  EXPECT_EQ(stateFinalized, stateOf(buffer));
  const auto tryEnqueue = [&] {
    return khr::EnqueueCommandBuffer(0, nullptr, buffer.get(), 0, nullptr, nullptr);
  };
  EXPECT_EQ(CL_INVALID_OPERATION, tryEnqueue());
  EXPECT_EQ(CL_SUCCESS, setNumber(handle, 4));
  EXPECT_EQ(stateFinalized, stateOf(buffer));
  cl_mem memory = data.get();
  const ChangedArgument argument = {0, sizeof(memory), &memory};
  EXPECT_EQ(CL_SUCCESS, update({.command = handle, .argumentCount = 1, .arguments = &argument}));
  EXPECT_EQ(cl_uint{CL_COMMAND_BUFFER_STATE_EXECUTABLE_KHR}, stateOf(buffer));
  EXPECT_EQ(CL_SUCCESS, tryEnqueue());
  EXPECT_EQ(4, valueAt(data, 0));
}

TEST_F(MutableCommandTest, allOrNothing) {
  const cl_mutable_command_khr first = record(add), second = record(add);
  finalize(buffer);
  const cl_int number = 100;
  const ChangedArgument good = {1, sizeof(number), &number}, bad = {7, sizeof(number), &number};
  EXPECT_EQ(CL_INVALID_ARG_INDEX,
            update({{.command = first, .argumentCount = 1, .arguments = &good},
                    {.command = second, .argumentCount = 1, .arguments = &bad}}));
  run(buffer);
  EXPECT_EQ(2, valueAt(data, 0));
  // Changes of one command follow each other.
  const cl_int later = 1000;
  const ChangedArgument better = {1, sizeof(later), &later};
  EXPECT_EQ(CL_SUCCESS, update({{.command = first, .argumentCount = 1, .arguments = &good},
                                {.command = first, .argumentCount = 1, .arguments = &better}}));
  run(buffer);
  EXPECT_EQ(1003, valueAt(data, 0));
}

TEST_F(MutableCommandTest, queries) {
  const cl_mutable_command_khr handle = record(add);
  const auto query = [&]<typename T>(cl_uint name, T) {
    T value = {};
    size_t size = 0;
    EXPECT_EQ(CL_SUCCESS, khr::GetMutableCommandInfo(handle, name, sizeof(T), &value, &size));
    EXPECT_EQ(sizeof(T), size);
    return value;
  };
  EXPECT_EQ(queue.get(), query(CL_MUTABLE_COMMAND_COMMAND_QUEUE_KHR, cl_command_queue()));
  EXPECT_EQ(buffer.get(), query(CL_MUTABLE_COMMAND_COMMAND_BUFFER_KHR, cl_command_buffer_khr()));
  EXPECT_EQ(cl_uint{CL_COMMAND_NDRANGE_KERNEL},
            query(CL_MUTABLE_COMMAND_COMMAND_TYPE_KHR, cl_uint()));
  EXPECT_EQ(add.get(), query(CL_MUTABLE_DISPATCH_KERNEL_KHR, cl_kernel()));
  EXPECT_EQ(1u, query(CL_MUTABLE_DISPATCH_DIMENSIONS_KHR, cl_uint()));
  EXPECT_EQ(0u, query(CL_MUTABLE_DISPATCH_GLOBAL_WORK_OFFSET_KHR, size_t()));
  EXPECT_EQ(count, query(CL_MUTABLE_DISPATCH_GLOBAL_WORK_SIZE_KHR, size_t()));
  EXPECT_EQ(0u, query(CL_MUTABLE_DISPATCH_LOCAL_WORK_SIZE_KHR, size_t()));
  using Properties = std::array<cl_properties, 3>;
  EXPECT_EQ((Properties{CL_MUTABLE_DISPATCH_UPDATABLE_FIELDS_KHR, allFields, 0}),
            query(commandPropertiesArray, Properties()));
  const auto ask = [](cl_mutable_command_khr which, cl_uint name, size_t size, void* value,
                      size_t* sizeRet) {
    return khr::GetMutableCommandInfo(which, name, size, value, sizeRet);
  };
  expectQueryErrors(ask, handle, CL_MUTABLE_DISPATCH_DIMENSIONS_KHR);
  EXPECT_EQ(CL_INVALID_MUTABLE_COMMAND_KHR,
            ask(foreignHandle<cl_mutable_command_khr>(context), CL_MUTABLE_DISPATCH_KERNEL_KHR, 0,
                nullptr, nullptr));
}

TEST_F(MutableCommandTest, updateErrors) {
  const cl_mutable_command_khr handle = record(add);
  EXPECT_EQ(CL_INVALID_OPERATION, setNumber(handle, 1)); // not finalized
  finalize(buffer);
  const auto call = [&](cl_command_buffer_khr where, cl_uint length, const cl_uint* types,
                        const void** configs) {
    return khr::UpdateMutableCommands(where, length, types, configs);
  };
  const ChangedLaunch nothing = {.command = handle};
  const cl_uint type = 0, wrongType = 1;
  const void* config = &nothing;
  const void* none = nullptr;
  EXPECT_EQ(CL_SUCCESS, call(buffer.get(), 1, &type, &config));
  EXPECT_EQ(CL_SUCCESS, call(buffer.get(), 0, nullptr, nullptr));
  EXPECT_EQ(CL_INVALID_COMMAND_BUFFER_KHR, call(nullptr, 1, &type, &config));
  EXPECT_EQ(CL_INVALID_VALUE, call(buffer.get(), 1, nullptr, &config));
  EXPECT_EQ(CL_INVALID_VALUE, call(buffer.get(), 1, &type, nullptr));
  EXPECT_EQ(CL_INVALID_VALUE, call(buffer.get(), 0, &type, nullptr));
  EXPECT_EQ(CL_INVALID_VALUE, call(buffer.get(), 0, nullptr, &config));
  EXPECT_EQ(CL_INVALID_VALUE, call(buffer.get(), 1, &wrongType, &config));
  EXPECT_EQ(CL_INVALID_VALUE, call(buffer.get(), 1, &type, &none));
  const CommandBuffer fixed = makeCommandBuffer();
  finalize(fixed);
  EXPECT_EQ(CL_INVALID_OPERATION, call(fixed.get(), 1, &type, &config));
  const CommandBuffer another = makeCommandBuffer({queue.get()}, CL_COMMAND_BUFFER_MUTABLE_KHR);
  finalize(another);
  EXPECT_EQ(CL_INVALID_MUTABLE_COMMAND_KHR, call(another.get(), 1, &type, &config));
  EXPECT_EQ(CL_INVALID_MUTABLE_COMMAND_KHR,
            update({.command = foreignHandle<cl_mutable_command_khr>(context)}));
  EXPECT_EQ(CL_INVALID_MUTABLE_COMMAND_KHR, update(ChangedLaunch()));
}

TEST_F(MutableCommandTest, launchErrors) {
  const size_t local = 16, other = 15, global = 60;
  const cl_mutable_command_khr handle = record(add, allFields, &local);
  const cl_mutable_command_khr fixed = record(add, 0);
  finalize(buffer);
  const cl_int number = 1;
  const ChangedArgument argument = {1, sizeof(number), &number}, tooLarge = {1, 8, &number};
  const ChangedExecInfo info = {CL_KERNEL_EXEC_INFO_SVM_PTRS, 0, nullptr};
  EXPECT_EQ(CL_INVALID_OPERATION, update({.command = handle, .workDim = 2}));
  EXPECT_EQ(CL_INVALID_OPERATION, update({.command = handle, .global = &global}));
  EXPECT_EQ(CL_INVALID_OPERATION, update({.command = handle, .local = &other}));
  EXPECT_EQ(CL_INVALID_ARG_SIZE,
            update({.command = handle, .argumentCount = 1, .arguments = &tooLarge}));
  EXPECT_EQ(CL_INVALID_VALUE, update({.command = handle, .argumentCount = 1}));
  EXPECT_EQ(CL_INVALID_VALUE, update({.command = handle, .arguments = &argument}));
  EXPECT_EQ(CL_INVALID_VALUE, update({.command = handle, .svmArgumentCount = 1}));
  EXPECT_EQ(CL_INVALID_VALUE, update({.command = handle, .svmArguments = &argument}));
  EXPECT_EQ(CL_INVALID_VALUE, update({.command = handle, .execInfoCount = 1}));
  EXPECT_EQ(CL_INVALID_VALUE, update({.command = handle, .execInfos = &info}));
  for (const ChangedLaunch& change :
       {ChangedLaunch{.command = fixed, .argumentCount = 1, .arguments = &argument},
        ChangedLaunch{.command = fixed, .svmArgumentCount = 1, .svmArguments = &argument},
        ChangedLaunch{.command = fixed, .execInfoCount = 1, .execInfos = &info},
        ChangedLaunch{.command = fixed, .offset = &global},
        ChangedLaunch{.command = fixed, .global = &global},
        ChangedLaunch{.command = fixed, .local = &local}})
    EXPECT_EQ(CL_INVALID_OPERATION, update(change));
}

} // namespace
} // namespace quern::test
