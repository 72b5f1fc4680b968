// task_graph: several kernels at once, in an order that events decide.
//
// Shows: an out-of-order queue, tasks (clEnqueueTask), event wait lists, markers and barriers, user
// events, callbacks, the status of a command whose prerequisite failed, and two queues that wait
// for each other. Nothing here sleeps or polls: the host waits for an event, or for a callback that
// fulfils a promise.
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS // clEnqueueTask
#include "gallery.h"

#include <chrono>
#include <future>
#include <tuple>

namespace {

/// The device's queue and the kernels of tasks.cl; a kernel object keeps its arguments, so each
/// task takes a new one.
struct Tasks {
  cl::Context context;
  cl::Device device;
  cl::Program program;
  cl::CommandQueue queue;

  cl::Buffer cells(size_t count) const {
    std::vector<cl_int> zeros(count, 0);
    return cl::Buffer(context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, count * sizeof(cl_int),
                      zeros.data());
  }

  /// Enqueues the kernel as a task that starts once all of `after` are complete.
  template <typename... Arguments>
  cl::Event enqueue(const char* name, const std::vector<cl::Event>& after,
                    const Arguments&... arguments) const {
    cl::Kernel kernel(program, name);
    cl_uint index = 0;
    (kernel.setArg(index++, arguments), ...);
    cl::Event done;
    queue.enqueueTask(kernel, after.empty() ? nullptr : &after, &done);
    return done;
  }

  cl_int read(const cl::Buffer& buffer, const std::vector<cl::Event>& after) const {
    cl_int value = -1;
    queue.enqueueReadBuffer(buffer, CL_TRUE, 0, sizeof value, &value, &after);
    return value;
  }
};

gallery::Check equals(cl_int actual, cl_int expected) {
  return gallery::equal(std::vector<cl_int>{actual}, std::vector<cl_int>{expected});
}

/// Two branches that start from one task and meet in another: only the wait lists give the order.
gallery::Check diamond(const Tasks& tasks) {
  const cl::Buffer left = tasks.cells(1);
  const cl::Buffer right = tasks.cells(1);
  const cl::Buffer result = tasks.cells(1);
  const cl::Event a = tasks.enqueue("store", {}, left, 3);
  const cl::Event b = tasks.enqueue("store", {}, right, 4);
  const cl::Event aMore = tasks.enqueue("add_to", {a}, left, 39);
  const cl::Event bMore = tasks.enqueue("add_to", {b}, right, 20);
  const cl::Event end = tasks.enqueue("combine", {aMore, bMore}, left, right, result);
  return equals(tasks.read(result, {end}), 42 * 1000 + 24);
}

/// Many independent tasks, a barrier, and a task that needs them all without naming them.
gallery::Check barrier(const Tasks& tasks) {
  constexpr cl_int count = 64;
  const cl::Buffer cells = tasks.cells(count);
  const cl::Buffer sum = tasks.cells(1);
  std::vector<cl_int> squares(count);
  for (cl_int i = 0; i < count; ++i)
    squares[i] = i;
  tasks.queue.enqueueWriteBuffer(cells, CL_FALSE, 0, count * sizeof(cl_int), squares.data());
  tasks.queue.enqueueBarrierWithWaitList();
  cl::Kernel square(tasks.program, "square_all");
  square.setArg(0, cells);
  for (cl_int i = 0; i < count;
       ++i) // one work-item each, so that there is something to run side by side
    tasks.queue.enqueueNDRangeKernel(square, cl::NDRange(i), cl::NDRange(1));
  tasks.queue.enqueueBarrierWithWaitList();
  const cl::Event end = tasks.enqueue("sum_cells", {}, cells, count, sum);
  return equals(tasks.read(sum, {end}), (count - 1) * count * (2 * count - 1) / 6);
}

/// A marker stands for the commands of its wait list: one event to wait for instead of three.
gallery::Check marker(const Tasks& tasks) {
  const cl::Buffer cell = tasks.cells(1);
  const cl::Event one = tasks.enqueue("store", {}, cell, 1);
  const cl::Event two = tasks.enqueue("add_to", {one}, cell, 10);
  const cl::Event three = tasks.enqueue("add_to", {two}, cell, 100);
  const std::vector<cl::Event> all = {one, two, three};
  cl::Event reached;
  tasks.queue.enqueueMarkerWithWaitList(&all, &reached);
  reached.wait();
  const bool complete = three.getInfo<CL_EVENT_COMMAND_EXECUTION_STATUS>() == CL_COMPLETE;
  const gallery::Check value = equals(tasks.read(cell, {reached}), 111);
  return complete ? value : gallery::holds(false, "the marker's commands are complete when it is");
}

/// The host decides when the commands may start.
gallery::Check userEvent(const Tasks& tasks) {
  const cl::Buffer cell = tasks.cells(1);
  cl::UserEvent go(tasks.context);
  const cl::Event first = tasks.enqueue("store", {go}, cell, 5);
  const cl::Event second = tasks.enqueue("add_to", {first}, cell, 6);
  tasks.queue.flush();
  if (second.getInfo<CL_EVENT_COMMAND_EXECUTION_STATUS>() == CL_COMPLETE)
    return gallery::holds(false, "nothing runs before the user event is set");
  go.setStatus(CL_COMPLETE);
  return equals(tasks.read(cell, {second}), 11);
}

/// OpenCL calls back on a thread of its own when a command completes or fails. The callback owns
/// the promise that it fulfils, so it may come late. Returns the status that it was given.
cl_int statusFromCallback(const Tasks& tasks, cl::Event& event,
                          const std::function<void()>& meanwhile) {
  auto* promise = new std::promise<cl_int>;
  std::future<cl_int> status = promise->get_future();
  event.setCallback(
      CL_COMPLETE,
      [](cl_event, cl_int status, void* data) {
        auto* promise = static_cast<std::promise<cl_int>*>(data);
        promise->set_value(status);
        delete promise;
      },
      promise);
  tasks.queue.flush();
  meanwhile();
  if (status.wait_for(std::chrono::seconds(10)) != std::future_status::ready)
    throw std::runtime_error("no callback came in ten seconds");
  return status.get();
}

gallery::Check callback(const Tasks& tasks) {
  const cl::Buffer cell = tasks.cells(1);
  cl::Event done = tasks.enqueue("store", {}, cell, 7);
  if (statusFromCallback(tasks, done, [] {}) != CL_COMPLETE)
    return gallery::holds(false, "the status is CL_COMPLETE");
  return equals(tasks.read(cell, {done}), 7);
}

/// A negative status travels along the wait lists: the command does not run, and its event says so.
gallery::Check failedPrerequisite(const Tasks& tasks) {
  const cl::Buffer cell = tasks.cells(1);
  cl::UserEvent go(tasks.context);
  cl::Event dependent = tasks.enqueue("store", {go}, cell, 8);
  if (statusFromCallback(tasks, dependent, [&] { go.setStatus(-1); }) >= 0)
    return gallery::holds(false, "a command after a failed one reports a negative status");
  return equals(tasks.read(cell, {}), 0);
}

/// Two in-order queues hand a value back and forth; each waits for the other's event.
gallery::Check twoQueues(const Tasks& tasks) {
  const cl::Buffer cell = tasks.cells(1);
  Tasks ping = tasks;
  Tasks pong = tasks;
  ping.queue = cl::CommandQueue(tasks.context, tasks.device);
  pong.queue = cl::CommandQueue(tasks.context, tasks.device);
  cl::Event last = ping.enqueue("store", {}, cell, 0);
  ping.queue.flush();
  for (cl_int round = 0; round < 100; ++round) {
    const Tasks& turn = round % 2 ? ping : pong;
    last = turn.enqueue("add_to", {last}, cell, round);
    turn.queue.flush(); // the other queue will wait for this event, so it must be on its way
  }
  return equals(ping.read(cell, {last}), 99 * 100 / 2);
}

} // namespace

int main(int argc, char** argv) try {
  const gallery::CommandLine line(argc, argv,
                                  "Kernels as tasks in an out-of-order queue, ordered by events.");
  const cl::Device device = gallery::chooseDevice(line);
  const cl::Context context(device);
  const bool outOfOrder =
      device.getInfo<CL_DEVICE_QUEUE_ON_HOST_PROPERTIES>() & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE;
  const Tasks tasks{
      context, device, gallery::buildProgram(context, device, "tasks.cl"),
      cl::CommandQueue(context, device, outOfOrder ? CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE : 0)};
  std::printf("The queue runs commands %s.\n", outOfOrder ? "out of order" : "in order");

  gallery::Report report(line, "task_graph", device.getInfo<CL_DEVICE_NAME>());
  const std::vector<std::tuple<const char*, const char*, gallery::Check (*)(const Tasks&)>> parts =
      {
          {"wait lists", "5 tasks", diamond},
          {"barriers", "65 tasks", barrier},
          {"marker", "3 tasks", marker},
          {"user event", "2 tasks", userEvent},
          {"callback", "1 task", callback},
          {"failed prerequisite", "1 task", failedPrerequisite},
          {"two queues", "101 tasks", twoQueues},
  };
  for (const auto& [name, size, part] : parts) {
    try {
      gallery::Check check;
      const double seconds =
          gallery::medianSeconds(line.number("repeat"), [&, part = part] { check = part(tasks); });
      report.add(name, size, seconds, "", check);
    } catch (const std::exception& error) {
      report.add(name, size, 0, "", {false, error.what()});
    }
  }
  return report.exitCode();
} catch (const std::exception& error) {
  return gallery::failure(error);
}
