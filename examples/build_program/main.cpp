// build_program: builds a .cl file for a device and prints the build log and the kernels found.
//
// Shows: where the compiler's messages are, also after a failure, and what a program tells about
// its kernels. Try it with your own file: build_program --file my.cl --options "-cl-std=CL3.0 -D
// N=16"
#include "gallery.h"

#include <chrono>

namespace {

struct Outcome {
  cl_int code;
  cl_build_status status;
  std::string log;
  double seconds;
};

/// Builds the program. A failed build is an ordinary outcome here, so the exception of the C++
/// bindings is caught.
Outcome build(cl::Program& program, const cl::Device& device, const std::string& options) {
  Outcome outcome{CL_SUCCESS, CL_BUILD_NONE, "", 0};
  const auto start = std::chrono::steady_clock::now();
  try {
    program.build({device}, options.c_str());
  } catch (const cl::BuildError& error) {
    outcome.code = error.err();
  }
  outcome.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  outcome.status = program.getBuildInfo<CL_PROGRAM_BUILD_STATUS>(device);
  outcome.log = program.getBuildInfo<CL_PROGRAM_BUILD_LOG>(device);
  return outcome;
}

/// The kernels with their arguments. Names and types of arguments need the build option
/// -cl-kernel-arg-info.
std::string describeKernels(cl::Program& program) {
  std::string text;
  std::vector<cl::Kernel> kernels;
  program.createKernels(&kernels);
  for (const cl::Kernel& kernel : kernels) {
    text += kernel.getInfo<CL_KERNEL_FUNCTION_NAME>() + "(";
    const cl_uint arguments = kernel.getInfo<CL_KERNEL_NUM_ARGS>();
    for (cl_uint i = 0; i < arguments; ++i)
      text += (i ? ", " : "") + kernel.getArgInfo<CL_KERNEL_ARG_TYPE_NAME>(i) + " " +
              kernel.getArgInfo<CL_KERNEL_ARG_NAME>(i);
    text += ")";
  }
  return text;
}

} // namespace

int main(int argc, char** argv) try {
  const gallery::CommandLine line(
      argc, argv, "Builds a .cl file and prints the build log and its kernels.",
      {{"file", "", "the file to build; without it a valid and a broken example"},
       {"options", "", "options for the OpenCL C compiler"}});
  const cl::Device device = gallery::chooseDevice(line);
  const cl::Context context(device);
  gallery::Report report(line, "build_program", device.getInfo<CL_DEVICE_NAME>());

  const std::string file = line.text("file").empty() ? "saxpy.cl" : line.text("file");
  cl::Program program(context, gallery::readSource(file));
  const Outcome outcome = build(program, device, "-cl-kernel-arg-info " + line.text("options"));
  std::printf("Build log of %s:\n%s\n", file.c_str(), outcome.log.c_str());
  if (outcome.code != CL_SUCCESS) {
    report.add(file, "1 program", outcome.seconds, "", gallery::holds(false, "the program builds"));
    return report.exitCode();
  }
  const std::string kernels = describeKernels(program);
  std::printf("Kernels: %s\n", kernels.c_str());
  const bool asExpected = file != "saxpy.cl" || kernels == "saxpy(float a, float* x, float* y)";
  report.add(file, "1 program", outcome.seconds, "", gallery::holds(asExpected, kernels));

  if (line.text("file").empty()) {
    cl::Program broken(context, gallery::readSource("broken.cl"));
    const Outcome failed = build(broken, device, "");
    std::printf("Build log of broken.cl:\n%s\n", failed.log.c_str());
    const bool explained = failed.code == CL_BUILD_PROGRAM_FAILURE &&
                           failed.status == CL_BUILD_ERROR &&
                           failed.log.find("scale") != std::string::npos;
    report.add("broken.cl", "1 program", failed.seconds, "",
               gallery::holds(explained, "the log names the mistake"));
  }
  return report.exitCode();
} catch (const std::exception& error) {
  return gallery::failure(error);
}
