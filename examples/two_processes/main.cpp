// two_processes: one process computes numbers, another one adds them up.
//
// Shows: buffers of memory that processes share, and semaphores by which the device of each waits
// for that of the other. In the loop no process waits for anything: both enqueue all their rounds
// at once.
#include "sharing.h"

#include <chrono>
#include <sys/wait.h>

namespace {

/// One of the two processes, with what it needs of OpenCL.
struct Side {
  explicit Side(const gallery::CommandLine& line)
      : device(gallery::chooseDevice(line)), functions(gallery::choosePlatform(line)),
        context(device), queue(context, device),
        program(gallery::buildProgram(context, device, "two_processes.cl")) {}

  void acquire(const cl::Buffer& buffer) const {
    check(functions.acquire(queue(), 1, &buffer(), 0, nullptr, nullptr),
          "clEnqueueAcquireExternalMemObjectsKHR");
  }
  void giveBack(const cl::Buffer& buffer) const {
    check(functions.giveBack(queue(), 1, &buffer(), 0, nullptr, nullptr),
          "clEnqueueReleaseExternalMemObjectsKHR");
  }

  cl::Device device;
  SharingFunctions functions;
  cl::Context context;
  cl::CommandQueue queue;
  cl::Program program;
};

struct Work {
  size_t count;
  cl_uint rounds;

  size_t bytes() const { return count * sizeof(cl_uint); }
};

/// Computes numbers in each round, when those of the round before have been added.
class Producer {
public:
  Producer(const gallery::CommandLine& line, const Work& work, int numbers)
      : side_(line), work_(work), filled_(side_.functions, side_.context),
        taken_(side_.functions, side_.context),
        numbers_(importBuffer(side_.context, numbers, work.bytes())),
        kernel_(side_.program, "produce") {}

  void invite(int socket) const {
    for (const Semaphore* semaphore : {&filled_, &taken_}) {
      const int file = semaphore->exported(side_.device);
      send(socket, file);
      close(file);
    }
  }
  void run() {
    kernel_.setArg(0, numbers_);
    for (cl_uint round = 0; round < work_.rounds; ++round) {
      if (round > 0)
        taken_.enqueueWait(side_.queue);
      side_.acquire(numbers_);
      kernel_.setArg(1, round);
      side_.queue.enqueueNDRangeKernel(kernel_, cl::NullRange, cl::NDRange(work_.count));
      side_.giveBack(numbers_);
      filled_.enqueueSignal(side_.queue);
    }
    taken_.enqueueWait(side_.queue);
    side_.queue.finish();
  }

private:
  Side side_;
  Work work_;
  Semaphore filled_, taken_;
  cl::Buffer numbers_;
  cl::Kernel kernel_;
};

bool canShare(const cl::Device& device) {
  const std::string extensions = device.getInfo<CL_DEVICE_EXTENSIONS>();
  return extensions.find("cl_khr_external_memory_opaque_fd") != std::string::npos &&
         extensions.find("cl_khr_external_semaphore_opaque_fd") != std::string::npos;
}

/// Adds the numbers of each round to the sums.
void consume(const gallery::CommandLine& line, const Work& work, int socket, int numbersFile,
             int sumsFile) {
  const Side side(line);
  const Semaphore filled(side.functions, side.context, receive(socket));
  const Semaphore taken(side.functions, side.context, receive(socket));
  const cl::Buffer numbers = importBuffer(side.context, numbersFile, work.bytes());
  const cl::Buffer sums = importBuffer(side.context, sumsFile, work.bytes());
  cl::Kernel kernel(side.program, "consume");
  kernel.setArg(0, numbers);
  kernel.setArg(1, sums);
  side.acquire(sums);
  for (cl_uint round = 0; round < work.rounds; ++round) {
    filled.enqueueWait(side.queue);
    side.acquire(numbers);
    kernel.setArg(2, cl_uint{round == 0});
    side.queue.enqueueNDRangeKernel(kernel, cl::NullRange, cl::NDRange(work.count));
    side.giveBack(numbers);
    if (round + 1 == work.rounds)
      side.giveBack(sums);
    taken.enqueueSignal(side.queue);
  }
  side.queue.finish();
}

std::vector<cl_uint> expectedSums(const Work& work) {
  cl_uint squares = 0;
  for (cl_uint round = 0; round < work.rounds; ++round)
    squares += round * round;
  std::vector<cl_uint> sums(work.count);
  for (size_t i = 0; i < sums.size(); ++i)
    sums[i] = work.rounds * (static_cast<cl_uint>(i) * 2654435761u) + squares;
  return sums;
}

std::vector<cl_uint> read(int file, const Work& work) {
  std::vector<cl_uint> values(work.count);
  if (pread(file, values.data(), work.bytes(), 0) != static_cast<ssize_t>(work.bytes()))
    throw std::runtime_error("the shared memory cannot be read");
  return values;
}

void produceAndReport(const gallery::CommandLine& line, const Work& work, int socket, int numbers,
                      int sums, gallery::Report& report) {
  Producer producer(line, work, dup(numbers));
  producer.invite(socket);
  const auto start = std::chrono::steady_clock::now();
  producer.run();
  const double seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  report.add("", std::to_string(work.count) + " x " + std::to_string(work.rounds), seconds,
             gallery::rate(work.rounds / seconds, "round/s"),
             gallery::equal(read(sums, work), expectedSums(work)));
}

} // namespace

int main(int argc, char** argv) try {
  const gallery::CommandLine line(
      argc, argv, "Numbers computed by one process and added by another.",
      {{"size", "64Ki", "numbers in a round"}, {"rounds", "1000", "rounds", "200"}});
  const Work work = {line.number("size"), static_cast<cl_uint>(line.number("rounds"))};
  const int numbers = makeSharedMemory(work.bytes()), sums = makeSharedMemory(work.bytes());
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
    throw std::runtime_error("the system gives no sockets");
  // Before anything of OpenCL: its objects and threads are those of one process.
  const pid_t child = fork();
  if (child == 0) {
    close(ends[0]);
    if (canShare(gallery::chooseDevice(line)))
      consume(line, work, ends[1], numbers, sums);
    return 0;
  }
  close(ends[1]);
  const cl::Device device = gallery::chooseDevice(line);
  gallery::Report report(line, "two_processes", device.getInfo<CL_DEVICE_NAME>());
  if (!canShare(device))
    report.skip("", "the device shares nothing with other processes");
  else
    produceAndReport(line, work, ends[0], numbers, sums, report);
  close(ends[0]);
  int status = 0;
  waitpid(child, &status, 0);
  return report.exitCode();
} catch (const std::exception& error) {
  return gallery::failure(error);
}
