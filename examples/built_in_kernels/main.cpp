// built_in_kernels: kernels that the device brings.
//
// Shows: the list of a device's built-in kernels, a program of some of them, which needs neither a
// source nor a build, how large a range is of use to one, and their arguments' names. What each
// computes is the driver's own: here those of Quern, each checked against the host.
#include "gallery.h"

#include <algorithm>
#include <numeric>

namespace {

/// The names that the device lists, separated by semicolons.
std::vector<std::string> builtInKernels(const cl::Device& device) {
  const std::string list = device.getInfo<CL_DEVICE_BUILT_IN_KERNELS>();
  std::vector<std::string> names;
  for (size_t begin = 0; begin < list.size();) {
    const size_t end = std::min(list.find(';', begin), list.size());
    names.push_back(list.substr(begin, end - begin));
    begin = end + 1;
  }
  return names;
}

constexpr cl_ulong none = 0, one = 1;

/// A queue, and a program with some kernels of the device.
class BuiltIns {
public:
  BuiltIns(const cl::Context& context, const cl::Device& device, const std::string& names)
      : context_(context), device_(device), queue_(context, device),
        program_(context, {device}, names) {}

  template <typename T> cl::Buffer buffer(std::vector<T>& values) const {
    return cl::Buffer(context_, CL_MEM_COPY_HOST_PTR, values.size() * sizeof(T), values.data());
  }
  /// Memory in which a kernel's work-groups meet, zero before the first launch.
  cl::Buffer scratch(size_t bytes) const {
    const cl::Buffer buffer(context_, CL_MEM_READ_WRITE, bytes);
    queue_.enqueueFillBuffer(buffer, cl_uchar{0}, 0, bytes);
    return buffer;
  }
  template <typename T> std::vector<T> read(const cl::Buffer& buffer, size_t count) const {
    std::vector<T> values(count);
    queue_.enqueueReadBuffer(buffer, CL_TRUE, 0, count * sizeof(T), values.data());
    return values;
  }
  /// One launch on the range that suits the kernel best; the driver chooses the local size.
  template <typename... Arguments> void run(const char* name, const Arguments&... arguments) const {
    cl::Kernel kernel(program_, name);
    cl_uint index = 0;
    (kernel.setArg(index++, arguments), ...);
    const auto range = kernel.getWorkGroupInfo<CL_KERNEL_GLOBAL_WORK_SIZE>(device_);
    queue_.enqueueNDRangeKernel(kernel, cl::NullRange, cl::NDRange(range[0]));
    queue_.finish();
  }
  /// "n, in, in_offset, ..."
  std::string argumentsOf(const char* name) const {
    const cl::Kernel kernel(program_, name);
    std::string text;
    for (cl_uint i = 0; i < kernel.getInfo<CL_KERNEL_NUM_ARGS>(); ++i)
      text += (i ? ", " : "") + kernel.getArgInfo<CL_KERNEL_ARG_NAME>(i);
    return text;
  }

private:
  cl::Context context_;
  cl::Device device_;
  cl::CommandQueue queue_;
  cl::Program program_;
};

constexpr size_t leastScratch = 65536;
constexpr const char* sum = "quern_reduce_sum_i32";
constexpr const char* scan = "quern_scan_sum_i32";
constexpr const char* sort = "quern_sort_i32";

void measure(const gallery::CommandLine& line, const BuiltIns& kernels, gallery::Report& report) {
  const size_t count = line.number("size");
  const cl_ulong n = count;
  std::vector<cl_int> numbers = gallery::randomInts(count, 1000, 1);
  const cl::Buffer in = kernels.buffer(numbers), out = kernels.buffer(numbers);
  const cl::Buffer scratch = kernels.scratch(leastScratch + 5 * count);
  const auto add = [&](const char* name, double seconds, size_t results,
                       const std::vector<cl_int>& expected) {
    report.add(name, std::to_string(count), seconds,
               gallery::rate(static_cast<double>(count) / seconds, "number/s"),
               gallery::equal(kernels.read<cl_int>(out, results), expected));
  };
  std::vector<cl_int> expected(count);
  std::partial_sum(numbers.begin(), numbers.end(), expected.begin());

  double seconds = gallery::medianSeconds(
      line.number("repeat"), [&] { kernels.run(sum, n, in, none, one, out, none, scratch); });
  add(sum, seconds, 1, {expected.back()});
  seconds = gallery::medianSeconds(line.number("repeat"), [&] {
    kernels.run(scan, n, in, none, out, none, cl_uint{0}, scratch);
  });
  add(scan, seconds, count, expected);
  // In place: only the first run has something to do, but they take the same time.
  std::ranges::sort(expected, std::greater());
  seconds = gallery::medianSeconds(line.number("repeat"),
                                   [&] { kernels.run(sort, n, out, none, cl_uint{1}, scratch); });
  add(sort, seconds, count, expected);
}

} // namespace

int main(int argc, char** argv) try {
  const gallery::CommandLine line(argc, argv, "Uses kernels that the device brings.",
                                  {{"size", "4Mi", "numbers to add and to sort", "1Mi"}});
  const cl::Device device = gallery::chooseDevice(line);
  const std::vector<std::string> names = builtInKernels(device);
  gallery::Report report(line, "built_in_kernels", device.getInfo<CL_DEVICE_NAME>());
  for (const char* name : {sum, scan, sort})
    if (std::ranges::find(names, name) == names.end()) {
      report.skip(name, "the device has no such built-in kernel");
      return report.exitCode();
    }
  const BuiltIns kernels(cl::Context(device), device, std::string(sum) + ";" + scan + ";" + sort);
  if (!line.tour()) {
    std::printf("The device has %zu built-in kernels, from %s to %s.\n", names.size(),
                names.front().c_str(), names.back().c_str());
    for (const char* name : {sum, scan, sort})
      std::printf("%s(%s)\n", name, kernels.argumentsOf(name).c_str());
  }
  measure(line, kernels, report);
  return report.exitCode();
} catch (const std::exception& error) {
  return gallery::failure(error);
}
