#include "united/both_devices.h"

#include <cstdlib>
#include <fstream>
#include <stdexcept>

#include "temporary_folder.h"

namespace quern::united_tests {

namespace {

/// Where the driver reports to, from before its first call on.
const std::string& reportPath() {
  static const test::TemporaryFolder folder;
  static const std::string path = [] {
    setenv("QUERN_UNITE_REPORT", (folder / "report").c_str(), 1);
    return folder / "report";
  }();
  return path;
}

} // namespace

void check(cl_int code, const char* call) {
  if (code != CL_SUCCESS)
    throw std::runtime_error(std::string(call) + " failed with " + std::to_string(code));
}

BothDevices::BothDevices() {
  reportPath();
  cl_platform_id platform = nullptr;
  check(clGetPlatformIDs(1, &platform, nullptr), "clGetPlatformIDs");
  std::array<cl_device_id, 2> devices = {};
  cl_uint count = 0;
  check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 2, devices.data(), &count), "clGetDeviceIDs");
  if (count != 2)
    throw std::runtime_error("there are not two devices, a united one and the CPU");
  for (size_t i = 0; i < 2; ++i) {
    cl_int code = CL_SUCCESS;
    places_[i].device = devices[i];
    places_[i].context = clCreateContext(nullptr, 1, &devices[i], nullptr, nullptr, &code);
    check(code, "clCreateContext");
    places_[i].queue =
        clCreateCommandQueueWithProperties(places_[i].context, devices[i], nullptr, &code);
    check(code, "clCreateCommandQueueWithProperties");
  }
}

BothDevices::~BothDevices() {
  for (Place& place : places_) {
    for (cl_mem memory : place.memory)
      clReleaseMemObject(memory);
    if (place.program)
      clReleaseProgram(place.program);
    clReleaseCommandQueue(place.queue);
    clReleaseContext(place.context);
  }
}

void BothDevices::build(const std::string& source) {
  const char* text = source.c_str();
  for (Place& place : places_) {
    cl_int code = CL_SUCCESS;
    place.program = clCreateProgramWithSource(place.context, 1, &text, nullptr, &code);
    check(code, "clCreateProgramWithSource");
    check(clBuildProgram(place.program, 1, &place.device, "-cl-std=CL3.0 -cl-kernel-arg-info",
                         nullptr, nullptr),
          "clBuildProgram");
  }
}

size_t BothDevices::addBuffer(const void* values, size_t bytes) {
  for (Place& place : places_) {
    cl_int code = CL_SUCCESS;
    place.memory.push_back(clCreateBuffer(place.context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR,
                                          bytes, const_cast<void*>(values), &code));
    check(code, "clCreateBuffer");
  }
  return places_[0].memory.size() - 1;
}

size_t BothDevices::subBuffer(size_t buffer, size_t offset, size_t bytes) {
  const cl_buffer_region region = {offset, bytes};
  for (Place& place : places_) {
    cl_int code = CL_SUCCESS;
    place.memory.push_back(
        clCreateSubBuffer(place.memory[buffer], 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &code));
    check(code, "clCreateSubBuffer");
  }
  return places_[0].memory.size() - 1;
}

void BothDevices::run(const std::string& name, const Range& range,
                      const std::vector<Argument>& arguments) {
  for (Place& place : places_) {
    cl_int code = CL_SUCCESS;
    cl_kernel kernel = clCreateKernel(place.program, name.c_str(), &code);
    check(code, "clCreateKernel");
    for (cl_uint i = 0; i < arguments.size(); ++i) {
      const Argument& argument = arguments[i];
      const auto value = static_cast<cl_int>(argument.value);
      const bool isBuffer = argument.kind == Argument::Kind::Buffer;
      if (argument.kind == Argument::Kind::Local)
        check(clSetKernelArg(kernel, i, argument.value, nullptr), "clSetKernelArg");
      else
        check(clSetKernelArg(kernel, i, isBuffer ? sizeof(cl_mem) : sizeof(value),
                             isBuffer ? static_cast<const void*>(&place.memory[argument.value])
                                      : &value),
              "clSetKernelArg");
    }
    check(clEnqueueNDRangeKernel(
              place.queue, kernel, static_cast<cl_uint>(range.global.size()),
              range.offset.empty() ? nullptr : range.offset.data(), range.global.data(),
              range.local.empty() ? nullptr : range.local.data(), 0, nullptr, nullptr),
          "clEnqueueNDRangeKernel");
    check(clReleaseKernel(kernel), "clReleaseKernel");
  }
}

void BothDevices::expectSame() {
  for (size_t i = 0; i < places_[0].memory.size(); ++i) {
    size_t bytes = 0;
    check(clGetMemObjectInfo(places_[0].memory[i], CL_MEM_SIZE, sizeof(bytes), &bytes, nullptr),
          "clGetMemObjectInfo");
    std::array<std::vector<unsigned char>, 2> contents;
    for (size_t place = 0; place < 2; ++place) {
      contents[place].resize(bytes);
      check(clEnqueueReadBuffer(places_[place].queue, places_[place].memory[i], CL_TRUE, 0, bytes,
                                contents[place].data(), 0, nullptr, nullptr),
            "clEnqueueReadBuffer");
    }
    const auto [one, other] =
        std::mismatch(contents[0].begin(), contents[0].end(), contents[1].begin());
    EXPECT_EQ(one - contents[0].begin(), static_cast<std::ptrdiff_t>(bytes))
        << "the first byte of buffer " << i << " that differs";
  }
}

std::string BothDevices::reportOf(const std::string& kernel) {
  std::ifstream file(reportPath());
  const std::string begin = "the kernel '" + kernel + "' ";
  std::string last;
  for (std::string line; std::getline(file, line);)
    if (line.starts_with(begin))
      last = line.substr(begin.size());
  return last;
}

void BothDevices::expectSplit(const std::string& kernel, unsigned dimension) {
  check(clFinish(places_[0].queue), "clFinish");
  const std::string wanted = "is split along dimension " + std::to_string(dimension);
  EXPECT_TRUE(reportOf(kernel).starts_with(wanted)) << kernel << ": " << reportOf(kernel);
}

void BothDevices::expectWhole(const std::string& kernel, const std::string& why) {
  check(clFinish(places_[0].queue), "clFinish");
  const std::string said = reportOf(kernel);
  EXPECT_TRUE(said.starts_with("stays on one device")) << kernel << ": " << said;
  EXPECT_NE(said.find(why), said.npos) << kernel << ": " << said;
}

unsigned BothDevices::random() {
  static unsigned state = 12345;
  state = state * 1664525 + 1013904223;
  return state >> 8;
}

} // namespace quern::united_tests
