// nearest_centroids: for each 64-dimensional descriptor the nearest of k centroids, counted in a
// histogram.
//
// Shows: the same work with five layouts of the data: an array of structures, transposed, with
// vector types, with local memory, with constant memory; and the kernel that transposes. The last
// table of the output has one line per size.
#include "gallery.h"

namespace {

constexpr size_t dimensions = 64;
constexpr size_t group = 64;

/// Components are small whole numbers, so all distances are exact in float and the counts must
/// agree exactly.
std::vector<float> wholeNumbers(size_t count, unsigned seed) {
  const std::vector<cl_int> numbers = gallery::randomInts(count * dimensions, 256, seed);
  return std::vector<float>(numbers.begin(), numbers.end());
}

std::vector<cl_uint> hostHistogram(const std::vector<float>& descriptors,
                                   const std::vector<float>& centroids) {
  const size_t count = descriptors.size() / dimensions;
  const size_t k = centroids.size() / dimensions;
  std::vector<cl_uint> nearest(count);
  gallery::onAllCores(count, [&](size_t begin, size_t end) {
    for (size_t d = begin; d < end; ++d) {
      double least = -1;
      for (size_t c = 0; c < k; ++c) {
        double distance = 0;
        for (size_t i = 0; i < dimensions; ++i) {
          const double difference = descriptors[d * dimensions + i] - centroids[c * dimensions + i];
          distance += difference * difference;
        }
        if (least < 0 || distance < least) {
          least = distance;
          nearest[d] = static_cast<cl_uint>(c);
        }
      }
    }
  });
  std::vector<cl_uint> histogram(k);
  for (const cl_uint c : nearest)
    ++histogram[c];
  return histogram;
}

struct Variant {
  const char* name;
  const char* kernel;
  bool transposed;
  size_t perItem; ///< descriptors per work-item
};

const std::vector<Variant> variants = {
    {"structures", "structures", false, 1},
    {"transposed", "transposed", true, 1},
    {"+ vector types", "transposed_vector", true, 4},
    {"+ local memory", "transposed_local", true, 1},
    {"+ constant memory", "transposed_local_constant", true, 1},
};

} // namespace

int main(int argc, char** argv) try {
  const gallery::CommandLine line(
      argc, argv, "Histogram of nearest centroids, with five layouts of the data.",
      {{"size", "4Ki,16Ki,64Ki", "descriptors; multiples of 256", "4Ki,16Ki"},
       {"centroids", "8,16,64,128,256", "centroids", "8,64"}});
  const cl::Device device = gallery::chooseDevice(line);
  const cl::Context context(device);
  cl::CommandQueue queue(context, device);
  const cl::Program program = gallery::buildProgram(context, device, "nearest_centroids.cl");
  const size_t repeat = line.number("repeat");
  gallery::Report report(line, "nearest_centroids", device.getInfo<CL_DEVICE_NAME>());

  std::string table;
  for (const size_t requested : line.numbers("size")) {
    const size_t count = gallery::roundUp(requested, 4 * group);
    std::vector<float> descriptors = wholeNumbers(count, 1);
    const size_t bytes = descriptors.size() * sizeof(float);
    const cl::Buffer rows(context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, bytes,
                          descriptors.data());
    const cl::Buffer columns(context, CL_MEM_READ_WRITE, bytes);

    // Transpose on the device; every value must have moved to its place.
    cl::KernelFunctor<cl::Buffer, cl::Buffer, cl_uint, cl_uint> transpose(program, "transpose");
    const double transposeSeconds = gallery::medianSeconds(repeat, [&] {
      transpose(cl::EnqueueArgs(queue, cl::NDRange(dimensions, count), cl::NDRange(16, 16)), rows,
                columns, static_cast<cl_uint>(count), static_cast<cl_uint>(dimensions));
      queue.finish();
    });
    std::vector<float> turned(descriptors.size());
    queue.enqueueReadBuffer(columns, CL_TRUE, 0, bytes, turned.data());
    std::vector<float> expected(descriptors.size());
    for (size_t d = 0; d < count; ++d)
      for (size_t i = 0; i < dimensions; ++i)
        expected[i * count + d] = descriptors[d * dimensions + i];
    report.add("transpose", std::to_string(count) + "x64", transposeSeconds,
               gallery::rate(2 * bytes / transposeSeconds, "B/s"),
               gallery::equal(turned, expected));

    for (const size_t k : line.numbers("centroids")) {
      std::vector<float> centroids = wholeNumbers(k, 2);
      const cl::Buffer centroidBuffer(context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR,
                                      centroids.size() * sizeof(float), centroids.data());
      const cl::Buffer histogramBuffer(context, CL_MEM_READ_WRITE, k * sizeof(cl_uint));
      const std::vector<cl_uint> expectedHistogram = hostHistogram(descriptors, centroids);
      table += std::to_string(count) + " x " + std::to_string(k) + ":";

      for (const Variant& variant : variants) {
        if (variant.kernel == std::string("transposed_local_constant") &&
            centroids.size() * sizeof(float) >
                device.getInfo<CL_DEVICE_MAX_CONSTANT_BUFFER_SIZE>()) {
          report.skip(variant.name, "the centroids exceed the device's constant memory");
          continue;
        }
        cl::KernelFunctor<cl::Buffer, cl::Buffer, cl::Buffer, cl_uint, cl_uint> nearest(
            program, variant.kernel);
        const double seconds = gallery::medianSeconds(repeat, [&] {
          queue.enqueueFillBuffer(histogramBuffer, cl_uint{0}, 0, k * sizeof(cl_uint));
          nearest(cl::EnqueueArgs(queue, cl::NDRange(count / variant.perItem), cl::NDRange(group)),
                  variant.transposed ? columns : rows, centroidBuffer, histogramBuffer,
                  static_cast<cl_uint>(count), static_cast<cl_uint>(k));
          queue.finish();
        });
        std::vector<cl_uint> histogram(k);
        queue.enqueueReadBuffer(histogramBuffer, CL_TRUE, 0, k * sizeof(cl_uint), histogram.data());
        report.add(variant.name, std::to_string(count) + "x" + std::to_string(k), seconds,
                   gallery::rate(3.0 * count * k * dimensions / seconds, "FLOP/s"),
                   gallery::equal(histogram, expectedHistogram));
        table += "  " + gallery::decimal(seconds * 1e3, 2);
      }
      table += "\n";
    }
  }
  if (!line.tour())
    std::printf("\nMilliseconds of the five variants:\n%s", table.c_str());
  return report.exitCode();
} catch (const std::exception& error) {
  return gallery::failure(error);
}
