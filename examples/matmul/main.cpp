// matmul: C = A B in five versions, from the textbook's kernel to a hand-tuned one.
//
// Shows: two-dimensional ranges, local memory and barriers, register tiles, and how differently the
// same kernels behave on different devices (compare the columns of a CPU and a GPU).
#include "gallery.h"
#include "host_product.h"

namespace {

/// How a kernel of matmul.cl is launched.
struct Version {
  const char* name;
  const char* kernel;
  size_t localColumns, localRows; ///< work-group size
  size_t tileColumns, tileRows;   ///< elements of C that a work-group computes
  bool anyShape; ///< otherwise the sizes must be multiples of the tile, and k of 16
};

const std::vector<Version> versions = {
    {"NAIVE", "naive", 16, 16, 16, 16, true}, {"LOCAL", "local_tiles", 16, 16, 16, 16, true},
    {"FAST1", "fast1", 16, 1, 16, 16, false}, {"FAST2", "fast2", 64, 1, 64, 16, false},
    {"FAST3", "fast3", 64, 1, 64, 16, false},
};

struct Shape {
  size_t m, n, k;
  std::string text() const {
    return std::to_string(m) + "x" + std::to_string(k) + "x" + std::to_string(n);
  }
};

bool fits(const Version& version, const Shape& shape) {
  return version.anyShape || (shape.n % version.tileColumns == 0 &&
                              shape.m % version.tileRows == 0 && shape.k % 16 == 0);
}

} // namespace

int main(int argc, char** argv) try {
  const gallery::CommandLine line(
      argc, argv, "Multiplies matrices in five versions; also 200x400 by 400x300.",
      {{"size", "256,512,1024", "rows and columns of square matrices", "256,512"},
       {"version", "", "only this one of NAIVE, LOCAL, FAST1, FAST2, FAST3"}});
  const cl::Device device = gallery::chooseDevice(line);
  const cl::Context context(device);
  const cl::CommandQueue queue(context, device);
  const cl::Program program = gallery::buildProgram(context, device, "matmul.cl");
  gallery::Report report(line, "matmul", device.getInfo<CL_DEVICE_NAME>());

  std::vector<Shape> shapes = {{200, 300, 400}};
  for (const size_t n : line.numbers("size"))
    shapes.push_back({n, n, n});

  for (const Shape& shape : shapes) {
    std::vector<float> a = gallery::randomFloats(shape.m * shape.k, -1, 1, 1);
    std::vector<float> b = gallery::randomFloats(shape.k * shape.n, -1, 1, 2);
    std::vector<float> c(shape.m * shape.n);
    const std::vector<double> expected = hostProduct(shape.m, shape.n, shape.k, a, b);
    const cl::Buffer aBuffer(context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR,
                             a.size() * sizeof(float), a.data());
    const cl::Buffer bBuffer(context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR,
                             b.size() * sizeof(float), b.data());
    const cl::Buffer cBuffer(context, CL_MEM_WRITE_ONLY, c.size() * sizeof(float));

    for (const Version& version : versions) {
      if (!fits(version, shape) ||
          (!line.text("version").empty() && line.text("version") != version.name))
        continue;
      cl::Kernel kernel(program, version.kernel);
      kernel.setArg(0, aBuffer);
      kernel.setArg(1, bBuffer);
      kernel.setArg(2, cBuffer);
      kernel.setArg(3, static_cast<cl_uint>(shape.m));
      kernel.setArg(4, static_cast<cl_uint>(shape.n));
      kernel.setArg(5, static_cast<cl_uint>(shape.k));
      const cl::NDRange local(version.localColumns, version.localRows);
      const cl::NDRange global(gallery::roundUp(shape.n, version.tileColumns) /
                                   version.tileColumns * version.localColumns,
                               gallery::roundUp(shape.m, version.tileRows) / version.tileRows *
                                   version.localRows);

      const double seconds = gallery::medianSeconds(line.number("repeat"), [&] {
        queue.enqueueNDRangeKernel(kernel, cl::NullRange, global, local);
        queue.finish();
      });
      queue.enqueueReadBuffer(cBuffer, CL_TRUE, 0, c.size() * sizeof(float), c.data());
      report.add(
          version.name, shape.text(), seconds,
          gallery::rate(2.0 * shape.m * shape.n * shape.k / seconds, "FLOP/s"),
          gallery::closeTo(c, expected, 2e-7 * shape.k)); // each of the k additions rounds once
    }
  }
  return report.exitCode();
} catch (const std::exception& error) {
  return gallery::failure(error);
}
