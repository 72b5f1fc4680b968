// Kernels that enqueue kernels: blocks with what they captured, local arguments, wait lists, events
// that kernels make, and what goes wrong.
#include "kernels/kernel_fixture.h"

#include <future>

namespace quern::tests {
namespace {

constexpr const char* options = "-cl-std=CL3.0";

/// Owns a queue on the device.
class DeviceQueue {
public:
  explicit DeviceQueue(cl_command_queue_properties more = CL_QUEUE_ON_DEVICE_DEFAULT,
                       cl_uint bytes = 0) {
    cl_queue_properties properties[] = {
        CL_QUEUE_PROPERTIES, CL_QUEUE_ON_DEVICE | CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | more,
        bytes ? cl_queue_properties{CL_QUEUE_SIZE} : 0, bytes, 0};
    cl_int code = CL_SUCCESS;
    handle_ = clCreateCommandQueueWithProperties(Device::get().context, Device::get().id,
                                                 properties, &code);
    check(code, "clCreateCommandQueueWithProperties");
  }
  DeviceQueue(const DeviceQueue&) = delete;
  DeviceQueue& operator=(const DeviceQueue&) = delete;
  ~DeviceQueue() { clReleaseCommandQueue(handle_); }
  cl_command_queue handle() const { return handle_; }

private:
  cl_command_queue handle_ = nullptr;
};

class Enqueue : public testing::Test {
protected:
  void SetUp() override { QUERN_NEEDS("__opencl_c_device_enqueue"); }
};

TEST_F(Enqueue, blocksHaveWhatTheyCaptured) {
  const DeviceQueue queue;
  const Program program = build(R"(
    kernel void k(global int* out, int n, float4 v) {
      local int unused[4];
      if (get_global_id(0) != 0) return;
      char c = 7; long16 wide = 5; ushort3 s = (ushort3)(1, 2, 3);
      enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_WAIT_KERNEL, ndrange_1D(n), ^{
        int i = get_global_id(0);
        out[i] = i * 100 + c + wide.sf + s.z + (int)v.w;
      });
    })",
                                options);
  Buffer<cl_int> out(50);
  const cl_float4 v = {{1, 2, 3, 4}};
  run(program, "k", {{3}}, out, cl_int(50), v);
  EXPECT_EQ(out.read(), tabulate<cl_int>(50, [](size_t i) { return i * 100 + 7 + 5 + 3 + 4; }));
}

TEST_F(Enqueue, everyRange) {
  const DeviceQueue queue;
  const Program program = build(R"(
    void mark(global int* out) {
      out[(get_global_id(2) * 16 + get_global_id(1)) * 16 + get_global_id(0)] =
          get_local_size(0) * 10000 + get_local_size(1) * 100 + get_local_size(2) +
          get_work_dim() * 1000000;
    }
    kernel void k(global int* out, int which) {
      size_t o[3] = {1, 2, 3}, g[3] = {4, 8, 2}, l[3] = {2, 4, 1};
      ndrange_t r;
      switch (which) {
      case 0: r = ndrange_1D(4, 4, 2); break;
      case 1: r = ndrange_1D(8, 4); break;
      case 2: r = ndrange_2D(o, g, l); break;
      case 3: r = ndrange_2D(g, l); break;
      case 4: r = ndrange_3D(o, g, l); break;
      case 5: r = ndrange_3D(g, l); break;
      }
      enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, r, ^{ mark(out); });
    })",
                                options);
  struct Expected {
    size_t offset[3], size[3], local[3];
    int dimensions;
  };
  const Expected all[] = {
      {{4, 0, 0}, {4, 1, 1}, {2, 1, 1}, 1}, {{0, 0, 0}, {8, 1, 1}, {4, 1, 1}, 1},
      {{1, 2, 0}, {4, 8, 1}, {2, 4, 1}, 2}, {{0, 0, 0}, {4, 8, 1}, {2, 4, 1}, 2},
      {{1, 2, 3}, {4, 8, 2}, {2, 4, 1}, 3}, {{0, 0, 0}, {4, 8, 2}, {2, 4, 1}, 3}};
  for (cl_int which = 0; which < 6; ++which) {
    SCOPED_TRACE(which);
    const Expected& e = all[which];
    Buffer<cl_int> out(16 * 16 * 16);
    run(program, "k", {{1}}, out, which);
    EXPECT_EQ(out.read(), tabulate<cl_int>(16 * 16 * 16, [&](size_t i) {
                const size_t at[3] = {i % 16, i / 16 % 16, i / 256};
                for (int d = 0; d < 3; ++d)
                  if (at[d] < e.offset[d] || at[d] >= e.offset[d] + e.size[d])
                    return size_t{0};
                return e.local[0] * 10000 + e.local[1] * 100 + e.local[2] +
                       size_t(e.dimensions) * 1000000;
              }));
  }
}

TEST_F(Enqueue, localArguments) {
  const DeviceQueue queue;
  const Program program = build(R"(
    kernel void k(global int* out, uint bytes) {
      void (^sum)(local void*, local void*) = ^(local void* a, local void* b) {
        local int* own = a; local int* other = b;
        int i = get_local_id(0), n = get_local_size(0);
        own[i] = get_global_id(0); other[n - 1 - i] = i;
        barrier(CLK_LOCAL_MEM_FENCE);
        out[get_global_id(0)] = own[n - 1 - i] * 1000 + other[i];
      };
      enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_WAIT_WORK_GROUP, ndrange_1D(64, 8), sum,
                     bytes, (uint)(8 * sizeof(int)));
    })",
                                options);
  Buffer<cl_int> out(64);
  run(program, "k", {{1}}, out, cl_uint(32));
  EXPECT_EQ(out.read(), tabulate<cl_int>(64, [](size_t i) {
              const size_t group = i / 8 * 8, other = 7 - i % 8;
              return (group + other) * 1000 + other;
            }));
}

/// A child may have any shape, also where the program may not (CL_DEVICE_MAX_WORK_ITEM_SIZES).
TEST_F(Enqueue, workGroupsOfEveryShape) {
  const DeviceQueue queue;
  const Program program = build(R"(
    kernel void k(global int* out, uint x, uint y, uint z) {
      const size_t global_size[3] = {2 * x + 1, y, z + 1}, local_size[3] = {x, y, z};
      enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_WAIT_KERNEL,
                     ndrange_3D(global_size, local_size), ^{
        size_t id = get_global_linear_id();
        out[4 * id] = get_local_linear_id();
        out[4 * id + 1] = (get_local_id(2) * get_local_size(1) + get_local_id(1)) * get_local_size(0) + get_local_id(0);
        out[4 * id + 2] = get_local_size(0) * get_local_size(1) * get_local_size(2);
        out[4 * id + 3] = work_group_reduce_add(1);
      });
    })",
                                options);
  const size_t most = Device::get().info<size_t>(CL_DEVICE_MAX_WORK_GROUP_SIZE);
  for (const auto& [x, y, z] :
       {std::array<size_t, 3>{1, 1, most}, {3, 2, 100}, {most, 1, 1}, {1, most / 2, 2}}) {
    const size_t width = 2 * x + 1, items = width * y * (z + 1);
    Buffer<cl_int> out(4 * items);
    run(program, "k", {{1}}, out, cl_uint(x), cl_uint(y), cl_uint(z));
    EXPECT_EQ(out.read(),
              tabulate<cl_int>(4 * items,
                               [&, x = x, y = y, z = z](size_t i) {
                                 const size_t id = i / 4, gx = id % width, gy = id / width % y,
                                              gz = id / width / y;
                                 const size_t sizeX = gx < 2 * x ? x : 1, sizeZ = gz < z ? z : 1;
                                 const size_t linear = ((gz % z) * y + gy) * sizeX + gx % x;
                                 return i % 4 < 2 ? linear : sizeX * y * sizeZ;
                               }))
        << x << " x " << y << " x " << z;
  }
}

/// They are all of void, and may be of odd sizes.
TEST_F(Enqueue, localArgumentsAreAlignedForAnyType) {
  const DeviceQueue queue;
  const Program program = build(R"(
    kernel void k(global double16* out) {
      void (^move)(local void*, local void*) = ^(local void* a, local void* b) {
        local int* numbers = a; local double16* vectors = b;
        int i = get_local_id(0);
        numbers[i] = i;
        vectors[i] = (double16)(numbers[i]) + (double16)(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
        out[i] = vectors[i];
      };
      enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_WAIT_KERNEL, ndrange_1D(5, 5), move,
                     (uint)(5 * sizeof(int)), (uint)(5 * sizeof(double16)));
    })",
                                options);
  Buffer<cl_double> out(80);
  run(program, "k", {{1}}, out);
  EXPECT_EQ(out.read(), tabulate<cl_double>(80, [](size_t i) { return i / 16 + i % 16; }));
}

TEST_F(Enqueue, everyWorkItemMayEnqueue) {
  const DeviceQueue queue(CL_QUEUE_ON_DEVICE_DEFAULT, 1 << 20);
  const Program program = build(R"(
    kernel void k(global int* out, global int* failed) {
      int i = get_global_id(0);
      if (enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(3, 3), ^{
            atomic_add(&out[i], get_global_id(0) + i);
          }) != CLK_SUCCESS)
        atomic_inc(failed);
    })",
                                options);
  Buffer<cl_int> out(1000), failed(1);
  run(program, "k", {{1000}}, out, failed);
  EXPECT_EQ(failed.read()[0], 0);
  EXPECT_EQ(out.read(), tabulate<cl_int>(1000, [](size_t i) { return 3 * i + 3; }));
}

TEST_F(Enqueue, childrenEnqueueChildren) {
  const DeviceQueue queue;
  const Program program = build(R"(
    void last(global int* out) { atomic_add(out, 1000); }
    void third(queue_t q, global int* out) {
      atomic_add(out, 100);
      enqueue_kernel(q, CLK_ENQUEUE_FLAGS_WAIT_KERNEL, ndrange_1D(2), ^{ last(out); });
    }
    void second(queue_t q, global int* out) {
      atomic_add(out, 10);
      enqueue_kernel(q, CLK_ENQUEUE_FLAGS_WAIT_KERNEL, ndrange_1D(2), ^{ third(q, out); });
    }
    kernel void k(queue_t q, global int* out) {
      atomic_add(out, 1);
      enqueue_kernel(q, CLK_ENQUEUE_FLAGS_WAIT_KERNEL, ndrange_1D(2), ^{ second(q, out); });
    })",
                                options);
  Buffer<cl_int> out(1);
  for (int i = 0; i < 20; ++i) {
    run(program, "k", {{1}}, queue.handle(), out);
    // The command has ended with the last of its descendants.
    EXPECT_EQ(out.read()[0], (i + 1) * (1 + 2 * 10 + 4 * 100 + 8 * 1000));
  }
}

TEST_F(Enqueue, functionsEnqueueThemselves) {
  const DeviceQueue queue;
  const Program program = build(R"(
    void halve(global int* out, int begin, int end) {
      if (end - begin == 1) { out[begin] += begin; return; }
      int middle = begin + (end - begin) / 2;
      queue_t q = get_default_queue();
      enqueue_kernel(q, CLK_ENQUEUE_FLAGS_WAIT_KERNEL, ndrange_1D(1),
                     ^{ halve(out, begin, middle); });
      enqueue_kernel(q, CLK_ENQUEUE_FLAGS_WAIT_KERNEL, ndrange_1D(1),
                     ^{ halve(out, middle, end); });
    }
    kernel void k(global int* out, int count) { halve(out, 0, count); })",
                                options);
  Buffer<cl_int> out(3000);
  run(program, "k", {{1}}, out, cl_int(3000));
  EXPECT_EQ(out.read(), tabulate<cl_int>(3000, [](size_t i) { return i; }));
}

/// More than the runtime lets write records at a time.
TEST_F(Enqueue, manyParentsAtOnce) {
  const DeviceQueue queue;
  const Program program = build(R"(
    kernel void k(global int* out) {
      queue_t q = get_default_queue();
      for (int i = 0; i < 500; ++i)
        enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), ^{
          if (out[i] == 0)
            enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), ^{ out[i] = i + 1; });
        });
    })",
                                options);
  Buffer<cl_int> out(500);
  for (int i = 0; i < 2; ++i) {
    run(program, "k", {{1}}, out);
    EXPECT_EQ(out.read(), tabulate<cl_int>(500, [](size_t i) { return i + 1; }));
  }
}

TEST_F(Enqueue, queuesMayBeReleasedEarly) {
  const Program program = build(R"(
    kernel void k(queue_t q, global int* out) {
      enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), ^{
        out[0] += 1;
        enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), ^{ out[0] += 10; });
      });
    })",
                                options);
  Buffer<cl_int> out(1);
  Kernel kernel(program, "k");
  for (int i = 1; i <= 20; ++i) {
    {
      const DeviceQueue queue;
      kernel.setAll(queue.handle(), out);
      kernel.enqueue({{1}});
    }
    EXPECT_EQ(out.read()[0], 11 * i);
  }
}

TEST_F(Enqueue, waitListsAndMarkersOrder) {
  const DeviceQueue queue;
  const Program program = build(R"(
    kernel void k(global int* out) {
      queue_t q = get_default_queue();
      ndrange_t r = ndrange_1D(1);
      clk_event_t first, second, marker, third;
      out[6] = enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(10000), 0, 0, &first, ^{
        atomic_inc(&out[0]);
      });
      enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, r, 1, &first, &second, ^{ out[1] = out[0]; });
      clk_event_t both[2] = {first, second};
      enqueue_marker(q, 2, both, &marker);
      enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, r, 1, &marker, &third, ^{ out[2] = out[1] + 1; });
      enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, r, 1, &third, 0, ^{ out[3] = out[2] + 1; });
      release_event(first); release_event(second); release_event(marker); release_event(third);
    })",
                                options);
  for (int i = 0; i < 10; ++i) {
    Buffer<cl_int> out(7);
    run(program, "k", {{1}}, out);
    EXPECT_EQ(out.read(), (std::vector<cl_int>{10000, 10000, 10001, 10002, 0, 0, 0}));
  }
}

TEST_F(Enqueue, userEvents) {
  const DeviceQueue queue;
  const Program program = build(R"(
    kernel void k(global int* out) {
      queue_t q = get_default_queue();
      ndrange_t r = ndrange_1D(1);
      clk_event_t gate = create_user_event(), opened;
      out[3] = is_valid_event(gate);
      out[4] = is_valid_event(CLK_NULL_EVENT);
      enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, r, 1, &gate, 0, ^{ out[1] = out[0] + 1; });
      retain_event(gate);
      release_event(gate);
      enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, r, 0, 0, &opened, ^{
        out[0] = 41;
        set_user_event_status(gate, CL_COMPLETE);
        release_event(gate);
      });
      release_event(opened);
    }
    kernel void fails(global int* out) {
      queue_t q = get_default_queue();
      clk_event_t gate = create_user_event();
      enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), 1, &gate, 0, ^{ out[0] = 1; });
      set_user_event_status(gate, -5);
      release_event(gate);
      enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), ^{ out[1] = 1; });
    })",
                                options);
  Buffer<cl_int> out(5);
  run(program, "k", {{1}}, out);
  EXPECT_EQ(out.read(), (std::vector<cl_int>{41, 42, 0, 1, 0}));
  Buffer<cl_int> reached(2);
  run(program, "fails", {{1}}, reached);
  EXPECT_EQ(reached.read(), (std::vector<cl_int>{0, 1}));
}

TEST_F(Enqueue, timesOfChildren) {
  const DeviceQueue queue;
  const Program program = build(R"(
    kernel void k(global ulong* times, global int* out) {
      queue_t q = get_default_queue();
      clk_event_t done;
      enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), 0, 0, &done, ^{
        for (int i = 0; i < 100000; ++i) atomic_inc(out);
        enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1),
                       ^{ for (int i = 0; i < 100000; ++i) atomic_inc(out); });
      });
      capture_event_profiling_info(done, CLK_PROFILING_COMMAND_EXEC_TIME, times);
      release_event(done);
    })",
                                options);
  Buffer<cl_ulong> times(2);
  Buffer<cl_int> out(1);
  run(program, "k", {{1}}, times, out);
  const std::vector<cl_ulong> measured = times.read();
  EXPECT_GT(measured[0], 0u);
  // To the end of what the child enqueued.
  EXPECT_GT(measured[1], measured[0]);
}

/// Known to kernels that run afterwards, while they run.
TEST_F(Enqueue, timesOfEndedChildren) {
  const DeviceQueue queue;
  const Program program = build(R"(
    kernel void k(global ulong* times, global int* out) {
      queue_t q = get_default_queue();
      clk_event_t done;
      enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), 0, 0, &done, ^{
        for (int i = 0; i < 10000; ++i) atomic_inc(out);
      });
      enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), 1, &done, 0, ^{
        capture_event_profiling_info(done, CLK_PROFILING_COMMAND_EXEC_TIME, times);
        times[2] = times[0]; times[3] = times[1];
        release_event(done);
      });
    })",
                                options);
  Buffer<cl_ulong> times(4);
  Buffer<cl_int> out(1);
  run(program, "k", {{1}}, times, out);
  const std::vector<cl_ulong> measured = times.read();
  EXPECT_GT(measured[2], 0u);
  EXPECT_GE(measured[3], measured[2]);
}

/// Events of kernels do not keep a context whose queues on the device are gone.
TEST_F(Enqueue, unreleasedEventsKeepNothing) {
  const cl_device_id device = Device::get().id;
  cl_int code = CL_SUCCESS;
  const cl_context context = clCreateContext(nullptr, 1, &device, nullptr, nullptr, &code);
  check(code, "clCreateContext");
  std::promise<void> gone;
  check(
      clSetContextDestructorCallback(
          context,
          [](cl_context, void* promise) { static_cast<std::promise<void>*>(promise)->set_value(); },
          &gone),
      "clSetContextDestructorCallback");
  const cl_queue_properties properties[] = {
      CL_QUEUE_PROPERTIES, CL_QUEUE_ON_DEVICE | CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, 0};
  const cl_command_queue onDevice =
      clCreateCommandQueueWithProperties(context, device, properties, nullptr);
  const cl_command_queue queue =
      clCreateCommandQueueWithProperties(context, device, nullptr, nullptr);
  const char* source = R"(
    kernel void k(queue_t q) {
      clk_event_t gate = create_user_event(), done;
      enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), 1, &gate, &done, ^{});
      set_user_event_status(gate, 0);
    })";
  const cl_program program = clCreateProgramWithSource(context, 1, &source, nullptr, nullptr);
  check(clBuildProgram(program, 1, &device, options, nullptr, nullptr), "clBuildProgram");
  const cl_kernel kernel = clCreateKernel(program, "k", nullptr);
  check(clSetKernelArg(kernel, 0, sizeof(onDevice), &onDevice), "clSetKernelArg");
  const size_t one = 1;
  check(clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &one, nullptr, 0, nullptr, nullptr),
        "clEnqueueNDRangeKernel");
  check(clFinish(queue), "clFinish");
  clReleaseKernel(kernel);
  clReleaseProgram(program);
  clReleaseCommandQueue(queue);
  clReleaseCommandQueue(onDevice);
  clReleaseContext(context);
  EXPECT_EQ(gone.get_future().wait_for(std::chrono::minutes(1)), std::future_status::ready);
}

TEST_F(Enqueue, rangesOfWholeGroups) {
  const DeviceQueue queue;
  const char* source = R"(
    kernel void k(queue_t q, global int* out) {
      out[0] = enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(6, 4), ^{ out[1] = 1; });
    })";
  Buffer<cl_int> out(2);
  run(build(source, std::string(options) + " -cl-uniform-work-group-size"), "k", {{1}},
      queue.handle(), out);
  EXPECT_EQ(out.read(), (std::vector<cl_int>{-101, 0}));
  run(build(source, options), "k", {{1}}, queue.handle(), out);
  EXPECT_EQ(out.read(), (std::vector<cl_int>{0, 1}));
}

TEST_F(Enqueue, sizesOfBlocks) {
  const DeviceQueue queue;
  const Program program = build(R"(
    kernel void k(global uint* out) {
      void (^block)(void) = ^{ out[0] = get_max_sub_group_size(); out[1] = get_num_sub_groups(); };
      void (^other)(local void*) = ^(local void* p) { *(local int*)p = 1; };
      ndrange_t r = ndrange_1D(40, 40);
      out[2] = get_kernel_work_group_size(block);
      out[3] = get_kernel_preferred_work_group_size_multiple(block);
      out[4] = get_kernel_max_sub_group_size_for_ndrange(r, block);
      out[5] = get_kernel_sub_group_count_for_ndrange(r, block);
      out[6] = get_kernel_work_group_size(other);
      enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, r, block);
    })",
                                options);
  Buffer<cl_uint> out(7);
  run(program, "k", {{1}}, out);
  const std::vector<cl_uint> sizes = out.read();
  EXPECT_EQ(sizes[2], Device::get().maxWorkGroupSize());
  EXPECT_EQ(sizes[6], Device::get().maxWorkGroupSize());
  EXPECT_GE(sizes[3], 1u);
  EXPECT_EQ(sizes[4], sizes[0]);
  EXPECT_EQ(sizes[5], sizes[1]);
}

constexpr const char* wrong = R"(
  kernel void k(queue_t q, global int* out) {
    void (^block)(void) = ^{ out[9] = 1; };
    void (^local_block)(local void*) = ^(local void* p) { *(local int*)p = 1; };
    ndrange_t r = ndrange_1D(1);
    queue_t none = CLK_NULL_QUEUE;
    clk_event_t null = CLK_NULL_EVENT;
    out[0] = enqueue_kernel(none, CLK_ENQUEUE_FLAGS_NO_WAIT, r, block);
    out[1] = enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1 << 20, 1 << 20), block);
    out[2] = enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, r, 1, &null, 0, block);
    out[3] = enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, r, local_block, 0);
    out[4] = enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, r, local_block, 1 << 30);
    int code = 0, count = 0;
    while (code == 0 && count < 100000) {
      code = enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, r, ^{ atomic_inc(&out[7]); });
      ++count;
    }
    out[5] = code;
    out[6] = count - 1;
    clk_event_t gate = create_user_event(), marker;
    out[8] = enqueue_marker(none, 1, &gate, &marker);
    out[10] = enqueue_marker(q, 0, 0, &marker);
    release_event(gate);
  })";

TEST_F(Enqueue, errors) {
  const DeviceQueue queue(0, 16 * 1024);
  for (const bool tells : {false, true}) {
    const Program program = build(wrong, std::string(options) + (tells ? " -g" : ""));
    Buffer<cl_int> out(11);
    run(program, "k", {{1}}, queue.handle(), out);
    const std::vector<cl_int> codes = out.read();
    const auto code = [tells](cl_int exact) { return tells ? exact : -101; };
    EXPECT_EQ(codes[0], code(-102));
    EXPECT_EQ(codes[1], code(-160));
    EXPECT_EQ(codes[2], code(-57));
    EXPECT_EQ(codes[3], code(-51));
    EXPECT_EQ(codes[4], code(-5));
    EXPECT_EQ(codes[5], code(-161));
    EXPECT_GE(codes[6], 32);
    // Those that were accepted have run.
    EXPECT_EQ(codes[7], codes[6]);
    EXPECT_EQ(codes[8], -101);
    EXPECT_EQ(codes[10], -101);
    EXPECT_EQ(codes[9], 0);
  }
}

TEST_F(Enqueue, withoutDefaultQueue) {
  const Program program = build(R"(
    kernel void k(global int* out) {
      out[0] = enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1),
                              ^{ out[1] = 1; });
    })",
                                options);
  Buffer<cl_int> out(2);
  run(program, "k", {{1}}, out);
  EXPECT_EQ(out.read(), (std::vector<cl_int>{-101, 0}));
}

TEST_F(Enqueue, blocksAreNoKernelsOfTheProgram) {
  const Program program = build(R"(
    kernel void k(queue_t q, global int* out) {
      enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), ^{ out[1] = 1; });
    })",
                                options);
  size_t count = 0;
  check(clGetProgramInfo(program.handle(), CL_PROGRAM_NUM_KERNELS, sizeof(count), &count, nullptr),
        "clGetProgramInfo");
  EXPECT_EQ(count, 1u);
  char names[64] = {};
  check(clGetProgramInfo(program.handle(), CL_PROGRAM_KERNEL_NAMES, sizeof(names), names, nullptr),
        "clGetProgramInfo");
  EXPECT_STREQ(names, "k");
  cl_int code = CL_SUCCESS;
  EXPECT_EQ(clCreateKernel(program.handle(), "__k_block_invoke_kernel", &code), nullptr);
  EXPECT_EQ(code, CL_INVALID_KERNEL_NAME);
}

TEST_F(Enqueue, fromABinary) {
  const DeviceQueue queue;
  const Program source = build(R"(
    kernel void k(queue_t q, global int* out) {
      enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(8), ^{ out[get_global_id(0)] = 3; });
    })",
                               options);
  const Program program = fromBinary(source.binary());
  Buffer<cl_int> out(8);
  run(program, "k", {{1}}, queue.handle(), out);
  EXPECT_EQ(out.read(), std::vector<cl_int>(8, 3));
}

/// What the program waits for, and what comes next in its queue, come after all descendants.
TEST_F(Enqueue, failsWithItsChildren) {
  const DeviceQueue queue;
  const Program program = build(R"(
    kernel void k(global int* out, int status) {
      clk_event_t gate = create_user_event();
      enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), 1, &gate, 0, ^{ out[0] = 1; });
      set_user_event_status(gate, status);
      release_event(gate);
    })",
                                options);
  Kernel kernel(program, "k");
  for (const cl_int status : {CL_COMPLETE, CL_OUT_OF_RESOURCES}) {
    Buffer<cl_int> out(1);
    kernel.setAll(out, status);
    cl_event event = nullptr;
    const size_t one = 1;
    check(clEnqueueNDRangeKernel(Device::get().queue, kernel.handle(), 1, nullptr, &one, nullptr, 0,
                                 nullptr, &event),
          "clEnqueueNDRangeKernel");
    const bool hasEnded = clWaitForEvents(1, &event) == CL_SUCCESS;
    EXPECT_EQ(hasEnded, status == CL_COMPLETE);
    EXPECT_EQ(out.read()[0], hasEnded ? 1 : 0);
    clReleaseEvent(event);
  }
}

TEST_F(Enqueue, hostSeesTheLastChildsEnd) {
  const DeviceQueue queue;
  const Program program = build(R"(
    kernel void start(queue_t q, global int* out) {
      enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(64), ^{
        for (int i = 0; i < 1000; ++i) atomic_inc(out);
      });
    }
    kernel void next(global int* out) { out[1] = out[0]; })",
                                options);
  Buffer<cl_int> out(2);
  Kernel start(program, "start"), next(program, "next");
  start.setAll(queue.handle(), out);
  next.setAll(out);
  for (int i = 1; i <= 30; ++i) {
    start.enqueue({{1}});
    next.enqueue({{1}});
    EXPECT_EQ(out.read(), (std::vector<cl_int>{64000 * i, 64000 * i}));
  }
}

} // namespace
} // namespace quern::tests
