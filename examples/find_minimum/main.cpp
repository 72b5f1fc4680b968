// find_minimum: the least of many floats by tree reduction.
//
// Shows: reduction in local memory with barriers; one work-group against many, whose results go
// through a second launch; and a single launch in which an atomic counter with memory order finds
// the last group (OpenCL C 3.0). Works for any length: try --size 1000003.
#include "gallery.h"

#include <algorithm>

namespace {

class Reduction {
public:
  Reduction(const cl::Context& context, const cl::Device& device, const cl::Program& program,
            std::vector<float>& values)
      : queue_(context, device), program_(program), count_(values.size()),
        values_(context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, values.size() * sizeof(float),
                values.data()),
        result_(context, CL_MEM_READ_WRITE, sizeof(float)) {
    localSize_ = gallery::groupSize(cl::Kernel(program, "minimum"), device, 128);
    groups_ = 8 * device.getInfo<CL_DEVICE_MAX_COMPUTE_UNITS>();
    partial_ = cl::Buffer(context, CL_MEM_READ_WRITE, groups_ * sizeof(float));
    finished_ = cl::Buffer(context, CL_MEM_READ_WRITE, sizeof(cl_uint));
  }

  void oneGroup() { launch(values_, count_, 1, result_); }

  void manyGroups() {
    launch(values_, count_, groups_, partial_);
    launch(partial_, groups_, 1, result_);
  }

  void singleLaunch() {
    queue_.enqueueFillBuffer(finished_, cl_uint{0}, 0, sizeof(cl_uint));
    cl::KernelFunctor<cl::Buffer, cl_uint, cl::Buffer, cl::LocalSpaceArg, cl::Buffer, cl::Buffer>
        minimum(program_, "minimum_single_launch");
    minimum(cl::EnqueueArgs(queue_, cl::NDRange(groups_ * localSize_), cl::NDRange(localSize_)),
            values_, static_cast<cl_uint>(count_), partial_, cl::Local(localSize_ * sizeof(float)),
            finished_, result_);
  }

  float read() {
    float value = 0;
    queue_.enqueueReadBuffer(result_, CL_TRUE, 0, sizeof value, &value);
    return value;
  }

private:
  void launch(const cl::Buffer& from, size_t count, size_t groups, const cl::Buffer& to) {
    cl::KernelFunctor<cl::Buffer, cl_uint, cl::Buffer, cl::LocalSpaceArg> minimum(program_,
                                                                                  "minimum");
    minimum(cl::EnqueueArgs(queue_, cl::NDRange(groups * localSize_), cl::NDRange(localSize_)),
            from, static_cast<cl_uint>(count), to, cl::Local(localSize_ * sizeof(float)));
  }

  cl::CommandQueue queue_;
  cl::Program program_;
  size_t count_;
  size_t localSize_ = 1;
  size_t groups_ = 1;
  cl::Buffer values_, result_, partial_, finished_;
};

bool hasKernel(const cl::Program& program, const std::string& name) {
  const std::string names = ";" + program.getInfo<CL_PROGRAM_KERNEL_NAMES>() + ";";
  return names.find(";" + name + ";") != std::string::npos;
}

/// Kernels with memory orders need OpenCL C 3.0; a device of an older version compiles the file
/// without them.
cl::Program build(const cl::Context& context, const cl::Device& device) {
  const bool version3 = device.getInfo<CL_DEVICE_VERSION>().rfind("OpenCL 3.", 0) == 0;
  return gallery::buildProgram(context, device, "find_minimum.cl", version3 ? "-cl-std=CL3.0" : "");
}

} // namespace

int main(int argc, char** argv) try {
  const gallery::CommandLine line(
      argc, argv, "The least of many floats by tree reduction.",
      {{"size", "1000,100000,1000003,16Mi", "floats, one number or several"}});
  const cl::Device device = gallery::chooseDevice(line);
  const cl::Context context(device);
  const cl::Program program = build(context, device);
  gallery::Report report(line, "find_minimum", device.getInfo<CL_DEVICE_NAME>());

  for (const size_t count : line.numbers("size")) {
    std::vector<float> values = gallery::randomFloats(count, 0, 1000, 1);
    values.back() = -1; // the place that is lost first when a length is handled wrongly
    const float expected = *std::min_element(values.begin(), values.end());
    Reduction reduction(context, device, program, values);

    const auto measure = [&](const char* name, void (Reduction::*run)()) {
      float least = 0;
      const double seconds = gallery::medianSeconds(line.number("repeat"), [&] {
        (reduction.*run)();
        least = reduction.read();
      });
      report.add(name, std::to_string(count), seconds,
                 gallery::rate(count * sizeof(float) / seconds, "B/s"),
                 gallery::equal(std::vector<float>{least}, {expected}));
    };
    measure("one work-group", &Reduction::oneGroup);
    measure("many work-groups", &Reduction::manyGroups);
    if (hasKernel(program, "minimum_single_launch"))
      measure("single launch", &Reduction::singleLaunch);
    else
      report.skip("single launch", "the device does not offer acquire-release atomics");
  }
  return report.exitCode();
} catch (const std::exception& error) {
  return gallery::failure(error);
}
