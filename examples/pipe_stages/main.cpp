// pipe_stages: two kernels that are connected by a pipe.
//
// Shows: a pipe, packets that each work-item writes and reads for itself, and reservations of a
// work-group for the packets of all its work-items. The second kernel takes packets until there are
// none, so that all its work-items have something to do, however few packets were sent.
#include "gallery.h"

namespace {

class Primes {
public:
  Primes(const cl::Context& context, const cl::Device& device, size_t count)
      : queue_(context, device),
        program_(gallery::buildProgram(context, device, "primes.cl", "-cl-std=CL3.0")),
        count_(count), takers_(64 * groupItems * device.getInfo<CL_DEVICE_MAX_COMPUTE_UNITS>()),
        candidates_(context, sizeof(cl_uint), static_cast<cl_uint>(count)),
        isPrime_(context, CL_MEM_READ_WRITE, first + count) {}

  void withoutPipe() {
    cl::KernelFunctor<cl::Buffer, cl_uint> both(program_, "both_stages");
    both(cl::EnqueueArgs(queue_, cl::NDRange(count_), cl::NDRange(groupItems)), isPrime_, first);
  }
  void itemByItem() { inStages("sift", "test"); }
  void groupByGroup() { inStages("sift_groups", "test_groups"); }

  /// What the last run found out about `first` and those after it.
  std::vector<cl_uchar> read() {
    std::vector<cl_uchar> isPrime(count_);
    queue_.enqueueReadBuffer(isPrime_, CL_TRUE, first, count_, isPrime.data());
    return isPrime;
  }

  static std::vector<cl_uchar> onTheHost(size_t count) {
    std::vector<cl_uchar> isPrime(first + count, 1);
    for (size_t n = 2; n * n < isPrime.size(); ++n)
      if (isPrime[n])
        for (size_t multiple = n * n; multiple < isPrime.size(); multiple += n)
          isPrime[multiple] = 0;
    return {isPrime.begin() + first, isPrime.end()};
  }

private:
  /// Above the small divisors, which are prime.
  static constexpr cl_uint first = 8;
  static constexpr size_t groupItems = 64;

  void inStages(const char* sift, const char* test) {
    queue_.enqueueFillBuffer(isPrime_, cl_uchar{0}, 0, first + count_);
    cl::KernelFunctor<cl::Pipe, cl_uint> send(program_, sift);
    cl::KernelFunctor<cl::Pipe, cl::Buffer> take(program_, test);
    send(cl::EnqueueArgs(queue_, cl::NDRange(count_), cl::NDRange(groupItems)), candidates_, first);
    take(cl::EnqueueArgs(queue_, cl::NDRange(takers_), cl::NDRange(groupItems)), candidates_,
         isPrime_);
  }

  cl::CommandQueue queue_;
  cl::Program program_;
  size_t count_;
  size_t takers_;
  cl::Pipe candidates_;
  cl::Buffer isPrime_;
};

} // namespace

int main(int argc, char** argv) try {
  const gallery::CommandLine line(argc, argv, "Finds primes with two kernels and a pipe.",
                                  {{"size", "4Mi", "numbers to look at", "1Mi"}});
  const cl::Device device = gallery::chooseDevice(line);
  gallery::Report report(line, "pipe_stages", device.getInfo<CL_DEVICE_NAME>());
  if (!device.getInfo<CL_DEVICE_PIPE_SUPPORT>()) {
    report.skip("pipe", "the device has no pipes");
    return report.exitCode();
  }
  const cl::Context context(device);
  const size_t count = gallery::roundUp(line.number("size"), 64);
  const std::vector<cl_uchar> expected = Primes::onTheHost(count);
  Primes primes(context, device, count);

  const auto measure = [&](const char* name, void (Primes::*run)()) {
    std::vector<cl_uchar> isPrime;
    const double seconds = gallery::medianSeconds(line.number("repeat"), [&] {
      (primes.*run)();
      isPrime = primes.read();
    });
    report.add(name, std::to_string(count), seconds, gallery::rate(count / seconds, "number/s"),
               gallery::equal(isPrime, expected));
  };
  measure("without a pipe", &Primes::withoutPipe);
  measure("pipe, item by item", &Primes::itemByItem);
  measure("pipe, group by group", &Primes::groupByGroup);
  return report.exitCode();
} catch (const std::exception& error) {
  return gallery::failure(error);
}
