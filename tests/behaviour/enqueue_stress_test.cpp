// Much at once of what kernels do for each other: trees of kernels that enqueue kernels, from
// several threads of the program, full queues on the device, pipes with many kernels at both ends,
// and buffers and queues that are released while they are in use. With --gtest_repeat=2000 this
// takes about ten minutes on two cores.
#include "kernels/kernel_fixture.h"

#include <thread>

namespace quern::tests {
namespace {

constexpr const char* options = "-cl-std=CL3.0";

constexpr int rounds = 5;

/// Owns a queue of the program or, with CL_QUEUE_ON_DEVICE, of kernels.
class Queue {
public:
  explicit Queue(cl_command_queue_properties properties, cl_uint bytes = 0) {
    const cl_queue_properties list[] = {CL_QUEUE_PROPERTIES, properties,
                                        bytes ? cl_queue_properties{CL_QUEUE_SIZE} : 0, bytes, 0};
    cl_int code = CL_SUCCESS;
    handle_ =
        clCreateCommandQueueWithProperties(Device::get().context, Device::get().id, list, &code);
    check(code, "clCreateCommandQueueWithProperties");
  }
  Queue(const Queue&) = delete;
  Queue& operator=(const Queue&) = delete;
  ~Queue() { clReleaseCommandQueue(handle_); }
  cl_command_queue handle() const { return handle_; }

  void run(const Kernel& kernel, size_t items) const {
    check(clEnqueueNDRangeKernel(handle_, kernel.handle(), 1, nullptr, &items, nullptr, 0, nullptr,
                                 nullptr),
          "clEnqueueNDRangeKernel");
  }
  void finish() const { check(clFinish(handle_), "clFinish"); }

private:
  cl_command_queue handle_ = nullptr;
};

constexpr cl_command_queue_properties onDevice =
    CL_QUEUE_ON_DEVICE | CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE;

class EnqueueStress : public testing::Test {
protected:
  void SetUp() override { QUERN_NEEDS("__opencl_c_device_enqueue"); }
};

constexpr const char* treeSource = R"(
  void grow(queue_t q, global int* leaves, int depth) {
    if (depth == 0) { atomic_inc(leaves); return; }
    ndrange_t r = ndrange_1D(1);
    clk_event_t gate = create_user_event(), first, both;
    enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, r, 1, &gate, &first,
                   ^{ grow(q, leaves, depth - 1); });
    enqueue_kernel(q, CLK_ENQUEUE_FLAGS_WAIT_KERNEL, ndrange_1D(2),
                   ^{ grow(q, leaves, depth - 1); });
    clk_event_t waited[2] = {gate, first};
    enqueue_marker(q, 2, waited, &both);
    enqueue_kernel(q, CLK_ENQUEUE_FLAGS_WAIT_WORK_GROUP, r, 1, &both, 0, ^{ atomic_inc(leaves + 1); });
    release_event(first);
    release_event(both);
    set_user_event_status(gate, CL_COMPLETE);
    release_event(gate);
  }
  kernel void tree(queue_t q, global int* leaves, int depth) { grow(q, leaves, depth); })";

TEST_F(EnqueueStress, treesOfSeveralThreads) {
  static constexpr cl_int depth = 5;
  const Program program = build(treeSource, options);
  const auto work = [&program] {
    for (int i = 0; i < rounds; ++i) {
      const Queue queue(i % 2 ? CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE : 0);
      Buffer<cl_int> leaves(2);
      {
        const Queue children(onDevice);
        Kernel kernel(program, "tree");
        kernel.setAll(children.handle(), leaves, depth);
        queue.run(kernel, 2);
      }
      queue.finish();
      // 3^depth leaves, and one more kernel for each tree that is none, of both work-items.
      EXPECT_EQ(leaves.read(), (std::vector<cl_int>{2 * 243, 2 * (1 + 3 + 9 + 27 + 81)}));
    }
  };
  std::thread other(work);
  work();
  other.join();
}

TEST_F(EnqueueStress, fullQueues) {
  const Program program = build(R"(
    kernel void k(queue_t q, global int* counts) {
      while (enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1),
                            ^{ atomic_inc(counts); }) == CLK_SUCCESS)
        atomic_inc(counts + 1);
    })",
                                options);
  for (int i = 0; i < rounds; ++i) {
    const Queue children(onDevice, 16 << 10), queue(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
    Buffer<cl_int> counts(2);
    Kernel kernel(program, "k");
    kernel.setAll(children.handle(), counts);
    for (int launch = 0; launch < 8; ++launch)
      queue.run(kernel, 64);
    queue.finish();
    const std::vector<cl_int> counted = counts.read();
    EXPECT_GT(counted[0], 8 * 16);
    EXPECT_EQ(counted[0], counted[1]);
  }
}

TEST(PipeStress, manyKernelsAtBothEnds) {
  QUERN_NEEDS("__opencl_c_pipes");
  constexpr size_t kernels = 32, items = 1000;
  constexpr cl_uint capacity = 256;
  const Program program = build(R"(
    kernel void produce(write_only pipe int p, global int* sent) {
      int x = get_global_id(0) + 1;
      if (write_pipe(p, &x) == 0) atomic_add(sent, x);
    }
    kernel void consume(read_only pipe int p, global int* received) {
      int x;
      if (read_pipe(p, &x) == 0) atomic_add(received, x);
    })",
                                options);
  const Queue queue(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
  for (int i = 0; i < rounds; ++i) {
    cl_int code = CL_SUCCESS;
    const cl_mem pipe = clCreatePipe(Device::get().context, CL_MEM_READ_WRITE, sizeof(cl_int),
                                     capacity, nullptr, &code);
    check(code, "clCreatePipe");
    Buffer<cl_int> sent(1), received(1);
    {
      Kernel produce(program, "produce"), consume(program, "consume");
      produce.setAll(pipe, sent);
      consume.setAll(pipe, received);
      for (size_t k = 0; k < kernels; ++k) {
        queue.run(produce, items);
        queue.run(consume, items);
      }
      queue.finish();
      queue.run(consume, capacity);
    }
    // Commands keep it.
    clReleaseMemObject(pipe);
    queue.finish();
    EXPECT_GT(sent.read()[0], 0);
    EXPECT_EQ(sent.read(), received.read());
  }
}

} // namespace
} // namespace quern::tests
