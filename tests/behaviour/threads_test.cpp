// Every kind of object used from many threads at once. What the specification leaves undefined (two
// threads setting arguments of one kernel) may give either thread's result; nothing crashes, hangs
// or corrupts memory.
#include <thread>

#include "kernels/kernel_fixture.h"

namespace quern::tests {
namespace {

constexpr int threadCount = 6;

/// Runs `body(thread)` in several threads; the messages of their exceptions.
template <typename Body> std::string failures(const Body& body) {
  std::vector<std::thread> threads;
  std::vector<std::string> messages(threadCount);
  for (int t = 0; t < threadCount; ++t)
    threads.emplace_back([&, t] {
      try {
        body(t);
      } catch (const std::exception& error) {
        messages[t] = error.what();
      }
    });
  std::string all;
  for (int t = 0; t < threadCount; ++t) {
    threads[t].join();
    all += messages[t];
  }
  return all;
}

constexpr const char* sharedSource = R"(
  kernel void fill(global int* out, int value) { out[get_global_id(0)] = value; }
  kernel void sum(global const int* in, global int* out, local int* l) {
    size_t i = get_local_id(0);
    l[i] = in[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    int total = 0;
    for (size_t j = 0; j < get_local_size(0); ++j)
      total += l[j];
    out[get_global_id(0)] = total;
  })";

TEST(Threads, shareOneQueue) {
  Program program = build(sharedSource);
  EXPECT_EQ(failures([&](int t) {
              for (int i = 0; i < 60; ++i) {
                Buffer<cl_int> data(64), out(64);
                run(program, "fill", {{64}, {16}}, data, cl_int{t * 1000 + i});
                run(program, "sum", {{64}, {16}}, data, out, LocalBytes{64});
                if (out.read() != std::vector<cl_int>(64, 16 * (t * 1000 + i)))
                  throw std::runtime_error("a wrong result; ");
              }
            }),
            "");
}

TEST(Threads, shareOneKernel) {
  Program program = build(sharedSource);
  Kernel kernel(program, "fill");
  Buffer<cl_int> first(256, -1), second(256, -1);
  EXPECT_EQ(failures([&](int t) {
              for (int i = 0; i < 300; ++i) {
                kernel.set(0, t % 2 ? first : second);
                kernel.set(1, cl_int{t});
                kernel.enqueue({{256}, {32}});
              }
            }),
            "");
  check(clFinish(Device::get().queue), "clFinish");
  for (cl_int value : first.read())
    EXPECT_TRUE(value >= -1 && value < threadCount) << value;
}

TEST(Threads, buildTheSameProgram) {
  EXPECT_EQ(failures([&](int t) {
              for (int i = 0; i < 3; ++i) {
                Buffer<cl_int> out(32);
                run(build(sharedSource, "-DI=" + std::to_string(i)), "fill", {{32}}, out,
                    cl_int{t});
                if (out.read() != std::vector<cl_int>(32, t))
                  throw std::runtime_error("a wrong result; ");
              }
            }),
            "");
}

TEST(Threads, buildOneProgramObject) {
  for (int round = 0; round < 3; ++round) {
    Program program = createProgram(sharedSource);
    failures([&](int) {
      // While one thread builds, another may be told so.
      cl_int code = clBuildProgram(program.handle(), 1, &Device::get().id, "", nullptr, nullptr);
      if (code != CL_SUCCESS && code != CL_INVALID_OPERATION)
        check(code, "clBuildProgram");
      program.log();
    });
    check(clBuildProgram(program.handle(), 1, &Device::get().id, "", nullptr, nullptr),
          "clBuildProgram");
    Buffer<cl_int> out(32);
    run(program, "fill", {{32}}, out, cl_int{4});
    EXPECT_EQ(out.read(), std::vector<cl_int>(32, 4));
  }
}

TEST(Threads, shareEvents) {
  for (int round = 0; round < 30; ++round) {
    cl_int code = CL_SUCCESS;
    cl_event gate = clCreateUserEvent(Device::get().context, &code);
    check(code, "clCreateUserEvent");
    EXPECT_EQ(failures([&](int t) {
                if (t == 0)
                  return check(clSetUserEventStatus(gate, CL_COMPLETE), "clSetUserEventStatus");
                cl_event marker = nullptr;
                check(clEnqueueMarkerWithWaitList(Device::get().queue, 1, &gate, &marker),
                      "clEnqueueMarkerWithWaitList");
                check(clRetainEvent(gate), "clRetainEvent");
                check(clSetEventCallback(
                          gate, CL_COMPLETE, [](cl_event, cl_int, void*) {}, nullptr),
                      "clSetEventCallback");
                check(clWaitForEvents(1, &marker), "clWaitForEvents");
                check(clReleaseEvent(marker), "clReleaseEvent");
                check(clReleaseEvent(gate), "clReleaseEvent");
              }),
              "");
    clReleaseEvent(gate);
  }
}

TEST(Threads, shareBuffers) {
  Buffer<cl_int> data(4096, 1);
  EXPECT_EQ(failures([&](int t) {
              cl_command_queue queue = Device::get().queue;
              for (int i = 0; i < 100; ++i) {
                cl_int code = CL_SUCCESS, value = 1;
                const size_t offset = size_t(t) * 512 * sizeof(cl_int),
                             bytes = 512 * sizeof(cl_int);
                cl_buffer_region region = {offset, bytes};
                cl_mem part = clCreateSubBuffer(data.handle(), 0, CL_BUFFER_CREATE_TYPE_REGION,
                                                &region, &code);
                check(code, "clCreateSubBuffer");
                auto* mapped = static_cast<cl_int*>(
                    clEnqueueMapBuffer(queue, part, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, 0, bytes,
                                       0, nullptr, nullptr, &code));
                check(code, "clEnqueueMapBuffer");
                for (int j = 0; j < 512; ++j)
                  mapped[j] += 1;
                check(clEnqueueUnmapMemObject(queue, part, mapped, 0, nullptr, nullptr),
                      "clEnqueueUnmapMemObject");
                check(clEnqueueReadBuffer(queue, data.handle(), CL_TRUE, offset, sizeof(value),
                                          &value, 0, nullptr, nullptr),
                      "clEnqueueReadBuffer");
                check(clReleaseMemObject(part), "clReleaseMemObject");
                if (value != i + 2)
                  throw std::runtime_error("a lost write; ");
              }
            }),
            "");
  std::vector<cl_int> result = data.read();
  for (size_t i = 0; i < result.size(); ++i)
    ASSERT_EQ(result[i], i < threadCount * 512 ? 101 : 1);
}

TEST(Threads, shareReferences) {
  cl_int code = CL_SUCCESS;
  cl_context context = clCreateContext(nullptr, 1, &Device::get().id, nullptr, nullptr, &code);
  check(code, "clCreateContext");
  EXPECT_EQ(failures([&](int) {
              for (int i = 0; i < 500; ++i) {
                check(clRetainContext(context), "clRetainContext");
                cl_int code = CL_SUCCESS;
                cl_command_queue queue =
                    clCreateCommandQueueWithProperties(context, Device::get().id, nullptr, &code);
                check(code, "clCreateCommandQueueWithProperties");
                check(clFlush(queue), "clFlush");
                check(clReleaseCommandQueue(queue), "clReleaseCommandQueue");
                check(clReleaseContext(context), "clReleaseContext");
                Device::get().text(CL_DEVICE_NAME);
              }
            }),
            "");
  cl_uint references = 0;
  check(clGetContextInfo(context, CL_CONTEXT_REFERENCE_COUNT, sizeof(references), &references,
                         nullptr),
        "clGetContextInfo");
  EXPECT_EQ(references, 1u);
  check(clReleaseContext(context), "clReleaseContext");
}

TEST(Threads, finishOneAnothersWork) {
  Program program = build(sharedSource);
  Buffer<cl_int> data(1024);
  EXPECT_EQ(failures([&](int t) {
              for (int i = 0; i < 200; ++i) {
                if (t % 3 == 0) {
                  check(clFinish(Device::get().queue), "clFinish");
                } else {
                  Kernel kernel(program, "fill");
                  kernel.setAll(data, cl_int{t});
                  kernel.enqueue({{1024}, {32}});
                  if (t % 3 == 1)
                    check(clFlush(Device::get().queue), "clFlush");
                }
              }
            }),
            "");
}

} // namespace
} // namespace quern::tests
