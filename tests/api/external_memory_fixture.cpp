#include "external_memory_fixture.h"

#include <fcntl.h>
#include <unistd.h>

namespace quern::test {

namespace {

template <typename Function> void find(Function& function, const char* name) {
  function =
      reinterpret_cast<Function>(clGetExtensionFunctionAddressForPlatform(quernPlatform(), name));
  EXPECT_NE(nullptr, function) << name;
}

Event enqueue(ExternalMemoryFunctions::Enqueue function, cl_command_queue queue,
              const Memory& memory, const std::vector<cl_event>& events) {
  const cl_mem list[] = {memory.get()};
  cl_event event = nullptr;
  EXPECT_EQ(CL_SUCCESS, function(queue, 1, list, static_cast<cl_uint>(events.size()),
                                 events.empty() ? nullptr : events.data(), &event));
  return Event(event);
}

} // namespace

const ExternalMemoryFunctions& ExternalMemoryFunctions::get() {
  static const ExternalMemoryFunctions all = [] {
    ExternalMemoryFunctions found = {};
    find(found.acquire, "clEnqueueAcquireExternalMemObjectsKHR");
    find(found.release, "clEnqueueReleaseExternalMemObjectsKHR");
    find(found.importArm, "clImportMemoryARM");
    return found;
  }();
  return all;
}

SharedFile::SharedFile(size_t bytes)
    : bytes_(bytes), file_(memfd_create("quern-test", MFD_CLOEXEC)) {
  EXPECT_EQ(0, ftruncate(file_, static_cast<off_t>(bytes)));
  data_ = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file_, 0);
  EXPECT_NE(MAP_FAILED, data_);
}

SharedFile::~SharedFile() {
  munmap(data_, bytes_);
  close(file_);
}

int SharedFile::duplicate() const {
  return fcntl(file_, F_DUPFD_CLOEXEC, 0);
}

Memory ExternalMemoryTest::import(int file, size_t bytes, cl_mem_flags flags) const {
  const cl_mem_properties properties[] = {CL_EXTERNAL_MEMORY_HANDLE_OPAQUE_FD_KHR,
                                          static_cast<cl_mem_properties>(file), 0};
  cl_int code = 0;
  Memory made(
      clCreateBufferWithProperties(context.get(), properties, flags, bytes, nullptr, &code));
  EXPECT_EQ(CL_SUCCESS, code);
  return made;
}

cl_int ExternalMemoryTest::importError(const MemoryProperties& properties, size_t bytes,
                                       cl_mem_flags flags, void* hostPointer) const {
  cl_int code = 0;
  EXPECT_EQ(nullptr, clCreateBufferWithProperties(context.get(), properties.data(), flags, bytes,
                                                  hostPointer, &code));
  return code;
}

Event ExternalMemoryTest::acquire(const Memory& memory, const std::vector<cl_event>& events) const {
  return enqueue(functions.acquire, queue.get(), memory, events);
}

Event ExternalMemoryTest::release(const Memory& memory, const std::vector<cl_event>& events) const {
  return enqueue(functions.release, queue.get(), memory, events);
}

} // namespace quern::test
