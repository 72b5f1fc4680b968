// histogram: how often each value occurs, without atomics, with atomics on global and with atomics
// on local memory.
//
// Shows: what many work-items that count in the same place cost, with few counters (32) and with
// many (1,024).
#include "gallery.h"

namespace {

class Histogram {
public:
  Histogram(const cl::Context& context, const cl::Device& device, const cl::Program& program,
            std::vector<cl_int>& values, size_t bins)
      : queue_(context, device), program_(program), count_(static_cast<cl_uint>(values.size())),
        bins_(static_cast<cl_uint>(bins)),
        groups_(8 * device.getInfo<CL_DEVICE_MAX_COMPUTE_UNITS>()),
        values_(context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, values.size() * sizeof(cl_int),
                values.data()),
        histogram_(context, CL_MEM_READ_WRITE, bins * sizeof(cl_uint)),
        rows_(context, CL_MEM_READ_WRITE, groups_ * rowsPerGroup * bins * sizeof(cl_uint)) {}

  /// Each work-item has a row of counters of its own; a second kernel adds the rows.
  void withoutAtomics() {
    const cl_uint items = static_cast<cl_uint>(groups_ * rowsPerGroup);
    queue_.enqueueFillBuffer(rows_, cl_uint{0}, 0, items * bins_ * sizeof(cl_uint));
    cl::KernelFunctor<cl::Buffer, cl_uint, cl::Buffer, cl_uint> count(program_, "count_rows");
    cl::KernelFunctor<cl::Buffer, cl_uint, cl::Buffer, cl_uint> merge(program_, "merge_rows");
    count(cl::EnqueueArgs(queue_, cl::NDRange(items), cl::NDRange(rowsPerGroup)), values_, count_,
          rows_, bins_);
    merge(cl::EnqueueArgs(queue_, cl::NDRange(bins_)), rows_, items, histogram_, bins_);
  }

  void globalAtomics() {
    queue_.enqueueFillBuffer(histogram_, cl_uint{0}, 0, bins_ * sizeof(cl_uint));
    cl::KernelFunctor<cl::Buffer, cl_uint, cl::Buffer> count(program_, "count_atomic");
    count(cl::EnqueueArgs(queue_, cl::NDRange(groups_ * localSize), cl::NDRange(localSize)),
          values_, count_, histogram_);
  }

  void localAtomics() {
    queue_.enqueueFillBuffer(histogram_, cl_uint{0}, 0, bins_ * sizeof(cl_uint));
    cl::KernelFunctor<cl::Buffer, cl_uint, cl::Buffer, cl_uint, cl::LocalSpaceArg> count(
        program_, "count_local_atomic");
    count(cl::EnqueueArgs(queue_, cl::NDRange(groups_ * localSize), cl::NDRange(localSize)),
          values_, count_, histogram_, bins_, cl::Local(bins_ * sizeof(cl_uint)));
  }

  std::vector<cl_uint> read() {
    std::vector<cl_uint> counts(bins_);
    queue_.enqueueReadBuffer(histogram_, CL_TRUE, 0, bins_ * sizeof(cl_uint), counts.data());
    return counts;
  }

private:
  static constexpr size_t localSize = 64;
  static constexpr size_t rowsPerGroup = 16;
  cl::CommandQueue queue_;
  cl::Program program_;
  cl_uint count_, bins_;
  size_t groups_;
  cl::Buffer values_, histogram_, rows_;
};

} // namespace

int main(int argc, char** argv) try {
  const gallery::CommandLine line(argc, argv, "Counts how often each value occurs, in three ways.",
                                  {{"size", "16Mi", "values to count", "4Mi"},
                                   {"bins", "32,1024", "different values, one number or several"}});
  const cl::Device device = gallery::chooseDevice(line);
  const cl::Context context(device);
  const cl::Program program = gallery::buildProgram(context, device, "histogram.cl");
  const size_t count = line.number("size");
  gallery::Report report(line, "histogram", device.getInfo<CL_DEVICE_NAME>());

  for (const size_t bins : line.numbers("bins")) {
    std::vector<cl_int> values = gallery::randomInts(count, static_cast<cl_int>(bins), 1);
    std::vector<cl_uint> expected(bins);
    for (const cl_int value : values)
      ++expected[static_cast<size_t>(value)];
    Histogram histogram(context, device, program, values, bins);

    const auto measure = [&](const char* name, void (Histogram::*run)()) {
      std::vector<cl_uint> counts;
      const double seconds = gallery::medianSeconds(line.number("repeat"), [&] {
        (histogram.*run)();
        counts = histogram.read();
      });
      report.add(std::string(name) + ", " + std::to_string(bins) + " bins", std::to_string(count),
                 seconds, gallery::rate(count / seconds, "value/s"),
                 gallery::equal(counts, expected));
    };
    measure("without atomics", &Histogram::withoutAtomics);
    measure("global atomics", &Histogram::globalAtomics);
    measure("local atomics", &Histogram::localAtomics);
  }
  return report.exitCode();
} catch (const std::exception& error) {
  return gallery::failure(error);
}
