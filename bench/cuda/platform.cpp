// The kernels in CUDA C++ as two platforms of OpenCL, so that the benchmark measures them like any
// other. It has what the benchmark calls, and takes from the sources that it is given no more than
// their names (compile.h). The
// second platform is tuned: fast math, and graphs of what comes between two waits (replay.h).
// One queue at a time; not thread-safe.
#include "compile.h"
#include "replay.h"

#include "devices/cuda/driver_api.h"

#include <CL/cl_icd.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

namespace quern::bench::cuda {
namespace {

using namespace quern::cuda;

const DriverApi* driver = nullptr;
extern const cl_icd_dispatch functions;

struct Object {
  const cl_icd_dispatch* dispatch = &functions; // the loader wants it to be first
  int references = 1;
};

struct Device : Object {
  explicit Device(bool isTuned) : isTuned(isTuned) {}
  bool isTuned;
  DeviceNumber number = 0;
  int architecture = 0;
};

struct Platform : Object {
  Platform(const char* name, const char* suffix, Device& device)
      : name(name), suffix(suffix), device(device) {}
  const char* name;
  const char* suffix;
  Device& device;
};

struct Context : Object {
  explicit Context(Device& device) : device(device) {}
  Device& device;
};

struct Queue : Object {
  StreamHandle stream = nullptr;
  std::optional<Replay> replay; ///< of a tuned device
};

struct Memory : Object {
  Address address = 0;
  size_t bytes = 0;
};

struct Program : Object {
  explicit Program(Device& device) : device(device) {}
  Device& device;
  std::string source, log;
  ModuleHandle module = nullptr;
};

using Arguments = std::vector<std::vector<std::byte>>;

struct Kernel : Object {
  FunctionHandle function = nullptr;
  Arguments arguments;
  /// Bytes of local arguments; 0 for others.
  std::vector<size_t> localBytes;
};

Device plainDevice(false), tunedDevice(true);
Platform plainPlatform("CUDA C++, same kernels", "CUDACXX", plainDevice);
Platform tunedPlatform("CUDA C++, tuned", "CUDATUNED", tunedDevice);
Context plainContext(plainDevice), tunedContext(tunedDevice);
/// To tell buffers from numbers among the arguments of kernels.
std::unordered_set<const void*> buffers;

template <typename T, typename Handle> T& as(Handle handle) {
  return *static_cast<T*>(reinterpret_cast<Object*>(handle));
}
template <typename Handle> Handle handleOf(Object& object) {
  return reinterpret_cast<Handle>(&object);
}

cl_int codeOf(Error error) {
  return error == Error::Success       ? CL_SUCCESS
         : error == Error::OutOfMemory ? CL_MEM_OBJECT_ALLOCATION_FAILURE
                                       : CL_OUT_OF_RESOURCES;
}

cl_int answer(const void* value, size_t bytes, size_t capacity, void* to, size_t* actual) {
  if (actual)
    *actual = bytes;
  if (to && capacity < bytes)
    return CL_INVALID_VALUE;
  if (to)
    std::memcpy(to, value, bytes);
  return CL_SUCCESS;
}
cl_int answer(std::string_view text, size_t capacity, void* to, size_t* actual) {
  return answer(std::string(text).c_str(), text.size() + 1, capacity, to, actual);
}
template <typename T> cl_int answerValue(T value, size_t capacity, void* to, size_t* actual) {
  return answer(&value, sizeof(value), capacity, to, actual);
}

template <typename Handle> cl_int CL_API_CALL retain(Handle handle) {
  ++as<Object>(handle).references;
  return CL_SUCCESS;
}
/// For objects that live as long as the process.
template <typename Handle> cl_int CL_API_CALL keep(Handle) {
  return CL_SUCCESS;
}
template <typename T> T* released(T& object) {
  return --object.references == 0 ? &object : nullptr;
}

cl_int CL_API_CALL getPlatformInfo(cl_platform_id handle, cl_platform_info name, size_t capacity,
                                   void* to, size_t* actual) {
  switch (name) {
  case CL_PLATFORM_NAME:
    return answer(as<Platform>(handle).name, capacity, to, actual);
  case CL_PLATFORM_VERSION:
    return answer("OpenCL 3.0 compiled by nvcc", capacity, to, actual);
  case CL_PLATFORM_EXTENSIONS:
    return answer("cl_khr_icd", capacity, to, actual);
  case CL_PLATFORM_ICD_SUFFIX_KHR:
    return answer(as<Platform>(handle).suffix, capacity, to, actual);
  default:
    return answer("", capacity, to, actual);
  }
}

bool open() {
  driver = DriverApi::load();
  int count = 0;
  ContextHandle primary = nullptr;
  if (!driver || driver->init(0) != Error::Success ||
      driver->deviceGetCount(&count) != Error::Success || count == 0 ||
      driver->deviceGet(&plainDevice.number, 0) != Error::Success ||
      driver->devicePrimaryCtxRetain(&primary, plainDevice.number) != Error::Success ||
      driver->ctxSetCurrent(primary) != Error::Success)
    return false;
  int major = 0, minor = 0;
  driver->deviceGetAttribute(&major, DeviceAttribute::ComputeCapabilityMajor, plainDevice.number);
  driver->deviceGetAttribute(&minor, DeviceAttribute::ComputeCapabilityMinor, plainDevice.number);
  plainDevice.architecture = major * 10 + minor;
  tunedDevice.number = plainDevice.number;
  tunedDevice.architecture = plainDevice.architecture;
  return true;
}

cl_int CL_API_CALL getPlatforms(cl_uint capacity, cl_platform_id* platforms, cl_uint* count) {
  static const bool isOpen = open();
  const cl_uint available = !isOpen ? 0 : GraphApi::load() ? 2 : 1;
  if (count)
    *count = available;
  const std::array<Platform*, 2> all = {&plainPlatform, &tunedPlatform};
  for (cl_uint i = 0; platforms && i < std::min(capacity, available); ++i)
    platforms[i] = handleOf<cl_platform_id>(*all[i]);
  return isOpen ? CL_SUCCESS : CL_PLATFORM_NOT_FOUND_KHR;
}

cl_int CL_API_CALL getDevices(cl_platform_id platform, cl_device_type, cl_uint capacity,
                              cl_device_id* devices, cl_uint* count) {
  if (count)
    *count = 1;
  if (devices && capacity > 0)
    devices[0] = handleOf<cl_device_id>(as<Platform>(platform).device);
  return CL_SUCCESS;
}

std::string driverVersion() {
  int version = 0;
  driver->driverGetVersion(&version);
  return "CUDA " + std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

cl_int CL_API_CALL getDeviceInfo(cl_device_id handle, cl_device_info name, size_t capacity,
                                 void* to, size_t* actual) {
  const Device& device = as<Device>(handle);
  std::array<char, 256> text = {};
  int units = 0;
  switch (name) {
  case CL_DEVICE_NAME:
    driver->deviceGetName(text.data(), text.size() - 1, device.number);
    return answer(text.data(), capacity, to, actual);
  case CL_DEVICE_PLATFORM:
    return answerValue(device.isTuned ? &tunedPlatform : &plainPlatform, capacity, to, actual);
  case CL_DEVICE_MAX_COMPUTE_UNITS:
    driver->deviceGetAttribute(&units, DeviceAttribute::MultiprocessorCount, device.number);
    return answerValue(static_cast<cl_uint>(units), capacity, to, actual);
  case CL_DEVICE_BUILT_IN_KERNELS:
    return answer("", capacity, to, actual);
  case CL_DEVICE_IMAGE_SUPPORT:
    return answerValue<cl_bool>(CL_FALSE, capacity, to, actual);
  case CL_DEVICE_COMPILER_AVAILABLE: // the kernels are those of this folder, whatever the source
    return answerValue<cl_bool>(CL_FALSE, capacity, to, actual);
  case CL_DRIVER_VERSION:
    return answer(driverVersion(), capacity, to, actual);
  case CL_DEVICE_TYPE:
    return answerValue<cl_device_type>(CL_DEVICE_TYPE_GPU, capacity, to, actual);
  case CL_DEVICE_VERSION:
    return answer("OpenCL 3.0", capacity, to, actual);
  default:
    return CL_INVALID_VALUE;
  }
}

cl_context CL_API_CALL createContext(const cl_context_properties*, cl_uint,
                                     const cl_device_id* devices,
                                     void(CL_CALLBACK*)(const char*, const void*, size_t, void*),
                                     void*, cl_int* error) {
  if (error)
    *error = CL_SUCCESS;
  return handleOf<cl_context>(as<Device>(*devices).isTuned ? tunedContext : plainContext);
}

cl_int CL_API_CALL getContextInfo(cl_context context, cl_context_info name, size_t capacity,
                                  void* to, size_t* actual) {
  if (name == CL_CONTEXT_DEVICES)
    return answerValue(&as<Context>(context).device, capacity, to, actual);
  if (name == CL_CONTEXT_NUM_DEVICES)
    return answerValue<cl_uint>(1, capacity, to, actual);
  return CL_INVALID_VALUE;
}

cl_command_queue CL_API_CALL createQueue(cl_context, cl_device_id device,
                                         const cl_queue_properties*, cl_int* error) {
  auto queue = std::make_unique<Queue>();
  if (as<Device>(device).isTuned)
    queue->replay.emplace(*GraphApi::load());
  const cl_int code =
      codeOf(driver->streamCreateWithPriority(&queue->stream, streamNonBlocking, 0));
  if (error)
    *error = code;
  return code == CL_SUCCESS ? handleOf<cl_command_queue>(*queue.release()) : nullptr;
}

cl_int CL_API_CALL releaseQueue(cl_command_queue handle) {
  const std::unique_ptr<Queue> queue(released(as<Queue>(handle)));
  return queue ? codeOf(driver->streamDestroy(queue->stream)) : CL_SUCCESS;
}

cl_mem CL_API_CALL createBuffer(cl_context, cl_mem_flags flags, size_t bytes, void* data,
                                cl_int* error) {
  auto memory = std::make_unique<Memory>();
  memory->bytes = bytes;
  Error result = driver->memAlloc(&memory->address, bytes);
  if (result == Error::Success && (flags & CL_MEM_COPY_HOST_PTR))
    result = driver->memcpyHtoD(memory->address, data, bytes);
  if (error)
    *error = codeOf(result);
  if (result != Error::Success)
    return nullptr;
  buffers.insert(memory.get());
  return handleOf<cl_mem>(*memory.release());
}

cl_int CL_API_CALL getMemoryInfo(cl_mem handle, cl_mem_info name, size_t capacity, void* to,
                                 size_t* actual) {
  return name == CL_MEM_SIZE ? answerValue(as<Memory>(handle).bytes, capacity, to, actual)
                             : CL_INVALID_VALUE;
}

cl_int CL_API_CALL releaseMemory(cl_mem handle) {
  const std::unique_ptr<Memory> memory(released(as<Memory>(handle)));
  if (!memory)
    return CL_SUCCESS;
  buffers.erase(memory.get());
  return codeOf(driver->memFree(memory->address));
}

cl_program CL_API_CALL createProgram(cl_context context, cl_uint count, const char** strings,
                                     const size_t* lengths, cl_int* error) {
  auto* program = new Program(as<Context>(context).device);
  for (cl_uint i = 0; i < count; ++i)
    program->source.append(strings[i], lengths && lengths[i] ? lengths[i] : strlen(strings[i]));
  if (error)
    *error = CL_SUCCESS;
  return handleOf<cl_program>(*program);
}

cl_int CL_API_CALL buildProgram(cl_program handle, cl_uint, const cl_device_id*,
                                const char* options, void(CL_CALLBACK*)(cl_program, void*), void*) {
  Program& program = as<Program>(handle);
  Result<std::string> code = machineCode(program.source, options ? options : "",
                                         program.device.architecture, program.device.isTuned);
  if (!code.ok()) {
    program.log = code.status().sentence();
    return code.status().code();
  }
  return driver->moduleLoadDataEx(&program.module, code->data(), 0, nullptr, nullptr) ==
                 Error::Success
             ? CL_SUCCESS
             : CL_BUILD_PROGRAM_FAILURE;
}

cl_int CL_API_CALL getProgramInfo(cl_program handle, cl_program_info name, size_t capacity,
                                  void* to, size_t* actual) {
  if (name == CL_PROGRAM_DEVICES)
    return answerValue(&as<Program>(handle).device, capacity, to, actual);
  if (name == CL_PROGRAM_NUM_DEVICES)
    return answerValue<cl_uint>(1, capacity, to, actual);
  return CL_INVALID_VALUE;
}

cl_int CL_API_CALL getBuildInfo(cl_program handle, cl_device_id, cl_program_build_info name,
                                size_t capacity, void* to, size_t* actual) {
  return name == CL_PROGRAM_BUILD_LOG ? answer(as<Program>(handle).log, capacity, to, actual)
                                      : CL_INVALID_VALUE;
}

cl_int CL_API_CALL releaseProgram(cl_program handle) {
  const std::unique_ptr<Program> program(released(as<Program>(handle)));
  return program && program->module ? codeOf(driver->moduleUnload(program->module)) : CL_SUCCESS;
}

/// The benchmark keeps programs for as long as their kernels.
cl_kernel CL_API_CALL createKernel(cl_program handle, const char* name, cl_int* error) {
  auto kernel = std::make_unique<Kernel>();
  const bool found = driver->moduleGetFunction(&kernel->function, as<Program>(handle).module,
                                               name) == Error::Success;
  if (error)
    *error = found ? CL_SUCCESS : CL_INVALID_KERNEL_NAME;
  return found ? handleOf<cl_kernel>(*kernel.release()) : nullptr;
}

cl_int CL_API_CALL releaseKernel(cl_kernel handle) {
  const std::unique_ptr<Kernel> kernel(released(as<Kernel>(handle)));
  return CL_SUCCESS;
}

cl_int CL_API_CALL setArgument(cl_kernel handle, cl_uint index, size_t bytes, const void* value) {
  Kernel& kernel = as<Kernel>(handle);
  if (index >= kernel.arguments.size()) {
    kernel.arguments.resize(index + 1);
    kernel.localBytes.resize(index + 1);
  }
  const void* object = nullptr;
  if (value && bytes == sizeof(object))
    std::memcpy(&object, value, sizeof(object));
  kernel.localBytes[index] = value ? 0 : bytes;
  if (!value)
    bytes = sizeof(unsigned); // its place is set by each launch
  else if (buffers.contains(object))
    value = &static_cast<const Memory*>(object)->address;
  kernel.arguments[index].resize(bytes);
  if (value)
    std::memcpy(kernel.arguments[index].data(), value, bytes);
  return CL_SUCCESS;
}

cl_int CL_API_CALL getWorkGroupInfo(cl_kernel handle, cl_device_id, cl_kernel_work_group_info name,
                                    size_t capacity, void* to, size_t* actual) {
  if (name != CL_KERNEL_WORK_GROUP_SIZE)
    return CL_INVALID_VALUE;
  int items = 0;
  driver->funcGetAttribute(&items, FunctionAttribute::MaxThreadsPerBlock,
                           as<Kernel>(handle).function);
  return answerValue(static_cast<size_t>(items), capacity, to, actual);
}

/// The largest power of two up to `limit` that divides `size`.
size_t largestPart(size_t size, size_t limit) {
  size_t part = 1;
  while (part * 2 <= limit && size % (part * 2) == 0)
    part *= 2;
  return part;
}

void append(std::vector<std::byte>& identity, const Arguments& values) {
  for (const std::vector<std::byte>& value : values)
    identity.insert(identity.end(), value.begin(), value.end());
}
template <typename T> void append(std::vector<std::byte>& identity, const T& part) {
  const auto* bytes = reinterpret_cast<const std::byte*>(&part);
  identity.insert(identity.end(), bytes, bytes + sizeof(part));
}

/// Keeps a command that is no other if all its parts are the same.
template <typename Issue, typename... Parts>
cl_int keepFor(Replay& replay, Issue issue, const Parts&... parts) {
  Replay::Command command = {{}, issue};
  (append(command.identity, parts), ...);
  replay.add(std::move(command));
  return CL_SUCCESS;
}

/// Calls function(arguments..., stream), at once or in a graph.
template <typename... Parameters, typename... Values>
cl_int enqueue(cl_command_queue handle, Error (*function)(Parameters...), Values... arguments) {
  Queue& queue = as<Queue>(handle);
  if (!queue.replay)
    return codeOf(function(arguments..., queue.stream));
  return keepFor(
      *queue.replay,
      [function, arguments...](StreamHandle stream) { return function(arguments..., stream); },
      function, arguments...);
}

cl_int CL_API_CALL launch(cl_command_queue queueHandle, cl_kernel handle, cl_uint dimensions,
                          const size_t*, const size_t* global, const size_t* local, cl_uint,
                          const cl_event*, cl_event*) {
  Kernel& kernel = as<Kernel>(handle);
  std::array<unsigned, 3> grid = {1, 1, 1}, block = {1, 1, 1};
  // What a program in CUDA C++ would take.
  const std::array<size_t, 3> usual = {dimensions == 1 ? 256u : 32u, 8, 1};
  for (cl_uint i = 0; i < dimensions; ++i) {
    block[i] = static_cast<unsigned>(local ? local[i] : largestPart(global[i], usual[i]));
    grid[i] = static_cast<unsigned>((global[i] + block[i] - 1) / block[i]);
  }
  unsigned localBytes = 0;
  for (size_t i = 0; i < kernel.arguments.size(); ++i) {
    constexpr unsigned alignment = 16;
    if (kernel.localBytes[i] != 0) {
      std::memcpy(kernel.arguments[i].data(), &localBytes, sizeof(localBytes));
      localBytes += static_cast<unsigned>(kernel.localBytes[i] + alignment - 1) & ~(alignment - 1);
    }
  }
  const auto issue = [=, function = kernel.function](StreamHandle stream, Arguments& values) {
    std::vector<void*> pointers;
    for (std::vector<std::byte>& value : values)
      pointers.push_back(value.data());
    return driver->launchKernel(function, grid[0], grid[1], grid[2], block[0], block[1], block[2],
                                localBytes, stream, pointers.data(), nullptr);
  };
  Queue& queue = as<Queue>(queueHandle);
  if (!queue.replay)
    return codeOf(issue(queue.stream, kernel.arguments));
  return keepFor(
      *queue.replay,
      [issue, values = kernel.arguments](StreamHandle stream) mutable {
        return issue(stream, values);
      },
      kernel.function, grid, block, localBytes, kernel.arguments);
}

cl_int CL_API_CALL finish(cl_command_queue handle) {
  Queue& queue = as<Queue>(handle);
  if (queue.replay)
    if (const Error error = queue.replay->flush(queue.stream); error != Error::Success)
      return codeOf(error);
  return codeOf(driver->streamSynchronize(queue.stream));
}

cl_int afterCopy(cl_command_queue queue, cl_bool isBlocking, cl_int code) {
  return code == CL_SUCCESS && isBlocking ? finish(queue) : code;
}

cl_int CL_API_CALL read(cl_command_queue queue, cl_mem memory, cl_bool isBlocking, size_t offset,
                        size_t bytes, void* to, cl_uint, const cl_event*, cl_event*) {
  return afterCopy(
      queue, isBlocking,
      enqueue(queue, driver->memcpyDtoHAsync, to, as<Memory>(memory).address + offset, bytes));
}

cl_int CL_API_CALL write(cl_command_queue queue, cl_mem memory, cl_bool isBlocking, size_t offset,
                         size_t bytes, const void* from, cl_uint, const cl_event*, cl_event*) {
  return afterCopy(
      queue, isBlocking,
      enqueue(queue, driver->memcpyHtoDAsync, as<Memory>(memory).address + offset, from, bytes));
}

cl_int CL_API_CALL copy(cl_command_queue queue, cl_mem from, cl_mem to, size_t fromOffset,
                        size_t toOffset, size_t bytes, cl_uint, const cl_event*, cl_event*) {
  return enqueue(queue, driver->memcpyAsync, as<Memory>(to).address + toOffset,
                 as<Memory>(from).address + fromOffset, bytes);
}

/// The benchmark fills with words and bytes.
cl_int CL_API_CALL fill(cl_command_queue queue, cl_mem memory, const void* pattern,
                        size_t patternBytes, size_t offset, size_t bytes, cl_uint, const cl_event*,
                        cl_event*) {
  const Address to = as<Memory>(memory).address + offset;
  unsigned word = 0;
  if (patternBytes == sizeof(word)) {
    std::memcpy(&word, pattern, sizeof(word));
    return enqueue(queue, driver->memsetD32Async, to, word, bytes / sizeof(word));
  }
  return patternBytes == 1 ? enqueue(queue, driver->memsetD8Async, to,
                                     *static_cast<const unsigned char*>(pattern), bytes)
                           : CL_INVALID_VALUE;
}

/// What the device does not offer fails. The loader calls what a program names, so that there must
/// be something.
cl_program CL_API_CALL createBuiltIns(cl_context, cl_uint, const cl_device_id*, const char*,
                                      cl_int* error) {
  if (error)
    *error = CL_INVALID_VALUE;
  return nullptr;
}
cl_mem CL_API_CALL createImage(cl_context, cl_mem_flags, const cl_image_format*,
                               const cl_image_desc*, void*, cl_int* error) {
  if (error)
    *error = CL_INVALID_OPERATION;
  return nullptr;
}
cl_sampler CL_API_CALL createSampler(cl_context, const cl_sampler_properties*, cl_int* error) {
  if (error)
    *error = CL_INVALID_OPERATION;
  return nullptr;
}
cl_int CL_API_CALL getImageInfo(cl_mem, cl_image_info, size_t, void*, size_t*) {
  return CL_INVALID_MEM_OBJECT;
}
template <typename Pointer>
cl_int CL_API_CALL transferImage(cl_command_queue, cl_mem, cl_bool, const size_t*, const size_t*,
                                 size_t, size_t, Pointer, cl_uint, const cl_event*, cl_event*) {
  return CL_INVALID_OPERATION;
}

/// The kernels of this folder have no pipes.
cl_mem CL_API_CALL createPipe(cl_context, cl_mem_flags, cl_uint, cl_uint, const cl_pipe_properties*,
                              cl_int* error) {
  if (error)
    *error = CL_INVALID_OPERATION;
  return nullptr;
}

/// There are no extensions.
void* CL_API_CALL findExtensionFunction(cl_platform_id, const char*) {
  return nullptr;
}

const cl_icd_dispatch functions = [] {
  cl_icd_dispatch table = {};
  table.clGetExtensionFunctionAddressForPlatform = findExtensionFunction;
  table.clGetPlatformInfo = getPlatformInfo;
  table.clGetDeviceIDs = getDevices;
  table.clGetDeviceInfo = getDeviceInfo;
  table.clRetainDevice = keep;
  table.clReleaseDevice = keep;
  table.clCreateContext = createContext;
  table.clGetContextInfo = getContextInfo;
  table.clRetainContext = keep;
  table.clReleaseContext = keep;
  table.clCreateCommandQueueWithProperties = createQueue;
  table.clRetainCommandQueue = retain;
  table.clReleaseCommandQueue = releaseQueue;
  table.clCreateBuffer = createBuffer;
  table.clCreatePipe = createPipe;
  table.clCreateImage = createImage;
  table.clGetImageInfo = getImageInfo;
  table.clEnqueueReadImage = transferImage<void*>;
  table.clEnqueueWriteImage = transferImage<const void*>;
  table.clCreateSamplerWithProperties = createSampler;
  table.clRetainSampler = keep;
  table.clReleaseSampler = keep;
  table.clGetMemObjectInfo = getMemoryInfo;
  table.clRetainMemObject = retain;
  table.clReleaseMemObject = releaseMemory;
  table.clCreateProgramWithSource = createProgram;
  table.clCreateProgramWithBuiltInKernels = createBuiltIns;
  table.clBuildProgram = buildProgram;
  table.clGetProgramInfo = getProgramInfo;
  table.clGetProgramBuildInfo = getBuildInfo;
  table.clRetainProgram = retain;
  table.clReleaseProgram = releaseProgram;
  table.clCreateKernel = createKernel;
  table.clRetainKernel = retain;
  table.clReleaseKernel = releaseKernel;
  table.clSetKernelArg = setArgument;
  table.clGetKernelWorkGroupInfo = getWorkGroupInfo;
  table.clEnqueueNDRangeKernel = launch;
  table.clEnqueueReadBuffer = read;
  table.clEnqueueWriteBuffer = write;
  table.clEnqueueCopyBuffer = copy;
  table.clEnqueueFillBuffer = fill;
  table.clFinish = finish;
  table.clFlush = keep;
  return table;
}();

} // namespace
} // namespace quern::bench::cuda

extern "C" __attribute__((visibility("default"))) void*
clGetExtensionFunctionAddress(const char* name) {
  using namespace quern::bench::cuda;
  if (std::string_view(name) == "clIcdGetPlatformIDsKHR")
    return reinterpret_cast<void*>(&getPlatforms);
  if (std::string_view(name) == "clGetPlatformInfo")
    return reinterpret_cast<void*>(&getPlatformInfo);
  return nullptr;
}
