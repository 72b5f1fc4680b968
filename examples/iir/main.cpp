// iir: a recursive filter, made parallel by iterating until the outputs agree with themselves.
//
// Shows: a chain of launches in which each reads what the one before wrote, and three ways to hand
// the data on: through the host, by a copy on the device, or by swapping two buffers.
#include "gallery.h"

#include <cmath>

namespace {

constexpr size_t taps = 16;

/// y by its definition: each output from the outputs before it, one after the other, in double
/// precision.
std::vector<double> filter(const std::vector<float>& x, const std::vector<float>& a,
                           const std::vector<float>& b) {
  std::vector<double> y(x.size());
  for (size_t n = 0; n < x.size(); ++n) {
    for (size_t i = 0; i < taps && i <= n; ++i)
      y[n] += static_cast<double>(a[i]) * x[n - i];
    for (size_t j = 0; j < taps && j + 1 <= n; ++j)
      y[n] -= b[j] * y[n - j - 1];
  }
  return y;
}

enum class Exchange { CopyHost, CopyDevice, Swap };

class Iteration {
public:
  Iteration(const cl::Context& context, const cl::Device& device, const cl::Program& program,
            std::vector<float>& x, std::vector<float>& a, std::vector<float>& b)
      : queue_(context, device), kernel_(program, "iir_pass"), bytes_(x.size() * sizeof(float)),
        x_(context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, bytes_, x.data()),
        a_(context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, taps * sizeof(float), a.data()),
        b_(context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, taps * sizeof(float), b.data()),
        previous_(context, CL_MEM_READ_WRITE, bytes_), y_(context, CL_MEM_READ_WRITE, bytes_),
        staging_(x.size()) {
    kernel_.setArg(0, x_);
    kernel_.setArg(3, a_);
    kernel_.setArg(4, b_);
    kernel_.setArg(5, static_cast<cl_uint>(x.size()));
    localSize_ = gallery::groupSize(kernel_, device, 64);
  }

  std::vector<float> run(size_t passes, Exchange exchange) {
    queue_.enqueueFillBuffer(previous_, 0.0f, 0, bytes_);
    for (size_t pass = 0; pass < passes; ++pass) {
      kernel_.setArg(1, previous_);
      kernel_.setArg(2, y_);
      queue_.enqueueNDRangeKernel(kernel_, cl::NullRange,
                                  cl::NDRange(gallery::roundUp(staging_.size(), localSize_)),
                                  cl::NDRange(localSize_));
      switch (exchange) {
      case Exchange::CopyHost:
        queue_.enqueueReadBuffer(y_, CL_TRUE, 0, bytes_, staging_.data());
        queue_.enqueueWriteBuffer(previous_, CL_TRUE, 0, bytes_, staging_.data());
        break;
      case Exchange::CopyDevice:
        queue_.enqueueCopyBuffer(y_, previous_, 0, 0, bytes_);
        break;
      case Exchange::Swap:
        std::swap(y_, previous_);
        break;
      }
    }
    // All three leave the last pass's output in previous_.
    queue_.enqueueReadBuffer(previous_, CL_TRUE, 0, bytes_, staging_.data());
    return staging_;
  }

private:
  cl::CommandQueue queue_;
  cl::Kernel kernel_;
  size_t bytes_;
  size_t localSize_ = 1;
  cl::Buffer x_, a_, b_, previous_, y_;
  std::vector<float> staging_;
};

} // namespace

int main(int argc, char** argv) try {
  const gallery::CommandLine line(
      argc, argv, "An IIR filter of 16 taps by iteration, with three ways to exchange data.",
      {{"size", "32Ki,48Ki,64Ki", "samples, one number or several"},
       {"passes", "32", "iterations; 32 are enough for float precision"}});
  const cl::Device device = gallery::chooseDevice(line);
  const cl::Context context(device);
  const cl::Program program = gallery::buildProgram(context, device, "iir.cl");
  const size_t passes = line.number("passes");
  gallery::Report report(line, "iir", device.getInfo<CL_DEVICE_NAME>());

  // The |b| add up to 0.6, so each pass shrinks the error at least to 0.6 of what it was.
  std::vector<float> a = gallery::randomFloats(taps, -1, 1, 1);
  std::vector<float> b = gallery::randomFloats(taps, -1, 1, 2);
  float sum = 0;
  for (const float value : b)
    sum += std::abs(value);
  for (float& value : b)
    value *= 0.6f / sum;

  for (const size_t count : line.numbers("size")) {
    std::vector<float> x = gallery::randomFloats(count, -1, 1, 3);
    std::vector<double> expected;
    const double hostSeconds =
        gallery::medianSeconds(line.number("repeat"), [&] { expected = filter(x, a, b); });
    report.reference("host, sequential", std::to_string(count), hostSeconds,
                     gallery::rate(4.0 * taps * count / hostSeconds, "FLOP/s"));

    Iteration iteration(context, device, program, x, a, b);
    for (const auto& [exchange, name] : {std::pair{Exchange::CopyHost, "Copy Host"},
                                         {Exchange::CopyDevice, "Copy Device"},
                                         {Exchange::Swap, "Swap"}}) {
      std::vector<float> y;
      const double seconds = gallery::medianSeconds(line.number("repeat"),
                                                    [&] { y = iteration.run(passes, exchange); });
      report.add(name, std::to_string(count), seconds,
                 gallery::rate(4.0 * taps * count * passes / seconds, "FLOP/s"),
                 gallery::closeTo(y, expected, 2e-5));
    }
  }
  return report.exitCode();
} catch (const std::exception& error) {
  return gallery::failure(error);
}
