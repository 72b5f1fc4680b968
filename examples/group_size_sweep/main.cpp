// group_size_sweep: NAIVE and LOCAL matrix multiplication with work-groups from 1x1 to 32x32.
//
// Shows: how much the work-group size matters, on one device a lot and on another hardly. The times
// include the transfers, as a user who multiplies two matrices once would see them. Uses the
// kernels of the program matmul.
#include "../matmul/host_product.h"
#include "gallery.h"

int main(int argc, char** argv) try {
  const gallery::CommandLine line(argc, argv,
                                  "Matrix multiplication with work-groups of different sizes.",
                                  {{"size", "300,1200", "rows and columns of the matrices", "300"},
                                   {"edge", "1,2,3,4,5,6,8,10,12,16,20,24,25,30,32",
                                    "rows and columns of the work-group", "1,4,5,8,10,16,20,32"}});
  const cl::Device device = gallery::chooseDevice(line);
  const cl::Context context(device);
  const cl::CommandQueue queue(context, device);
  gallery::Report report(line, "group_size_sweep", device.getInfo<CL_DEVICE_NAME>());

  for (const size_t n : line.numbers("size")) {
    const std::vector<float> a = gallery::randomFloats(n * n, -1, 1, 1);
    const std::vector<float> b = gallery::randomFloats(n * n, -1, 1, 2);
    std::vector<float> c(n * n);
    const std::vector<double> expected = hostProduct(n, n, n, a, b);
    const size_t bytes = n * n * sizeof(float);
    const cl::Buffer aBuffer(context, CL_MEM_READ_ONLY, bytes);
    const cl::Buffer bBuffer(context, CL_MEM_READ_ONLY, bytes);
    const cl::Buffer cBuffer(context, CL_MEM_WRITE_ONLY, bytes);

    for (const size_t edge : line.numbers("edge")) {
      if (edge * edge > device.getInfo<CL_DEVICE_MAX_WORK_GROUP_SIZE>())
        continue;
      // LOCAL's tile is as large as its work-group, so each size is a program of its own.
      const cl::Program program =
          gallery::buildProgram(context, device, "matmul.cl", "-D TILE=" + std::to_string(edge));
      for (const bool useLocal : {false, true}) {
        cl::Kernel kernel(program, useLocal ? "local_tiles" : "naive");
        kernel.setArg(0, aBuffer);
        kernel.setArg(1, bBuffer);
        kernel.setArg(2, cBuffer);
        for (cl_uint index = 3; index < 6; ++index)
          kernel.setArg(index, static_cast<cl_uint>(n));
        const size_t global = gallery::roundUp(n, edge);
        const double seconds = gallery::medianSeconds(line.number("repeat"), [&] {
          queue.enqueueWriteBuffer(aBuffer, CL_FALSE, 0, bytes, a.data());
          queue.enqueueWriteBuffer(bBuffer, CL_FALSE, 0, bytes, b.data());
          queue.enqueueNDRangeKernel(kernel, cl::NullRange, cl::NDRange(global, global),
                                     cl::NDRange(edge, edge));
          queue.enqueueReadBuffer(cBuffer, CL_TRUE, 0, bytes, c.data());
        });
        const std::string group = std::to_string(edge) + "x" + std::to_string(edge);
        report.add((useLocal ? "LOCAL " : "NAIVE ") + group, std::to_string(n), seconds,
                   gallery::rate(2.0 * n * n * n / seconds, "FLOP/s"),
                   gallery::closeTo(c, expected, 2e-7 * n));
      }
    }
  }
  return report.exitCode();
} catch (const std::exception& error) {
  return gallery::failure(error);
}
