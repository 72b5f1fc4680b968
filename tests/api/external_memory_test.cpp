#include "external_memory_fixture.h"

#include <fcntl.h>
#include <fstream>
#include <numeric>
#include <unistd.h>

namespace quern::test {
namespace {

constexpr cl_mem_properties opaqueMemory = CL_EXTERNAL_MEMORY_HANDLE_OPAQUE_FD_KHR;
constexpr cl_mem_properties dmaBuf = CL_EXTERNAL_MEMORY_HANDLE_DMA_BUF_KHR;
constexpr size_t count = 1000, bytes = count * sizeof(cl_int);

cl_mem_properties memoryProperty(int file) {
  return static_cast<cl_mem_properties>(file);
}

/// How often this process has mapped files of SharedFile.
int mappings() {
  std::ifstream maps("/proc/self/maps");
  int found = 0;
  for (std::string line; std::getline(maps, line);)
    found += line.find("quern-test") != std::string::npos;
  return found;
}

TEST_F(ExternalMemoryTest, devicesAndThePlatformSayWhatTheyImport) {
  using Types = std::vector<cl_external_memory_handle_type_khr>;
  const Types types = infoList<cl_external_memory_handle_type_khr>(
      clGetDeviceInfo, device, CL_DEVICE_EXTERNAL_MEMORY_IMPORT_HANDLE_TYPES_KHR);
  const bool hasDmaBufs =
      infoString(clGetDeviceInfo, device, CL_DEVICE_EXTENSIONS).find("_memory_dma_buf") !=
      std::string::npos;
  Types expected = {opaqueMemory};
  if (hasDmaBufs)
    expected.push_back(dmaBuf);
  EXPECT_EQ(expected, types);
  EXPECT_EQ(types, infoList<cl_external_memory_handle_type_khr>(clGetDeviceInfo, device,
                                                                deviceMemoryLinearImageTypes));
  EXPECT_EQ(types,
            infoList<cl_external_memory_handle_type_khr>(
                clGetPlatformInfo, platform, CL_PLATFORM_EXTERNAL_MEMORY_IMPORT_HANDLE_TYPES_KHR));
}

TEST_F(ExternalMemoryTest, buffersAreTheMemoryItself) {
  const SharedFile file(bytes);
  std::iota(file.as<cl_int>(), file.as<cl_int>() + count, 7);
  const Memory buffer = import(file.duplicate(), bytes);
  acquire(buffer);
  std::vector<cl_int> expected(count);
  std::iota(expected.begin(), expected.end(), 7);
  EXPECT_EQ(expected, contents<cl_int>(buffer.get()));
  const cl_int value = -3;
  ASSERT_EQ(CL_SUCCESS, clEnqueueFillBuffer(queue.get(), buffer.get(), &value, sizeof(value), 0,
                                            bytes, 0, nullptr, nullptr));
  const Event released = release(buffer);
  ASSERT_EQ(CL_SUCCESS, clFinish(queue.get()));
  EXPECT_EQ(std::vector<cl_int>(count, -3),
            std::vector<cl_int>(file.as<cl_int>(), file.as<cl_int>() + count));
  // What is outside may write again.
  file.as<cl_int>()[5] = 11;
  acquire(buffer);
  EXPECT_EQ(11, contents<cl_int>(buffer.get())[5]);
  EXPECT_EQ(cl_command_type{CL_COMMAND_RELEASE_EXTERNAL_MEM_OBJECTS_KHR},
            info<cl_command_type>(clGetEventInfo, released.get(), CL_EVENT_COMMAND_TYPE));
}

TEST_F(ExternalMemoryTest, answersQueries) {
  const SharedFile file(bytes);
  const MemoryProperties properties = {opaqueMemory,
                                       memoryProperty(file.duplicate()),
                                       memoryDeviceHandleList,
                                       reinterpret_cast<cl_mem_properties>(device),
                                       0,
                                       0};
  cl_int code = 0;
  const Memory buffer(clCreateBufferWithProperties(context.get(), properties.data(),
                                                   CL_MEM_READ_ONLY, bytes, nullptr, &code));
  ASSERT_EQ(CL_SUCCESS, code);
  EXPECT_EQ(properties,
            infoList<cl_mem_properties>(clGetMemObjectInfo, buffer.get(), CL_MEM_PROPERTIES));
  EXPECT_EQ(nullptr, info<void*>(clGetMemObjectInfo, buffer.get(), CL_MEM_HOST_PTR));
  EXPECT_EQ(cl_mem_flags{CL_MEM_READ_ONLY},
            info<cl_mem_flags>(clGetMemObjectInfo, buffer.get(), CL_MEM_FLAGS));
  EXPECT_EQ(bytes, info<size_t>(clGetMemObjectInfo, buffer.get(), CL_MEM_SIZE));
}

TEST_F(ExternalMemoryTest, maps) {
  const SharedFile file(bytes);
  const Memory buffer = import(file.duplicate(), bytes);
  acquire(buffer);
  cl_int code = 0;
  auto* const mapped = static_cast<cl_int*>(clEnqueueMapBuffer(
      queue.get(), buffer.get(), CL_TRUE, CL_MAP_WRITE, 0, bytes, 0, nullptr, nullptr, &code));
  ASSERT_EQ(CL_SUCCESS, code);
  mapped[3] = 33;
  ASSERT_EQ(CL_SUCCESS,
            clEnqueueUnmapMemObject(queue.get(), buffer.get(), mapped, 0, nullptr, nullptr));
  release(buffer);
  ASSERT_EQ(CL_SUCCESS, clFinish(queue.get()));
  EXPECT_EQ(33, file.as<cl_int>()[3]);
}

TEST_F(ExternalMemoryTest, severalObjectsShareIt) {
  const SharedFile file(bytes);
  const Memory first = import(file.duplicate(), bytes), second = import(file.duplicate(), bytes);
  const cl_int value = 21;
  acquire(first);
  ASSERT_EQ(CL_SUCCESS, clEnqueueFillBuffer(queue.get(), first.get(), &value, sizeof(value), 0,
                                            bytes, 0, nullptr, nullptr));
  release(first);
  acquire(second);
  EXPECT_EQ(std::vector<cl_int>(count, 21), contents<cl_int>(second.get()));
}

TEST_F(ExternalMemoryTest, belongsToTheObject) {
  const SharedFile file(bytes);
  const int descriptor = file.duplicate();
  Memory buffer = import(descriptor, bytes);
  EXPECT_FALSE(isOpen(descriptor));
  EXPECT_EQ(2, mappings());
  const cl_buffer_region region = {0, 256};
  cl_int code = 0;
  Memory part(clCreateSubBuffer(buffer.get(), CL_MEM_READ_WRITE, CL_BUFFER_CREATE_TYPE_REGION,
                                &region, &code));
  ASSERT_EQ(CL_SUCCESS, code);
  buffer.reset();
  EXPECT_EQ(2, mappings());
  const cl_int value = 9;
  ASSERT_EQ(CL_SUCCESS, clEnqueueFillBuffer(queue.get(), part.get(), &value, sizeof(value), 0, 256,
                                            0, nullptr, nullptr));
  ASSERT_EQ(CL_SUCCESS, clFinish(queue.get()));
  EXPECT_EQ(9, file.as<cl_int>()[63]);
  part.reset();
  EXPECT_EQ(1, mappings());
}

TEST_F(ExternalMemoryTest, creationErrors) {
  const SharedFile file(bytes);
  const int descriptor = file.duplicate();
  const cl_mem_properties own = reinterpret_cast<cl_mem_properties>(device);
  const MemoryProperties good = {opaqueMemory, memoryProperty(descriptor), 0};
  int pipeEnds[2];
  ASSERT_EQ(0, pipe(pipeEnds));
  const int unwritable = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
  // Properties.
  EXPECT_EQ(CL_INVALID_PROPERTY, importError({0xdead, 1, 0}, bytes));
  EXPECT_EQ(CL_INVALID_VALUE, importError({opaqueMemory, memoryProperty(-1), 0}, bytes));
  EXPECT_EQ(CL_INVALID_PROPERTY, importError({opaqueMemory, memoryProperty(pipeEnds[0]), 0}, 16));
  EXPECT_EQ(CL_INVALID_PROPERTY, importError({opaqueMemory, memoryProperty(unwritable), 0}, 16));
  EXPECT_EQ(CL_INVALID_PROPERTY, importError({dmaBuf, memoryProperty(descriptor), 0}, bytes));
  EXPECT_EQ(CL_INVALID_PROPERTY, importError({opaqueMemory, memoryProperty(descriptor),
                                              opaqueMemory, memoryProperty(descriptor), 0},
                                             bytes));
  EXPECT_EQ(CL_INVALID_PROPERTY, importError({memoryDeviceHandleList, own, 0, 0}, bytes));
  EXPECT_EQ(CL_INVALID_PROPERTY,
            importError({opaqueMemory, memoryProperty(descriptor), memoryDeviceHandleList, own, 0,
                         memoryDeviceHandleList, own, 0, 0},
                        bytes));
  // Devices.
  EXPECT_EQ(
      CL_INVALID_DEVICE,
      importError({opaqueMemory, memoryProperty(descriptor), memoryDeviceHandleList, 0, 0}, bytes));
  EXPECT_EQ(CL_INVALID_DEVICE,
            importError({opaqueMemory, memoryProperty(descriptor), memoryDeviceHandleList,
                         reinterpret_cast<cl_mem_properties>(context.get()), 0, 0},
                        bytes));
  // Memory of the program besides it.
  cl_int other = 0;
  for (const cl_mem_flags flag : {CL_MEM_USE_HOST_PTR, CL_MEM_ALLOC_HOST_PTR, CL_MEM_COPY_HOST_PTR})
    EXPECT_EQ(CL_INVALID_VALUE, importError(good, bytes, flag, &other));
  EXPECT_EQ(CL_INVALID_HOST_PTR, importError(good, bytes, 0, &other));
  // Sizes.
  EXPECT_EQ(CL_INVALID_BUFFER_SIZE, importError(good, 0));
  EXPECT_EQ(CL_INVALID_BUFFER_SIZE, importError(good, bytes + 1));
  // What is not imported stays the program's.
  for (const int still : {descriptor, pipeEnds[0], pipeEnds[1], unwritable}) {
    EXPECT_TRUE(isOpen(still));
    close(still);
  }
}

TEST_F(ExternalMemoryTest, handOverErrors) {
  const SharedFile file(bytes);
  const Memory buffer = import(file.duplicate(), bytes), plain = makeBuffer(16);
  const Queue foreign(
      clCreateCommandQueueWithProperties(otherContext.get(), device, nullptr, nullptr));
  const Event foreignEvent(clCreateUserEvent(otherContext.get(), nullptr));
  const Event failed = makeUserEvent();
  ASSERT_EQ(CL_SUCCESS, clSetUserEventStatus(failed.get(), -1));
  const cl_mem list[] = {buffer.get()}, plainList[] = {plain.get()}, nothing[] = {nullptr};
  const cl_event failedList[] = {failed.get()}, foreignList[] = {foreignEvent.get()};
  for (const auto enqueue : {functions.acquire, functions.release}) {
    const auto error = [&](cl_command_queue on, cl_uint objectCount, const cl_mem* objects,
                           cl_uint eventCount = 0, const cl_event* events = nullptr) {
      return enqueue(on, objectCount, objects, eventCount, events, nullptr);
    };
    EXPECT_EQ(CL_INVALID_COMMAND_QUEUE, error(nullptr, 1, list));
    EXPECT_EQ(CL_INVALID_VALUE, error(queue.get(), 0, list));
    EXPECT_EQ(CL_INVALID_VALUE, error(queue.get(), 1, nullptr));
    EXPECT_EQ(CL_INVALID_MEM_OBJECT, error(queue.get(), 1, nothing));
    EXPECT_EQ(CL_INVALID_MEM_OBJECT, error(queue.get(), 1, plainList));
    EXPECT_EQ(CL_INVALID_COMMAND_QUEUE, error(foreign.get(), 1, list));
    EXPECT_EQ(CL_INVALID_EVENT_WAIT_LIST, error(queue.get(), 1, list, 1, nullptr));
    EXPECT_EQ(CL_INVALID_CONTEXT, error(queue.get(), 1, list, 1, foreignList));
    EXPECT_EQ(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST,
              error(queue.get(), 1, list, 1, failedList));
  }
}

TEST_F(ExternalMemoryTest, handOversOfNothingOnlyWait) {
  for (const auto enqueue : {functions.acquire, functions.release}) {
    const Event gate = makeUserEvent();
    const cl_event gates[] = {gate.get()};
    cl_event raw = nullptr;
    ASSERT_EQ(CL_SUCCESS, enqueue(queue.get(), 0, nullptr, 1, gates, &raw));
    const Event event(raw);
    EXPECT_GT(statusOf(event), CL_COMPLETE);
    ASSERT_EQ(CL_SUCCESS, clSetUserEventStatus(gate.get(), CL_COMPLETE));
    EXPECT_EQ(CL_SUCCESS, clWaitForEvents(1, &raw));
  }
}

TEST_F(ExternalMemoryTest, imagesLieInItAsTheirPitchSays) {
  constexpr size_t width = 5, height = 4, pitch = 64;
  const SharedFile file(pitch * height);
  for (size_t y = 0; y < height; ++y)
    for (size_t x = 0; x < width; ++x)
      file.as<cl_uint>()[y * pitch / 4 + x] = static_cast<cl_uint>(10 * y + x);
  const cl_image_format format = {CL_R, CL_UNSIGNED_INT32};
  cl_image_desc shape = {};
  shape.image_type = CL_MEM_OBJECT_IMAGE2D;
  shape.image_width = width;
  shape.image_height = height;
  shape.image_row_pitch = pitch;
  const int descriptor = file.duplicate();
  const MemoryProperties properties = {opaqueMemory, memoryProperty(descriptor), 0};
  cl_int code = 0;
  const auto create = [&](cl_mem_flags flags, void* hostPointer = nullptr) {
    return clCreateImageWithProperties(context.get(), properties.data(), flags, &format, &shape,
                                       hostPointer, &code);
  };
  // Memory of the program besides it, and more than there is.
  EXPECT_EQ(nullptr, create(CL_MEM_COPY_HOST_PTR, &code));
  EXPECT_EQ(CL_INVALID_VALUE, code);
  EXPECT_EQ(nullptr, create(0, &code));
  EXPECT_EQ(CL_INVALID_HOST_PTR, code);
  shape.image_height = height + 1;
  EXPECT_EQ(nullptr, create(0));
  EXPECT_EQ(CL_INVALID_IMAGE_SIZE, code);
  shape.image_height = height;
  const Memory image(create(CL_MEM_READ_WRITE));
  ASSERT_EQ(CL_SUCCESS, code);
  EXPECT_EQ(pitch, info<size_t>(clGetImageInfo, image.get(), CL_IMAGE_ROW_PITCH));
  acquire(image);
  std::vector<cl_uint> read(width * height);
  const size_t origin[3] = {}, region[3] = {width, height, 1};
  ASSERT_EQ(CL_SUCCESS, clEnqueueReadImage(queue.get(), image.get(), CL_TRUE, origin, region, 0, 0,
                                           read.data(), 0, nullptr, nullptr));
  EXPECT_EQ(32u, read[3 * width + 2]);
  const cl_uint color[4] = {77, 0, 0, 0};
  ASSERT_EQ(CL_SUCCESS, clEnqueueFillImage(queue.get(), image.get(), color, origin, region, 0,
                                           nullptr, nullptr));
  release(image);
  ASSERT_EQ(CL_SUCCESS, clFinish(queue.get()));
  EXPECT_EQ(77u, file.as<cl_uint>()[2 * pitch / 4 + 4]);
  // Between the rows is nothing of the image.
  EXPECT_EQ(0u, file.as<cl_uint>()[2 * pitch / 4 + 5]);
}

TEST_F(ExternalMemoryTest, armImportsMemoryOfTheProgram) {
  std::vector<cl_int> own(count, 4);
  const cl_import_properties_arm host[] = {CL_IMPORT_TYPE_ARM, CL_IMPORT_TYPE_HOST_ARM, 0};
  for (const cl_import_properties_arm* properties :
       {host, host + 2, static_cast<const cl_import_properties_arm*>(nullptr)}) {
    cl_int code = 0;
    const Memory buffer(functions.importArm(context.get(), CL_MEM_READ_WRITE, properties,
                                            own.data(), bytes, &code));
    ASSERT_EQ(CL_SUCCESS, code);
    EXPECT_EQ(std::vector<cl_int>(count, 4), contents<cl_int>(buffer.get()));
    const cl_int value = 5;
    ASSERT_EQ(CL_SUCCESS, clEnqueueFillBuffer(queue.get(), buffer.get(), &value, sizeof(value), 0,
                                              bytes, 0, nullptr, nullptr));
    ASSERT_EQ(CL_SUCCESS, clFinish(queue.get()));
    EXPECT_EQ(std::vector<cl_int>(count, 5), own);
    own.assign(count, 4);
  }
}

TEST_F(ExternalMemoryTest, armImportErrors) {
  std::vector<cl_int> own(count);
  const auto error = [&](std::vector<cl_import_properties_arm> properties, cl_mem_flags flags = 0,
                         bool hasMemory = true, size_t size = bytes) {
    cl_int code = 0;
    properties.push_back(0);
    EXPECT_EQ(nullptr, functions.importArm(context.get(), flags, properties.data(),
                                           hasMemory ? own.data() : nullptr, size, &code));
    return code;
  };
  cl_int code = 0;
  EXPECT_EQ(nullptr, functions.importArm(nullptr, 0, nullptr, own.data(), bytes, &code));
  EXPECT_EQ(CL_INVALID_CONTEXT, code);
  EXPECT_EQ(CL_INVALID_PROPERTY, error({0xdead, 1}));
  EXPECT_EQ(CL_INVALID_PROPERTY, error({CL_IMPORT_TYPE_ARM, CL_IMPORT_TYPE_PROTECTED_ARM}));
  EXPECT_EQ(CL_INVALID_PROPERTY, error({CL_IMPORT_TYPE_ARM, CL_IMPORT_TYPE_HOST_ARM,
                                        CL_IMPORT_TYPE_ARM, CL_IMPORT_TYPE_HOST_ARM}));
  EXPECT_EQ(CL_INVALID_PROPERTY,
            error({CL_IMPORT_DMA_BUF_DATA_CONSISTENCY_WITH_HOST_ARM, CL_TRUE}));
  EXPECT_EQ(CL_INVALID_VALUE, error({}, CL_MEM_USE_HOST_PTR));
  EXPECT_EQ(CL_INVALID_VALUE, error({}, CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY));
  EXPECT_EQ(CL_INVALID_VALUE, error({}, 0, false));
  EXPECT_EQ(CL_INVALID_BUFFER_SIZE, error({}, 0, true, 0));
}

} // namespace
} // namespace quern::test
