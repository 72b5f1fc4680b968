#include <algorithm>
#include <cstring>
#include <numeric>

#include "opencl_test.h"
#include "svm_memory.h"

namespace quern::test {
namespace {

constexpr size_t count = 1 << 18;
constexpr size_t bytes = count * sizeof(cl_int);

class SvmCommandTest : public OpenClTest {
protected:
  /// Checks the errors that every command on shared virtual memory has. `enqueue` takes queue,
  /// number of events, events and event.
  template <typename Enqueue> void expectCommonErrors(const Enqueue& enqueue) {
    EXPECT_EQ(CL_INVALID_COMMAND_QUEUE, enqueue(nullptr, 0u, nullptr, nullptr));
    EXPECT_EQ(CL_INVALID_COMMAND_QUEUE,
              enqueue(reinterpret_cast<cl_command_queue>(device), 0u, nullptr, nullptr));
    const Event own = makeUserEvent();
    const Event foreign(clCreateUserEvent(otherContext.get(), nullptr));
    const cl_event lists[] = {own.get(), foreign.get(), nullptr};
    cl_event event = nullptr;
    EXPECT_EQ(CL_INVALID_EVENT_WAIT_LIST, enqueue(queue.get(), 1u, nullptr, &event));
    EXPECT_EQ(CL_INVALID_EVENT_WAIT_LIST, enqueue(queue.get(), 0u, lists, &event));
    EXPECT_EQ(CL_INVALID_EVENT_WAIT_LIST, enqueue(queue.get(), 1u, lists + 2, &event));
    EXPECT_EQ(CL_INVALID_CONTEXT, enqueue(queue.get(), 1u, lists + 1, &event));
    EXPECT_EQ(nullptr, event);
  }

  cl_command_type typeOf(const Event& event) const {
    return info<cl_command_type>(clGetEventInfo, event.get(), CL_EVENT_COMMAND_TYPE);
  }
};

TEST_F(SvmCommandTest, memcpyWorksBetweenSvmAndTheProgramsMemory) {
  const SvmMemory svm(context, bytes);
  std::vector<cl_int> source(count), result(count);
  std::iota(source.begin(), source.end(), 7);
  cl_event event = nullptr;
  EXPECT_EQ(CL_SUCCESS, clEnqueueSVMMemcpy(queue.get(), CL_FALSE, svm.get(), source.data(), bytes,
                                           0, nullptr, &event));
  const Event first(event);
  EXPECT_EQ(cl_command_type{CL_COMMAND_SVM_MEMCPY}, typeOf(first));
  EXPECT_EQ(CL_SUCCESS, clEnqueueSVMMemcpy(queue.get(), CL_TRUE, result.data(), svm.get(), bytes, 0,
                                           nullptr, nullptr));
  EXPECT_EQ(source, result);
}

TEST_F(SvmCommandTest, memcpyErrors) {
  const SvmMemory svm(context, 64);
  auto* base = static_cast<char*>(svm.get());
  expectCommonErrors([&](cl_command_queue q, cl_uint n, const cl_event* list, cl_event* event) {
    return clEnqueueSVMMemcpy(q, CL_FALSE, base, base + 32, 32, n, list, event);
  });
  const auto copy = [&](void* to, const void* from, size_t size) {
    return clEnqueueSVMMemcpy(queue.get(), CL_TRUE, to, from, size, 0, nullptr, nullptr);
  };
  EXPECT_EQ(CL_INVALID_VALUE, copy(nullptr, base, 8));
  EXPECT_EQ(CL_INVALID_VALUE, copy(base, nullptr, 8));
  EXPECT_EQ(CL_MEM_COPY_OVERLAP, copy(base, base + 7, 8));
  EXPECT_EQ(CL_MEM_COPY_OVERLAP, copy(base + 7, base, 8));
  EXPECT_EQ(CL_MEM_COPY_OVERLAP, copy(base, base, 8));
  EXPECT_EQ(CL_SUCCESS, copy(base, base + 8, 8));
  EXPECT_EQ(CL_SUCCESS, copy(base, base, 0));
}

TEST_F(SvmCommandTest, blockingCommandsReportFailedWaitLists) {
  const SvmMemory svm(context, 64);
  auto* base = static_cast<char*>(svm.get());
  const Event failed = makeUserEvent();
  clSetUserEventStatus(failed.get(), -5);
  const cl_event list[] = {failed.get()};
  EXPECT_EQ(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST,
            clEnqueueSVMMemcpy(queue.get(), CL_TRUE, base, base + 32, 32, 1, list, nullptr));
  EXPECT_EQ(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST,
            clEnqueueSVMMap(queue.get(), CL_TRUE, CL_MAP_READ, base, 64, 1, list, nullptr));
}

TEST_F(SvmCommandTest, memFillRepeatsPatternsOfEverySize) {
  const SvmMemory svm(context, bytes);
  const auto* begin = static_cast<const unsigned char*>(svm.get());
  for (size_t patternBytes = 1; patternBytes <= 128; patternBytes *= 2) {
    std::vector<unsigned char> pattern(patternBytes);
    std::iota(pattern.begin(), pattern.end(), static_cast<unsigned char>(patternBytes));
    cl_event event = nullptr;
    EXPECT_EQ(CL_SUCCESS, clEnqueueSVMMemFill(queue.get(), svm.get(), pattern.data(), patternBytes,
                                              bytes, 0, nullptr, &event));
    const Event filled(event);
    EXPECT_EQ(cl_command_type{CL_COMMAND_SVM_MEMFILL}, typeOf(filled));
    clWaitForEvents(1, &event);
    for (size_t i = 0; i < bytes; i += patternBytes)
      ASSERT_EQ(0, std::memcmp(begin + i, pattern.data(), patternBytes)) << i;
  }
}

TEST_F(SvmCommandTest, memFillErrors) {
  const SvmMemory svm(context, 1024);
  auto* base = static_cast<char*>(svm.get());
  const char pattern[256] = {};
  expectCommonErrors([&](cl_command_queue q, cl_uint n, const cl_event* list, cl_event* event) {
    return clEnqueueSVMMemFill(q, base, pattern, 4, 32, n, list, event);
  });
  const auto fill = [&](void* to, const void* what, size_t patternBytes, size_t size) {
    return clEnqueueSVMMemFill(queue.get(), to, what, patternBytes, size, 0, nullptr, nullptr);
  };
  EXPECT_EQ(CL_INVALID_VALUE, fill(nullptr, pattern, 4, 32));
  EXPECT_EQ(CL_INVALID_VALUE, fill(base + 2, pattern, 4, 32));
  EXPECT_EQ(CL_INVALID_VALUE, fill(base, nullptr, 4, 32));
  EXPECT_EQ(CL_INVALID_VALUE, fill(base, pattern, 0, 32));
  EXPECT_EQ(CL_INVALID_VALUE, fill(base, pattern, 3, 33));
  EXPECT_EQ(CL_INVALID_VALUE, fill(base, pattern, 256, 1024));
  EXPECT_EQ(CL_INVALID_VALUE, fill(base, pattern, 4, 30));
  EXPECT_EQ(CL_SUCCESS, fill(base, pattern, 4, 0));
}

TEST_F(SvmCommandTest, mapAndUnmapArePointsInTheOrder) {
  const SvmMemory svm(context, 64);
  const Event gate = makeUserEvent();
  const cl_event list[] = {gate.get()};
  cl_event events[2] = {};
  EXPECT_EQ(CL_SUCCESS, clEnqueueSVMMap(queue.get(), CL_FALSE, CL_MAP_READ | CL_MAP_WRITE,
                                        svm.get(), 64, 1, list, &events[0]));
  EXPECT_EQ(CL_SUCCESS, clEnqueueSVMUnmap(queue.get(), svm.get(), 0, nullptr, &events[1]));
  const Event mapped(events[0]), unmapped(events[1]);
  EXPECT_EQ(cl_command_type{CL_COMMAND_SVM_MAP}, typeOf(mapped));
  EXPECT_EQ(cl_command_type{CL_COMMAND_SVM_UNMAP}, typeOf(unmapped));
  EXPECT_LT(CL_COMPLETE, statusOf(mapped));
  clSetUserEventStatus(gate.get(), CL_COMPLETE);
  clFinish(queue.get());
  EXPECT_EQ(CL_COMPLETE, statusOf(unmapped));
}

TEST_F(SvmCommandTest, mapErrors) {
  const SvmMemory svm(context, 64);
  expectCommonErrors([&](cl_command_queue q, cl_uint n, const cl_event* list, cl_event* event) {
    return clEnqueueSVMMap(q, CL_FALSE, CL_MAP_READ, svm.get(), 64, n, list, event);
  });
  expectCommonErrors([&](cl_command_queue q, cl_uint n, const cl_event* list, cl_event* event) {
    return clEnqueueSVMUnmap(q, svm.get(), n, list, event);
  });
  const auto map = [&](cl_map_flags flags, void* pointer, size_t size) {
    return clEnqueueSVMMap(queue.get(), CL_TRUE, flags, pointer, size, 0, nullptr, nullptr);
  };
  EXPECT_EQ(CL_INVALID_VALUE, map(CL_MAP_READ, nullptr, 64));
  EXPECT_EQ(CL_INVALID_VALUE, map(CL_MAP_READ, svm.get(), 0));
  EXPECT_EQ(CL_INVALID_VALUE, map(cl_map_flags{1} << 20, svm.get(), 64));
  EXPECT_EQ(CL_INVALID_VALUE, map(CL_MAP_READ | CL_MAP_WRITE_INVALIDATE_REGION, svm.get(), 64));
  EXPECT_EQ(CL_INVALID_VALUE, clEnqueueSVMUnmap(queue.get(), nullptr, 0, nullptr, nullptr));
}

TEST_F(SvmCommandTest, migrate) {
  const SvmMemory svm(context, 64), more(context, 256);
  const void* pointers[] = {svm.get(), static_cast<char*>(more.get()) + 128};
  const size_t sizes[] = {0, 128};
  cl_event event = nullptr;
  EXPECT_EQ(CL_SUCCESS,
            clEnqueueSVMMigrateMem(queue.get(), 2, pointers, sizes, 0, 0, nullptr, &event));
  const Event migrated(event);
  EXPECT_EQ(cl_command_type{CL_COMMAND_SVM_MIGRATE_MEM}, typeOf(migrated));
  EXPECT_EQ(CL_SUCCESS, clEnqueueSVMMigrateMem(queue.get(), 2, pointers, nullptr,
                                               CL_MIGRATE_MEM_OBJECT_HOST, 0, nullptr, nullptr));
}

TEST_F(SvmCommandTest, migrateErrors) {
  const SvmMemory svm(context, 64);
  const void* pointers[] = {static_cast<char*>(svm.get()) + 32};
  expectCommonErrors([&](cl_command_queue q, cl_uint n, const cl_event* list, cl_event* event) {
    return clEnqueueSVMMigrateMem(q, 1, pointers, nullptr, 0, n, list, event);
  });
  const auto migrate = [&](cl_uint number, const void** list, const size_t* sizes,
                           cl_mem_migration_flags flags) {
    return clEnqueueSVMMigrateMem(queue.get(), number, list, sizes, flags, 0, nullptr, nullptr);
  };
  const size_t tooLarge = 33;
  int mine = 0;
  const void* foreign[] = {&mine};
  const size_t one = 1;
  EXPECT_EQ(CL_INVALID_VALUE, migrate(0, pointers, nullptr, 0));
  EXPECT_EQ(CL_INVALID_VALUE, migrate(1, nullptr, nullptr, 0));
  EXPECT_EQ(CL_INVALID_VALUE, migrate(1, pointers, nullptr, cl_mem_migration_flags{1} << 20));
  EXPECT_EQ(CL_INVALID_VALUE, migrate(1, pointers, &tooLarge, 0));
  EXPECT_EQ(CL_INVALID_VALUE, migrate(1, foreign, &one, 0));
}

TEST_F(SvmCommandTest, commandsKeepMemoryThatIsFreedBeforeTheyRun) {
  const Event gate = makeUserEvent();
  const cl_event list[] = {gate.get()};
  void* pointer = clSVMAlloc(context.get(), 0, bytes, 0);
  std::fill_n(static_cast<cl_int*>(pointer), count, 5);
  std::vector<cl_int> result(count);
  EXPECT_EQ(CL_SUCCESS, clEnqueueSVMMemcpy(queue.get(), CL_FALSE, result.data(), pointer, bytes, 1,
                                           list, nullptr));
  clSVMFree(context.get(), pointer);
  clSetUserEventStatus(gate.get(), CL_COMPLETE);
  clFinish(queue.get());
  EXPECT_EQ(std::vector<cl_int>(count, 5), result);
}

} // namespace
} // namespace quern::test
