#include <numeric>

#include "opencl_test.h"

namespace quern::test {
namespace {

class BufferCommandTest : public OpenClTest {
protected:
  void SetUp() override {
    OpenClTest::SetUp();
    values.resize(256);
    std::iota(values.begin(), values.end(), 0);
    buffer = makeBuffer(values);
    foreign.reset(clCreateBuffer(otherContext.get(), CL_MEM_READ_WRITE, 1024, nullptr, nullptr));
    user = makeUserEvent();
  }
  cl_mem notMemory() { return reinterpret_cast<cl_mem>(device); }
  cl_command_queue notQueue() { return reinterpret_cast<cl_command_queue>(device); }

  cl_int read(cl_mem from, size_t offset, size_t bytes, void* to, cl_uint count = 0,
              const cl_event* list = nullptr) {
    return clEnqueueReadBuffer(queue.get(), from, CL_TRUE, offset, bytes, to, count, list, nullptr);
  }
  cl_int write(cl_mem to, size_t offset, size_t bytes, const void* from, cl_uint count = 0,
               const cl_event* list = nullptr) {
    return clEnqueueWriteBuffer(queue.get(), to, CL_TRUE, offset, bytes, from, count, list,
                                nullptr);
  }
  cl_int copy(cl_mem from, cl_mem to, size_t fromOffset, size_t toOffset, size_t bytes) {
    return clEnqueueCopyBuffer(queue.get(), from, to, fromOffset, toOffset, bytes, 0, nullptr,
                               nullptr);
  }
  cl_int fill(cl_mem to, const void* pattern, size_t patternBytes, size_t offset, size_t bytes) {
    return clEnqueueFillBuffer(queue.get(), to, pattern, patternBytes, offset, bytes, 0, nullptr,
                               nullptr);
  }

  std::vector<cl_int> values; ///< 0, 1, ... 255
  Memory buffer;              ///< holds `values`
  Memory foreign;             ///< 1024 bytes of another context
  Event user;
  char host[1024] = {};
};

TEST_F(BufferCommandTest, readsAndWritesRanges) {
  std::vector<cl_int> part(16);
  ASSERT_EQ(CL_SUCCESS, read(buffer.get(), 64, 64, part.data()));
  EXPECT_EQ(std::vector<cl_int>(values.begin() + 16, values.begin() + 32), part);
  ASSERT_EQ(CL_SUCCESS, write(buffer.get(), 1024 - 64, 64, part.data()));
  EXPECT_EQ(31, contents<cl_int>(buffer.get()).back());
  cl_event raw = nullptr;
  ASSERT_EQ(CL_SUCCESS, clEnqueueReadBuffer(queue.get(), buffer.get(), CL_FALSE, 0, 64, part.data(),
                                            0, nullptr, &raw));
  const Event event(raw);
  ASSERT_EQ(CL_SUCCESS, clWaitForEvents(1, &raw));
  EXPECT_EQ(0, part[0]);
  EXPECT_EQ(cl_command_type{CL_COMMAND_READ_BUFFER},
            info<cl_command_type>(clGetEventInfo, raw, CL_EVENT_COMMAND_TYPE));
  // Nothing to read is not an error.
  EXPECT_EQ(CL_SUCCESS, read(buffer.get(), 1024, 0, part.data()));
}

TEST_F(BufferCommandTest, readsAndWritesTheMemoryThatTheBufferIsMadeOf) {
  const Memory used = makeBuffer(sizeof(host), CL_MEM_USE_HOST_PTR, host);
  const size_t origin[] = {16, 2, 0}, region[] = {16, 4, 1};
  host[100] = 'q';
  EXPECT_EQ(CL_SUCCESS, read(used.get(), 64, 128, host + 64));
  EXPECT_EQ(CL_SUCCESS, write(used.get(), 64, 128, host + 64));
  EXPECT_EQ(CL_SUCCESS, clEnqueueReadBufferRect(queue.get(), used.get(), CL_TRUE, origin, origin,
                                                region, 64, 0, 64, 0, host, 0, nullptr, nullptr));
  EXPECT_EQ(CL_SUCCESS, clEnqueueWriteBufferRect(queue.get(), used.get(), CL_TRUE, origin, origin,
                                                 region, 64, 0, 64, 0, host, 0, nullptr, nullptr));
  EXPECT_EQ('q', contents<char>(used.get())[100]);
}

TEST_F(BufferCommandTest, readAndWriteRejectWrongArguments) {
  const cl_event list[] = {user.get()};
  EXPECT_EQ(CL_INVALID_COMMAND_QUEUE, clEnqueueReadBuffer(notQueue(), buffer.get(), CL_TRUE, 0, 4,
                                                          host, 0, nullptr, nullptr));
  EXPECT_EQ(CL_INVALID_COMMAND_QUEUE, clEnqueueWriteBuffer(notQueue(), buffer.get(), CL_TRUE, 0, 4,
                                                           host, 0, nullptr, nullptr));
  EXPECT_EQ(CL_INVALID_MEM_OBJECT, read(notMemory(), 0, 4, host));
  EXPECT_EQ(CL_INVALID_MEM_OBJECT, write(notMemory(), 0, 4, host));
  EXPECT_EQ(CL_INVALID_CONTEXT, read(foreign.get(), 0, 4, host));
  EXPECT_EQ(CL_INVALID_CONTEXT, write(foreign.get(), 0, 4, host));
  EXPECT_EQ(CL_INVALID_VALUE, read(buffer.get(), 1021, 4, host));
  EXPECT_EQ(CL_INVALID_VALUE, read(buffer.get(), 8, ~size_t{0}, host));
  EXPECT_EQ(CL_INVALID_VALUE, write(buffer.get(), 1025, 0, host));
  EXPECT_EQ(CL_INVALID_VALUE, read(buffer.get(), 0, 4, nullptr));
  EXPECT_EQ(CL_INVALID_VALUE, write(buffer.get(), 0, 4, nullptr));
  EXPECT_EQ(CL_INVALID_EVENT_WAIT_LIST, read(buffer.get(), 0, 4, host, 1, nullptr));
  EXPECT_EQ(CL_INVALID_EVENT_WAIT_LIST, write(buffer.get(), 0, 4, host, 0, list));
}

TEST_F(BufferCommandTest, hostAccessFlagsAreKept) {
  const Memory writeOnly = makeBuffer(64, CL_MEM_HOST_WRITE_ONLY);
  const Memory readOnly = makeBuffer(64, CL_MEM_HOST_READ_ONLY);
  const Memory noAccess = makeBuffer(64, CL_MEM_HOST_NO_ACCESS);
  const auto map = [this](const Memory& memory, cl_map_flags flags) {
    cl_int code = 0;
    void* pointer = clEnqueueMapBuffer(queue.get(), memory.get(), CL_TRUE, flags, 0, 64, 0, nullptr,
                                       nullptr, &code);
    EXPECT_EQ(code == CL_SUCCESS, pointer != nullptr);
    return code;
  };
  const size_t origin[] = {0, 0, 0}, region[] = {8, 1, 1};
  const auto readRect = [&](const Memory& memory) {
    return clEnqueueReadBufferRect(queue.get(), memory.get(), CL_TRUE, origin, origin, region, 0, 0,
                                   0, 0, host, 0, nullptr, nullptr);
  };
  const auto writeRect = [&](const Memory& memory) {
    return clEnqueueWriteBufferRect(queue.get(), memory.get(), CL_TRUE, origin, origin, region, 0,
                                    0, 0, 0, host, 0, nullptr, nullptr);
  };
  for (const Memory* memory : {&writeOnly, &noAccess}) {
    EXPECT_EQ(CL_INVALID_OPERATION, read(memory->get(), 0, 4, host));
    EXPECT_EQ(CL_INVALID_OPERATION, readRect(*memory));
    EXPECT_EQ(CL_INVALID_OPERATION, map(*memory, CL_MAP_READ));
  }
  for (const Memory* memory : {&readOnly, &noAccess}) {
    EXPECT_EQ(CL_INVALID_OPERATION, write(memory->get(), 0, 4, host));
    EXPECT_EQ(CL_INVALID_OPERATION, writeRect(*memory));
    EXPECT_EQ(CL_INVALID_OPERATION, map(*memory, CL_MAP_WRITE));
    EXPECT_EQ(CL_INVALID_OPERATION, map(*memory, CL_MAP_WRITE_INVALIDATE_REGION));
  }
  EXPECT_EQ(CL_SUCCESS, write(writeOnly.get(), 0, 4, host));
  EXPECT_EQ(CL_SUCCESS, map(writeOnly, CL_MAP_WRITE));
  EXPECT_EQ(CL_SUCCESS, read(readOnly.get(), 0, 4, host));
  EXPECT_EQ(CL_SUCCESS, map(readOnly, CL_MAP_READ));
}

TEST_F(BufferCommandTest, copies) {
  const Memory target = makeBuffer(std::vector<cl_int>(256, -1));
  ASSERT_EQ(CL_SUCCESS, copy(buffer.get(), target.get(), 40, 80, 400));
  const auto copied = contents<cl_int>(target.get());
  for (int i = 0; i < 256; ++i)
    EXPECT_EQ(i >= 20 && i < 120 ? i - 10 : -1, copied[i]) << i;
  // Within one buffer, up to the point where the ranges touch.
  ASSERT_EQ(CL_SUCCESS, copy(buffer.get(), buffer.get(), 0, 512, 512));
  EXPECT_EQ(127, contents<cl_int>(buffer.get()).back());
  EXPECT_EQ(CL_SUCCESS, copy(buffer.get(), target.get(), 0, 1024, 0));
}

TEST_F(BufferCommandTest, copyRejectsWrongArguments) {
  const Memory target = makeBuffer(512);
  EXPECT_EQ(CL_INVALID_COMMAND_QUEUE, clEnqueueCopyBuffer(notQueue(), buffer.get(), target.get(), 0,
                                                          0, 4, 0, nullptr, nullptr));
  EXPECT_EQ(CL_INVALID_MEM_OBJECT, copy(notMemory(), target.get(), 0, 0, 4));
  EXPECT_EQ(CL_INVALID_MEM_OBJECT, copy(buffer.get(), notMemory(), 0, 0, 4));
  EXPECT_EQ(CL_INVALID_CONTEXT, copy(foreign.get(), target.get(), 0, 0, 4));
  EXPECT_EQ(CL_INVALID_CONTEXT, copy(buffer.get(), foreign.get(), 0, 0, 4));
  EXPECT_EQ(CL_INVALID_VALUE, copy(buffer.get(), target.get(), 1024, 0, 4));
  EXPECT_EQ(CL_INVALID_VALUE, copy(buffer.get(), target.get(), 0, 512, 4));
  EXPECT_EQ(CL_MEM_COPY_OVERLAP, copy(buffer.get(), buffer.get(), 0, 511, 512));
  EXPECT_EQ(CL_MEM_COPY_OVERLAP, copy(buffer.get(), buffer.get(), 4, 0, 8));
}

TEST_F(BufferCommandTest, copyFindsOverlapBetweenSubBuffers) {
  const Memory parent = makeBuffer(4096);
  const cl_buffer_region low = {0, 2048}, high = {1024, 2048};
  const Memory first(
      clCreateSubBuffer(parent.get(), 0, CL_BUFFER_CREATE_TYPE_REGION, &low, nullptr));
  const Memory second(
      clCreateSubBuffer(parent.get(), 0, CL_BUFFER_CREATE_TYPE_REGION, &high, nullptr));
  EXPECT_EQ(CL_MEM_COPY_OVERLAP, copy(first.get(), second.get(), 1000, 0, 100));
  EXPECT_EQ(CL_SUCCESS, copy(first.get(), second.get(), 0, 0, 1024));
  const size_t origin[] = {1000, 0, 0}, zero[] = {0, 0, 0}, region[] = {100, 1, 1};
  EXPECT_EQ(CL_MEM_COPY_OVERLAP,
            clEnqueueCopyBufferRect(queue.get(), first.get(), second.get(), origin, zero, region, 0,
                                    0, 0, 0, 0, nullptr, nullptr));
}

TEST_F(BufferCommandTest, fillsWithEveryPatternSize) {
  for (size_t size = 1; size <= 128; size *= 2) {
    std::vector<unsigned char> pattern(size);
    std::iota(pattern.begin(), pattern.end(), static_cast<unsigned char>(size));
    ASSERT_EQ(CL_SUCCESS, fill(buffer.get(), pattern.data(), size, size, 1024 - 2 * size));
    const auto bytes = contents<unsigned char>(buffer.get());
    for (size_t i = size; i < 1024 - size; ++i)
      ASSERT_EQ(pattern[i % size], bytes[i]) << size << " " << i;
  }
}

TEST_F(BufferCommandTest, fillRejectsWrongArguments) {
  const char pattern[256] = {};
  EXPECT_EQ(CL_INVALID_COMMAND_QUEUE,
            clEnqueueFillBuffer(notQueue(), buffer.get(), pattern, 4, 0, 4, 0, nullptr, nullptr));
  EXPECT_EQ(CL_INVALID_MEM_OBJECT, fill(notMemory(), pattern, 4, 0, 4));
  EXPECT_EQ(CL_INVALID_CONTEXT, fill(foreign.get(), pattern, 4, 0, 4));
  EXPECT_EQ(CL_INVALID_VALUE, fill(buffer.get(), pattern, 4, 1024, 4));
  EXPECT_EQ(CL_INVALID_VALUE, fill(buffer.get(), nullptr, 4, 0, 4));
  EXPECT_EQ(CL_INVALID_VALUE, fill(buffer.get(), pattern, 0, 0, 4));
  EXPECT_EQ(CL_INVALID_VALUE, fill(buffer.get(), pattern, 3, 0, 6));
  EXPECT_EQ(CL_INVALID_VALUE, fill(buffer.get(), pattern, 256, 0, 256));
  EXPECT_EQ(CL_INVALID_VALUE, fill(buffer.get(), pattern, 4, 2, 4));
  EXPECT_EQ(CL_INVALID_VALUE, fill(buffer.get(), pattern, 4, 0, 6));
}

TEST_F(BufferCommandTest, migrates) {
  const cl_mem objects[] = {buffer.get()};
  const cl_mem wrong[] = {buffer.get(), notMemory()};
  const cl_mem foreigners[] = {foreign.get()};
  const auto migrate = [this](cl_uint count, const cl_mem* list, cl_mem_migration_flags flags) {
    return clEnqueueMigrateMemObjects(queue.get(), count, list, flags, 0, nullptr, nullptr);
  };
  EXPECT_EQ(CL_SUCCESS, migrate(1, objects, 0));
  EXPECT_EQ(
      CL_SUCCESS,
      migrate(1, objects, CL_MIGRATE_MEM_OBJECT_HOST | CL_MIGRATE_MEM_OBJECT_CONTENT_UNDEFINED));
  EXPECT_EQ(CL_INVALID_VALUE, migrate(0, objects, 0));
  EXPECT_EQ(CL_INVALID_VALUE, migrate(1, nullptr, 0));
  EXPECT_EQ(CL_INVALID_VALUE, migrate(1, objects, 1 << 10));
  EXPECT_EQ(CL_INVALID_MEM_OBJECT, migrate(2, wrong, 0));
  EXPECT_EQ(CL_INVALID_CONTEXT, migrate(1, foreigners, 0));
  EXPECT_EQ(CL_INVALID_COMMAND_QUEUE,
            clEnqueueMigrateMemObjects(notQueue(), 1, objects, 0, 0, nullptr, nullptr));
  EXPECT_EQ(values, contents<cl_int>(buffer.get()));
}

} // namespace
} // namespace quern::test
