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
  bool constantCentroids;
};

const std::vector<Variant> variants = {
    {"structures", "structures", false, 1, false},
    {"transposed", "transposed", true, 1, false},
    {"+ vector types", "transposed_vector", true, 4, false},
    {"+ local memory", "transposed_local", true, 1, false},
    {"+ constant memory", "transposed_local_constant", true, 1, true},
};

/// The descriptors in both layouts, on the host and on the device.
struct Descriptors {
  size_t count;
  std::vector<float> values;
  cl::Buffer rows, columns;

  Descriptors(const cl::Context& context, size_t requested)
      : count(gallery::roundUp(requested, 4 * group)), values(wholeNumbers(count, 1)),
        rows(context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, bytes(), values.data()),
        columns(context, CL_MEM_READ_WRITE, bytes()) {}

  size_t bytes() const { return values.size() * sizeof(float); }

  std::vector<float> transposedByHost() const {
    std::vector<float> turned(values.size());
    for (size_t d = 0; d < count; ++d)
      for (size_t i = 0; i < dimensions; ++i)
        turned[i * count + d] = values[d * dimensions + i];
    return turned;
  }
};

/// Fills `columns` from `rows`; every value must have moved to its place.
void transpose(cl::CommandQueue& queue, const cl::Program& program, const Descriptors& descriptors,
               size_t repeat, gallery::Report& report) {
  cl::KernelFunctor<cl::Buffer, cl::Buffer, cl_uint, cl_uint> kernel(program, "transpose");
  const cl::EnqueueArgs range(queue, cl::NDRange(dimensions, descriptors.count),
                              cl::NDRange(16, 16));
  const double seconds = gallery::medianSeconds(repeat, [&] {
    kernel(range, descriptors.rows, descriptors.columns, static_cast<cl_uint>(descriptors.count),
           static_cast<cl_uint>(dimensions));
    queue.finish();
  });
  std::vector<float> turned(descriptors.values.size());
  queue.enqueueReadBuffer(descriptors.columns, CL_TRUE, 0, descriptors.bytes(), turned.data());
  report.add("transpose", std::to_string(descriptors.count) + "x64", seconds,
             gallery::rate(2 * descriptors.bytes() / seconds, "B/s"),
             gallery::equal(turned, descriptors.transposedByHost()));
}

/// All variants for one set of centroids. Returns their times as a line of the table.
std::string countNearest(cl::CommandQueue& queue, const cl::Program& program,
                         const Descriptors& descriptors, size_t k, size_t repeat,
                         gallery::Report& report) {
  const cl::Context context = queue.getInfo<CL_QUEUE_CONTEXT>();
  const cl::Device device = queue.getInfo<CL_QUEUE_DEVICE>();
  std::vector<float> centroids = wholeNumbers(k, 2);
  const size_t centroidBytes = centroids.size() * sizeof(float);
  const cl::Buffer centroidBuffer(context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, centroidBytes,
                                  centroids.data());
  const cl::Buffer histogramBuffer(context, CL_MEM_READ_WRITE, k * sizeof(cl_uint));
  const std::vector<cl_uint> expected = hostHistogram(descriptors.values, centroids);
  const std::string size = std::to_string(descriptors.count) + "x" + std::to_string(k);
  std::string line = size + ":";

  for (const Variant& variant : variants) {
    if (variant.constantCentroids &&
        centroidBytes > device.getInfo<CL_DEVICE_MAX_CONSTANT_BUFFER_SIZE>()) {
      report.skip(variant.name, "the centroids exceed the device's constant memory");
      continue;
    }
    cl::KernelFunctor<cl::Buffer, cl::Buffer, cl::Buffer, cl_uint, cl_uint> nearest(program,
                                                                                    variant.kernel);
    const cl::EnqueueArgs range(queue, cl::NDRange(descriptors.count / variant.perItem),
                                cl::NDRange(group));
    const double seconds = gallery::medianSeconds(repeat, [&] {
      queue.enqueueFillBuffer(histogramBuffer, cl_uint{0}, 0, k * sizeof(cl_uint));
      nearest(range, variant.transposed ? descriptors.columns : descriptors.rows, centroidBuffer,
              histogramBuffer, static_cast<cl_uint>(descriptors.count), static_cast<cl_uint>(k));
      queue.finish();
    });
    std::vector<cl_uint> histogram(k);
    queue.enqueueReadBuffer(histogramBuffer, CL_TRUE, 0, k * sizeof(cl_uint), histogram.data());
    report.add(variant.name, size, seconds,
               gallery::rate(3.0 * descriptors.count * k * dimensions / seconds, "FLOP/s"),
               gallery::equal(histogram, expected));
    line += "  " + gallery::decimal(seconds * 1e3, 2);
  }
  return line + "\n";
}

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
  for (const size_t count : line.numbers("size")) {
    const Descriptors descriptors(context, count);
    transpose(queue, program, descriptors, repeat, report);
    for (const size_t k : line.numbers("centroids"))
      table += countNearest(queue, program, descriptors, k, repeat, report);
  }
  if (!line.tour())
    std::printf("\nMilliseconds of the five variants:\n%s", table.c_str());
  return report.exitCode();
} catch (const std::exception& error) {
  return gallery::failure(error);
}
