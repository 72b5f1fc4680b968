// device_tasks: kernels that give work to kernels.
//
// Shows: an out-of-order queue on the device, a kernel that enqueues itself, blocks with what they
// captured and with local arguments, and a command that ends with the last of the kernels that it
// has enqueued; a pipe from each kernel to the next one; an atomic operation with its order and
// scope. Two algorithms that find their work as they go, a quicksort and a Mandelbrot set by
// squares, each beside the same work enqueued by the host.
#include "gallery.h"

#include <algorithm>
#include <fstream>

#include "mandelbrot.h"
#include "quicksort.h"

namespace {

bool hasQueues(const cl::Device& device) {
  const auto capabilities = device.getInfo<CL_DEVICE_DEVICE_ENQUEUE_CAPABILITIES>();
  return (capabilities & CL_DEVICE_QUEUE_SUPPORTED) != 0;
}

void sortNumbers(const gallery::CommandLine& line, const cl::Context& context,
                 const cl::Device& device, gallery::Report& report) {
  const size_t count = line.number("numbers");
  std::vector<cl_int> numbers = gallery::randomInts(count, 1 << 30, 1);
  std::vector<cl_int> expected = numbers;
  std::ranges::sort(expected);
  Quicksort quicksort(context, device, numbers);
  const auto measure = [&](const char* name, void (Quicksort::*run)()) {
    std::vector<cl_int> sorted;
    const double seconds = gallery::medianSeconds(line.number("repeat"), [&] {
      (quicksort.*run)();
      sorted = quicksort.read();
    });
    report.add(name, std::to_string(count), seconds, gallery::rate(count / seconds, "number/s"),
               gallery::equal(sorted, expected));
  };
  measure("quicksort by the host", &Quicksort::byTheHost);
  if (hasQueues(device))
    measure("quicksort by the kernel", &Quicksort::byTheDevice);
  else
    report.skip("quicksort by the kernel", "kernels of the device cannot enqueue others");
}

void writePicture(const std::string& file, const std::vector<cl_int>& picture, size_t side) {
  std::ofstream out(file, std::ios::binary);
  out << "P5 " << side << " " << side << " 255\n";
  for (const cl_int count : picture)
    out.put(static_cast<char>(count * 7 % 256));
  if (!out)
    throw std::runtime_error("the picture cannot be written to " + file);
}

void drawMandelbrot(const gallery::CommandLine& line, const cl::Context& context,
                    const cl::Device& device, gallery::Report& report) {
  size_t side = 64;
  while (2 * side <= line.number("side"))
    side *= 2;
  Mandelbrot mandelbrot(context, device, side);
  const std::vector<cl_int> every = mandelbrot.onTheHost();
  const Exploration expected = mandelbrot.bySquares(every);
  const double points = static_cast<double>(side * side);
  const auto measure = [&](const char* name, void (Mandelbrot::*run)(), bool bySquares) {
    Exploration found;
    const double seconds = gallery::medianSeconds(line.number("repeat"), [&] {
      (mandelbrot.*run)();
      found = mandelbrot.read();
    });
    gallery::Check check = gallery::equal(found.picture, bySquares ? expected.picture : every);
    if (bySquares && check.ok)
      check = gallery::equal(std::vector<cl_uint>{found.iterated},
                             std::vector<cl_uint>{expected.iterated});
    report.add(name, std::to_string(side), seconds, gallery::rate(points / seconds, "point/s"),
               check);
  };
  measure("Mandelbrot, every point", &Mandelbrot::everyPoint, false);
  if (device.getInfo<CL_DEVICE_PIPE_SUPPORT>())
    measure("squares, host and pipes", &Mandelbrot::byTheHost, true);
  else
    report.skip("squares, host and pipes", "the device has no pipes");
  if (hasQueues(device))
    measure("squares by the kernel", &Mandelbrot::byTheDevice, true);
  else
    report.skip("squares by the kernel", "kernels of the device cannot enqueue others");
  if (!line.text("picture").empty())
    writePicture(line.text("picture"), expected.picture, side);
}

} // namespace

int main(int argc, char** argv) try {
  const gallery::CommandLine line(
      argc, argv, "Sorts and draws with kernels that enqueue themselves.",
      {{"numbers", "4Mi", "numbers to sort", "1Mi"},
       {"side", "2048", "rows and columns of the picture, rounded down to a power of two", "1024"},
       {"picture", "", "file to write the picture to, in the format PGM"}});
  const cl::Device device = gallery::chooseDevice(line);
  const cl::Context context(device);
  gallery::Report report(line, "device_tasks", device.getInfo<CL_DEVICE_NAME>());
  // Out of order, as all queues on devices are: an event says what a kernel waits for.
  cl::DeviceCommandQueue queue;
  if (hasQueues(device))
    queue = cl::DeviceCommandQueue::makeDefault(context, device);
  sortNumbers(line, context, device, report);
  drawMandelbrot(line, context, device, report);
  return report.exitCode();
} catch (const std::exception& error) {
  return gallery::failure(error);
}
