#include "kernels/kernel_fixture.h"

#include <cstdlib>
#include <fstream>
#include <iterator>

namespace quern::tests {

void check(cl_int code, std::string_view call) {
  if (code != CL_SUCCESS)
    throw std::runtime_error(std::string(call) + " returned " + std::to_string(code));
}

static constexpr const char* quernName = "Quern";

std::string testPlatformName() {
  const char* name = std::getenv("QUERN_TEST_PLATFORM");
  return name ? name : quernName;
}

cl_platform_id findPlatform(std::string_view name) {
  cl_uint count = 0;
  if (clGetPlatformIDs(0, nullptr, &count) != CL_SUCCESS)
    return nullptr;
  std::vector<cl_platform_id> platforms(count);
  check(clGetPlatformIDs(count, platforms.data(), nullptr), "clGetPlatformIDs");
  for (cl_platform_id platform : platforms) {
    char text[256] = "";
    clGetPlatformInfo(platform, CL_PLATFORM_NAME, sizeof(text), text, nullptr);
    if (name == text)
      return platform;
  }
  return nullptr;
}

Device Device::make() {
  Device device;
  device.platform = findPlatform(testPlatformName());
  if (!device.platform)
    throw std::runtime_error("no OpenCL platform is named \"" + testPlatformName() + "\"");
  check(clGetDeviceIDs(device.platform, CL_DEVICE_TYPE_ALL, 1, &device.id, nullptr),
        "clGetDeviceIDs");
  cl_int code = CL_SUCCESS;
  device.context = clCreateContext(nullptr, 1, &device.id, nullptr, nullptr, &code);
  check(code, "clCreateContext");
  device.queue = clCreateCommandQueueWithProperties(device.context, device.id, nullptr, &code);
  check(code, "clCreateCommandQueueWithProperties");
  device.claims_ = Claims::of(device.id, device.context);
  if (testPlatformName() == quernName)
    device.list_ = Claims::listedFor(device.id);
  return device;
}

Device& Device::get() {
  static Device device = make();
  return device;
}

std::string Device::text(cl_device_info what) const {
  size_t bytes = 0;
  check(clGetDeviceInfo(id, what, 0, nullptr, &bytes), "clGetDeviceInfo");
  std::string value(bytes, '\0');
  check(clGetDeviceInfo(id, what, bytes, value.data(), nullptr), "clGetDeviceInfo");
  return value.c_str();
}

std::optional<std::string_view>
Device::lacks(std::initializer_list<std::string_view> claims) const {
  for (std::string_view claim : claims) {
    if (claims_->has(claim))
      continue;
    if (list_ && list_->demands(claim))
      throw std::runtime_error("the device does not claim " + std::string(claim) +
                               ", which tests/claims/" + listName(id) + " says it must");
    return claim;
  }
  return std::nullopt;
}

std::string Program::log() const {
  cl_device_id device = Device::get().id;
  size_t bytes = 0;
  check(clGetProgramBuildInfo(handle_, device, CL_PROGRAM_BUILD_LOG, 0, nullptr, &bytes),
        "clGetProgramBuildInfo");
  std::string text(bytes, '\0');
  check(clGetProgramBuildInfo(handle_, device, CL_PROGRAM_BUILD_LOG, bytes, text.data(), nullptr),
        "clGetProgramBuildInfo");
  return text.c_str();
}

std::vector<unsigned char> Program::binary() const {
  size_t bytes = 0;
  check(clGetProgramInfo(handle_, CL_PROGRAM_BINARY_SIZES, sizeof(bytes), &bytes, nullptr),
        "clGetProgramInfo");
  std::vector<unsigned char> contents(bytes);
  unsigned char* pointer = contents.data();
  check(clGetProgramInfo(handle_, CL_PROGRAM_BINARIES, sizeof(pointer), &pointer, nullptr),
        "clGetProgramInfo");
  return contents;
}

Program createProgram(std::string_view source) {
  const char* text = source.data();
  size_t length = source.size();
  cl_int code = CL_SUCCESS;
  cl_program program = clCreateProgramWithSource(Device::get().context, 1, &text, &length, &code);
  check(code, "clCreateProgramWithSource");
  return Program(program);
}

Program build(std::string_view source, const std::string& options) {
  Program program = createProgram(source);
  cl_int code =
      clBuildProgram(program.handle(), 1, &Device::get().id, options.c_str(), nullptr, nullptr);
  if (code != CL_SUCCESS)
    throw std::runtime_error("clBuildProgram returned " + std::to_string(code) + ":\n" +
                             program.log());
  return program;
}

Program buildFile(const std::string& name, const std::string& options) {
  const char* folder = std::getenv("QUERN_KERNEL_FOLDER");
  std::ifstream file(std::string(folder ? folder : QUERN_KERNEL_FOLDER) + "/" + name);
  if (!file)
    throw std::runtime_error("cannot read " + name);
  return build(std::string(std::istreambuf_iterator<char>(file), {}), options);
}

BuildOutcome tryBuild(std::string_view source, const std::string& options) {
  Program program = createProgram(source);
  cl_int code =
      clBuildProgram(program.handle(), 1, &Device::get().id, options.c_str(), nullptr, nullptr);
  return {code, program.log()};
}

Program fromBinary(const std::vector<unsigned char>& binary) {
  const unsigned char* bytes = binary.data();
  size_t length = binary.size();
  cl_int status = CL_SUCCESS, code = CL_SUCCESS;
  cl_program handle = clCreateProgramWithBinary(Device::get().context, 1, &Device::get().id,
                                                &length, &bytes, &status, &code);
  check(code, "clCreateProgramWithBinary");
  Program program(handle);
  check(clBuildProgram(handle, 1, &Device::get().id, "", nullptr, nullptr), "clBuildProgram");
  return program;
}

Kernel::Kernel(const Program& program, const char* name) {
  cl_int code = CL_SUCCESS;
  handle_ = clCreateKernel(program.handle(), name, &code);
  check(code, "clCreateKernel");
}

void Kernel::setBytes(cl_uint index, size_t bytes, const void* value) {
  check(clSetKernelArg(handle_, index, bytes, value),
        "clSetKernelArg of argument " + std::to_string(index));
}

void Kernel::enqueue(const Range& range) {
  const size_t* local = range.local.empty() ? nullptr : range.local.data();
  const size_t* offset = range.offset.empty() ? nullptr : range.offset.data();
  check(clEnqueueNDRangeKernel(Device::get().queue, handle_,
                               static_cast<cl_uint>(range.global.size()), offset,
                               range.global.data(), local, 0, nullptr, nullptr),
        "clEnqueueNDRangeKernel");
}

} // namespace quern::tests
