#include "checks/seeded_kernel.h"

#include <cstdlib>
#include <fstream>
#include <memory>
#include <sstream>
#include <stdexcept>

#include <CL/cl.h>

namespace quern::tests {

namespace {

namespace fs = std::filesystem;

void check(cl_int code, const std::string& call) {
  if (code != CL_SUCCESS)
    throw std::runtime_error(call + " failed with " + std::to_string(code));
}

std::vector<size_t> readSizes(const std::string& text) {
  std::vector<size_t> sizes;
  std::istringstream in(text);
  for (std::string number; std::getline(in, number, 'x');)
    sizes.push_back(std::stoul(number));
  return sizes;
}

/// The report of this process, which the driver is told of when it is first used.
const fs::path& reportFile() {
  static const fs::path file = [] {
    std::string name = (fs::temp_directory_path() / "quern-checks-XXXXXX").string();
    const int descriptor = mkstemp(name.data());
    if (descriptor < 0)
      throw std::runtime_error("no file can be made for the report");
    setenv("QUERN_CHECK_REPORT", name.c_str(), 1);
    return fs::path(name);
  }();
  return file;
}

/// What follows `"key":` in a line of the report, up to the end of the value.
std::string field(const std::string& line, const std::string& key) {
  const size_t start = line.find("\"" + key + "\":") + key.size() + 3;
  if (line[start] == '"')
    return line.substr(start + 1, line.find('"', start + 1) - start - 1);
  return line.substr(start, line.find_first_of(",}", start) - start);
}

template <auto Release> struct Releaser {
  template <typename Handle> void operator()(Handle* handle) const { Release(handle); }
};
using ContextOwner = std::unique_ptr<_cl_context, Releaser<clReleaseContext>>;
using QueueOwner = std::unique_ptr<_cl_command_queue, Releaser<clReleaseCommandQueue>>;
using ProgramOwner = std::unique_ptr<_cl_program, Releaser<clReleaseProgram>>;
using KernelOwner = std::unique_ptr<_cl_kernel, Releaser<clReleaseKernel>>;
using MemoryOwner = std::unique_ptr<_cl_mem, Releaser<clReleaseMemObject>>;

cl_device_id firstDevice() {
  cl_platform_id platform = nullptr;
  cl_device_id device = nullptr;
  check(clGetPlatformIDs(1, &platform, nullptr), "clGetPlatformIDs");
  check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, nullptr), "clGetDeviceIDs");
  return device;
}

/// One run of a kernel, with all that it needs.
class Run {
public:
  explicit Run(const SeededKernel& kernel) : kernel_(kernel), device_(firstDevice()) {
    cl_int code = CL_SUCCESS;
    context_.reset(clCreateContext(nullptr, 1, &device_, nullptr, nullptr, &code));
    check(code, "clCreateContext");
    queue_.reset(clCreateCommandQueueWithProperties(context_.get(), device_, nullptr, &code));
    check(code, "clCreateCommandQueueWithProperties");
    build();
    for (cl_uint i = 0; i < kernel.arguments.size(); ++i)
      setArgument(i, kernel.arguments[i]);
  }

  void launch() {
    check(clEnqueueNDRangeKernel(
              queue_.get(), handle_.get(), static_cast<cl_uint>(kernel_.global.size()), nullptr,
              kernel_.global.data(), kernel_.local.empty() ? nullptr : kernel_.local.data(), 0,
              nullptr, nullptr),
          "clEnqueueNDRangeKernel");
    check(clFinish(queue_.get()), "clFinish");
  }

private:
  void build() {
    const char* source = kernel_.source.c_str();
    cl_int code = CL_SUCCESS;
    program_.reset(clCreateProgramWithSource(context_.get(), 1, &source, nullptr, &code));
    check(code, "clCreateProgramWithSource");
    if (clBuildProgram(program_.get(), 1, &device_, "-cl-std=CL3.0 -w", nullptr, nullptr) !=
        CL_SUCCESS) {
      std::string log(1 << 16, '\0');
      size_t bytes = 0;
      clGetProgramBuildInfo(program_.get(), device_, CL_PROGRAM_BUILD_LOG, log.size(), log.data(),
                            &bytes);
      throw std::runtime_error(kernel_.name + " does not build: " + log.substr(0, bytes));
    }
    handle_.reset(clCreateKernel(program_.get(), kernel_.name.c_str(), &code));
    check(code, "clCreateKernel " + kernel_.name);
  }

  void setArgument(cl_uint index, const std::string& text) {
    const std::string kind = text.substr(0, text.find(':'));
    const std::string value = text.substr(std::min(text.size(), kind.size() + 1));
    if (kind == "buffer")
      setBuffer(index, std::stoul(value));
    else if (kind == "same")
      setMemory(index, buffers_[std::stoul(value)].get());
    else if (kind == "part")
      setPart(index, std::stoul(value));
    else if (kind == "image")
      setImage(index, readSizes(value));
    else if (kind == "local")
      check(clSetKernelArg(handle_.get(), index, std::stoul(value), nullptr), "clSetKernelArg");
    else if (kind == "int")
      setValue(index, static_cast<cl_int>(std::stol(value)));
    else if (kind == "long")
      setValue(index, static_cast<cl_long>(std::stoll(value)));
    else if (kind == "float")
      setValue(index, std::stof(value));
    else if (kind == "null")
      setMemory(index, nullptr);
    else
      throw std::runtime_error(kernel_.name + ": no argument is of the kind " + kind);
  }

  template <typename T> void setValue(cl_uint index, T value) {
    check(clSetKernelArg(handle_.get(), index, sizeof(value), &value), "clSetKernelArg");
  }

  void setMemory(cl_uint index, cl_mem memory) {
    check(clSetKernelArg(handle_.get(), index, sizeof(memory), &memory), "clSetKernelArg");
  }

  /// All zeros.
  void setBuffer(cl_uint index, size_t bytes) {
    std::vector<unsigned char> zeros(bytes);
    cl_int code = CL_SUCCESS;
    buffers_.emplace_back(
        clCreateBuffer(context_.get(), CL_MEM_COPY_HOST_PTR, bytes, zeros.data(), &code));
    check(code, "clCreateBuffer");
    setMemory(index, buffers_.back().get());
  }

  /// The first bytes of a larger buffer.
  void setPart(cl_uint index, size_t bytes) {
    constexpr size_t more = 4096;
    cl_int code = CL_SUCCESS;
    const MemoryOwner whole(
        clCreateBuffer(context_.get(), CL_MEM_READ_WRITE, bytes + more, nullptr, &code));
    check(code, "clCreateBuffer");
    const cl_buffer_region region = {0, bytes};
    buffers_.emplace_back(clCreateSubBuffer(whole.get(), CL_MEM_READ_WRITE,
                                            CL_BUFFER_CREATE_TYPE_REGION, &region, &code));
    check(code, "clCreateSubBuffer");
    setMemory(index, buffers_.back().get());
  }

  void setImage(cl_uint index, const std::vector<size_t>& size) {
    const cl_image_format format = {CL_RGBA, CL_FLOAT};
    cl_image_desc shape = {};
    shape.image_type = CL_MEM_OBJECT_IMAGE2D;
    shape.image_width = size.at(0);
    shape.image_height = size.at(1);
    cl_int code = CL_SUCCESS;
    buffers_.emplace_back(
        clCreateImage(context_.get(), CL_MEM_READ_WRITE, &format, &shape, nullptr, &code));
    check(code, "clCreateImage");
    setMemory(index, buffers_.back().get());
  }

  const SeededKernel& kernel_;
  cl_device_id device_;
  ContextOwner context_;
  QueueOwner queue_;
  ProgramOwner program_;
  KernelOwner handle_;
  std::vector<MemoryOwner> buffers_;
};

} // namespace

SeededKernel SeededKernel::read(const fs::path& file) {
  SeededKernel kernel = {.name = file.stem()};
  std::ifstream in(file);
  unsigned number = 0;
  static const std::string mark = "// fault: ";
  for (std::string line; std::getline(in, line);) {
    ++number;
    kernel.source += line + "\n";
    if (number == 1) {
      std::istringstream words(line.substr(2));
      bool isArgument = false;
      for (std::string word, value; words >> word;) {
        if (isArgument)
          kernel.arguments.push_back(word);
        else if (word == "args")
          isArgument = true;
        else if (word == "source-only")
          kernel.isSourceOnly = true;
        else if (words >> value)
          (word == "global" ? kernel.global : kernel.local) = readSizes(value);
      }
    }
    for (size_t at = line.find(mark); at != std::string::npos; at = line.find(mark, at + 1)) {
      std::istringstream fault(line.substr(at + mark.size()));
      std::string name, where;
      fault >> name >> where;
      kernel.faults.emplace(where == "nowhere" ? 0 : number, name);
    }
  }
  return kernel;
}

SeededKernel::Faults runChecked(const SeededKernel& kernel) {
  const fs::path& report = reportFile();
  const auto before = fs::file_size(report);
  Run(kernel).launch();
  SeededKernel::Faults faults;
  std::ifstream in(report);
  in.seekg(static_cast<std::streamoff>(before));
  for (std::string line; std::getline(in, line);)
    if (field(line, "event") == "fault" && field(line, "kernel") == kernel.name) {
      const std::string fault = field(line, "fault");
      faults.emplace(std::stoul(field(line, "line")), fault.starts_with("race") ? "race" : fault);
    }
  return faults;
}

} // namespace quern::tests
