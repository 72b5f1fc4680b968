// vector_add: c[i] = a[i] + b[i] and a[i] * b[i], the first kernel that everybody writes.
//
// Shows: buffers, a kernel with a bounds check, scalar against vector types, the time of the kernel
// alone against the time with the transfers, and what plain threads of the host need for the same.
#include "gallery.h"

#include <type_traits>

namespace {

struct Setup {
  cl::Context context;
  cl::Device device;
  cl::CommandQueue queue;
  cl::Program program;
};

/// One operation on `count` elements of type T, by the scalar kernel (width 1) or the one with four
/// per work-item.
template <typename T> struct Operation {
  const Setup& setup;
  const std::vector<T>& a;
  const std::vector<T>& b;
  const std::vector<T>& expected;
  size_t repeat;

  void measure(gallery::Report& report, const std::string& name, size_t width) const {
    const size_t count = a.size();
    const size_t items = (count + width - 1) / width;
    const size_t bytes = count * sizeof(T);
    const size_t paddedBytes = items * width * sizeof(T); // whole vectors, also at the end
    const cl::Buffer aBuffer(setup.context, CL_MEM_READ_ONLY, paddedBytes);
    const cl::Buffer bBuffer(setup.context, CL_MEM_READ_ONLY, paddedBytes);
    const cl::Buffer cBuffer(setup.context, CL_MEM_WRITE_ONLY, paddedBytes);

    cl::Kernel kernel(setup.program, (width == 1 ? name : name + "_vec4").c_str());
    kernel.setArg(0, aBuffer);
    kernel.setArg(1, bBuffer);
    kernel.setArg(2, cBuffer);
    kernel.setArg(3, static_cast<cl_uint>(items));
    const size_t localSize = gallery::groupSize(kernel, setup.device, 256);
    const cl::NDRange global(gallery::roundUp(items, localSize));

    std::vector<T> c(count);
    const auto launch = [&] {
      setup.queue.enqueueNDRangeKernel(kernel, cl::NullRange, global, cl::NDRange(localSize));
    };
    const double withTransfers = gallery::medianSeconds(repeat, [&] {
      setup.queue.enqueueWriteBuffer(aBuffer, CL_FALSE, 0, bytes, a.data());
      setup.queue.enqueueWriteBuffer(bBuffer, CL_FALSE, 0, bytes, b.data());
      launch();
      setup.queue.enqueueReadBuffer(cBuffer, CL_TRUE, 0, bytes, c.data());
    });
    const double kernelAlone = gallery::medianSeconds(repeat, [&] {
      launch();
      setup.queue.finish();
    });

    gallery::Check check = gallery::equal(c, expected);
    check.detail += "; with transfers " + gallery::decimal(withTransfers * 1e3, 3) + " ms";
    report.add(name + (width == 1 ? "" : " x4"), std::to_string(count), kernelAlone,
               gallery::rate(3 * bytes / kernelAlone, "B/s"), check);
  }
};

/// The host's own loop on all cores gives the expected result and the time to compare with. Both
/// sides round a single addition or multiplication the same way, so the results must be equal.
template <typename T, typename Compute>
void compare(gallery::Report& report, const Setup& setup, const std::string& name,
             const std::vector<T>& a, const std::vector<T>& b, size_t repeat, Compute compute) {
  std::vector<T> expected(a.size());
  const double hostSeconds = gallery::medianSeconds(repeat, [&] {
    gallery::onAllCores(a.size(), [&](size_t begin, size_t end) {
      for (size_t i = begin; i < end; ++i)
        expected[i] = compute(a[i], b[i]);
    });
  });
  report.reference(name + ", host threads", std::to_string(a.size()), hostSeconds,
                   gallery::rate(3 * a.size() * sizeof(T) / hostSeconds, "B/s"));
  const Operation<T> operation{setup, a, b, expected, repeat};
  operation.measure(report, name, 1);
  operation.measure(report, name, 4);
}

} // namespace

int main(int argc, char** argv) try {
  const gallery::CommandLine line(
      argc, argv, "Adds and multiplies vectors of floats and of ints.",
      {{"size", "1024,100000,16Mi", "elements, one number or several", "1024,16Mi"}});
  const cl::Device device = gallery::chooseDevice(line);
  const cl::Context context(device);
  const Setup setup{context, device, cl::CommandQueue(context, device),
                    gallery::buildProgram(context, device, "vector_add.cl")};
  const size_t repeat = line.number("repeat");
  gallery::Report report(line, "vector_add", device.getInfo<CL_DEVICE_NAME>());

  for (const size_t count : line.numbers("size")) {
    const std::vector<float> a = gallery::randomFloats(count, -100, 100, 1);
    const std::vector<float> b = gallery::randomFloats(count, -100, 100, 2);
    compare(report, setup, "add_float", a, b, repeat, [](float x, float y) { return x + y; });
    compare(report, setup, "multiply_float", a, b, repeat, [](float x, float y) { return x * y; });

    const std::vector<cl_int> m = gallery::randomInts(count, 40000, 3);
    const std::vector<cl_int> n = gallery::randomInts(count, 40000, 4);
    compare(report, setup, "add_int", m, n, repeat, [](cl_int x, cl_int y) { return x + y; });
    compare(report, setup, "multiply_int", m, n, repeat, [](cl_int x, cl_int y) { return x * y; });
  }
  return report.exitCode();
} catch (const std::exception& error) {
  return gallery::failure(error);
}
