// compile_link: a program from parts that are compiled on their own.
//
// Shows: compiling with a header that is given as a program object (clCompileProgram), making a
// library and linking it to a program (clLinkProgram), and saving the linked program's binary and
// starting from it.
#include "gallery.h"

namespace {

/// Compiles one .cl file that includes polynomial.h. The C++ bindings have no form of compile with
/// headers, so this is the C function; its error is turned into the exception that the bindings
/// would throw.
cl::Program compile(const cl::Context& context, const cl::Device& device,
                    const std::string& fileName, const std::string& options) {
  cl::Program program(context, gallery::readSource(fileName));
  cl::Program header(context, gallery::readSource("polynomial.h"));
  const cl_device_id deviceId = device();
  const cl_program headerId = header();
  const char* includeName = "polynomial.h";
  const cl_int code = clCompileProgram(program(), 1, &deviceId, options.c_str(), 1, &headerId,
                                       &includeName, nullptr, nullptr);
  if (code != CL_SUCCESS)
    throw cl::BuildError(code, "clCompileProgram", program.getBuildInfo<CL_PROGRAM_BUILD_LOG>());
  return program;
}

/// The largest multiple of the program's step that the table holds, checked against a table made by
/// the host.
gallery::Check checkTable(const cl::Program& program, const cl::Device& device, double step) {
  const std::vector<float> coefficients = {0.5f, -1.25f, 2.0f, 0.75f};
  std::vector<float> table(1000);
  const cl::Context context = program.getInfo<CL_PROGRAM_CONTEXT>();
  const cl::CommandQueue queue(context, device);
  const cl::Buffer coefficientBuffer(context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR,
                                     coefficients.size() * sizeof(float),
                                     const_cast<float*>(coefficients.data()));
  const cl::Buffer tableBuffer(context, CL_MEM_WRITE_ONLY, table.size() * sizeof(float));

  cl::Kernel kernel(program, "tabulate");
  kernel.setArg(0, coefficientBuffer);
  kernel.setArg(1, static_cast<cl_int>(coefficients.size() - 1));
  kernel.setArg(2, tableBuffer);
  queue.enqueueNDRangeKernel(kernel, cl::NullRange, cl::NDRange(table.size()));
  queue.enqueueReadBuffer(tableBuffer, CL_TRUE, 0, table.size() * sizeof(float), table.data());

  std::vector<double> expected(table.size());
  for (size_t i = 0; i < expected.size(); ++i) {
    const double x = static_cast<double>(i + 1) * step;
    expected[i] = coefficients[0] + coefficients[1] * x + coefficients[2] * x * x +
                  coefficients[3] * x * x * x;
  }
  return gallery::closeTo(table, expected, 1e-5);
}

std::vector<unsigned char> binaryOf(const cl::Program& program) {
  return program.getInfo<CL_PROGRAM_BINARIES>().at(0);
}

} // namespace

int main(int argc, char** argv) try {
  const gallery::CommandLine line(argc, argv,
                                  "A program linked from separately compiled parts and a library.");
  const cl::Device device = gallery::chooseDevice(line);
  const cl::Context context(device);
  gallery::Report report(line, "compile_link", device.getInfo<CL_DEVICE_NAME>());

  // A library is linked from one or more compiled programs.
  const cl::Program part = compile(context, device, "polynomial.cl", "");
  const cl::Program library = cl::linkProgram(std::vector<cl::Program>{part}, "-create-library");
  const cl_program_binary_type type = library.getBuildInfo<CL_PROGRAM_BINARY_TYPE>(device);
  report.add("library", "1 part", 0, "",
             gallery::holds(type == CL_PROGRAM_BINARY_TYPE_LIBRARY, "it is a library"));

  // Two programs use it, the same source compiled with different options.
  const cl::Program coarse = compile(context, device, "tabulate.cl", "-D STEP=0.002f");
  const cl::Program fine = compile(context, device, "tabulate.cl", "-D STEP=0.001f");
  const cl::Program linked = cl::linkProgram(coarse, library);
  report.add("linked with the library", "2 parts", 0, "", checkTable(linked, device, 0.002));
  report.add("linked with other options", "2 parts", 0, "",
             checkTable(cl::linkProgram(fine, library), device, 0.001));

  // A saved binary starts without the sources. It belongs to this device and driver.
  const std::vector<unsigned char> binary = binaryOf(linked);
  cl::Program loaded(context, {device}, cl::Program::Binaries{binary});
  loaded.build({device});
  report.add("from its binary", std::to_string(binary.size()) + " bytes", 0, "",
             checkTable(loaded, device, 0.002));
  return report.exitCode();
} catch (const std::exception& error) {
  return gallery::failure(error);
}
