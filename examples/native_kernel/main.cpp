// native_kernel: a function of the host, run as a command of a queue.
//
// Shows: clEnqueueNativeKernel, how it gets at the memory of buffers, and how it takes its place
// between other commands. Devices that cannot run host code (GPUs) say so in
// CL_DEVICE_EXECUTION_CAPABILITIES.
#include "gallery.h"

#include <algorithm>

namespace {

/// What the function receives: a copy of this, with the buffer's address filled in by OpenCL.
struct SortArguments {
  cl_int* values;
  size_t count;
};

void CL_CALLBACK sortValues(void* data) {
  const auto* arguments = static_cast<const SortArguments*>(data);
  std::sort(arguments->values, arguments->values + arguments->count);
}

} // namespace

int main(int argc, char** argv) try {
  const gallery::CommandLine line(argc, argv,
                                  "A host function as a command of a queue: sorts a buffer.",
                                  {{"size", "1Mi", "ints to sort", "256Ki"}});
  const cl::Device device = gallery::chooseDevice(line);
  const size_t count = line.number("size");
  gallery::Report report(line, "native_kernel", device.getInfo<CL_DEVICE_NAME>());
  if (!(device.getInfo<CL_DEVICE_EXECUTION_CAPABILITIES>() & CL_EXEC_NATIVE_KERNEL)) {
    report.skip("", "the device does not run native kernels");
    return report.exitCode();
  }

  const cl::Context context(device);
  const cl::CommandQueue queue(context, device);
  std::vector<cl_int> values = gallery::randomInts(count, 1 << 30, 1);
  std::vector<cl_int> expected = values;
  std::sort(expected.begin(), expected.end());
  const cl::Buffer buffer(context, CL_MEM_READ_WRITE, count * sizeof(cl_int));

  std::vector<cl_int> sorted(count);
  const double seconds = gallery::medianSeconds(line.number("repeat"), [&] {
    queue.enqueueWriteBuffer(buffer, CL_FALSE, 0, count * sizeof(cl_int), values.data());
    SortArguments arguments{nullptr, count};
    const std::vector<cl::Memory> buffers = {buffer};
    const std::vector<const void*> places = {
        &arguments.values}; // where in the arguments the address goes
    queue.enqueueNativeKernel(sortValues, {&arguments, sizeof arguments}, &buffers, &places);
    queue.enqueueReadBuffer(buffer, CL_TRUE, 0, count * sizeof(cl_int), sorted.data());
  });
  report.add("sort", std::to_string(count), seconds, gallery::rate(count / seconds, "int/s"),
             gallery::equal(sorted, expected));
  return report.exitCode();
} catch (const std::exception& error) {
  return gallery::failure(error);
}
