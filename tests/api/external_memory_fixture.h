#pragma once

#include <cstring>
#include <sys/mman.h>

#include "opencl_test.h"

namespace quern::test {

using MemoryProperties = std::vector<cl_mem_properties>;

// Of headers younger than the oldest that the tests are built with.
inline constexpr cl_mem_properties memoryDeviceHandleList = 0x2051;
inline constexpr cl_device_info deviceMemoryLinearImageTypes = 0x2052;

/// The functions of the extensions about memory from outside, which programs look up by name.
struct ExternalMemoryFunctions {
  using Enqueue = cl_int(CL_API_CALL*)(cl_command_queue queue, cl_uint count, const cl_mem* objects,
                                       cl_uint eventCount, const cl_event* events, cl_event* event);
  static const ExternalMemoryFunctions& get();

  Enqueue acquire, release;
  decltype(&clImportMemoryARM) importArm;
};

/// Anonymous memory that has a descriptor, and that this process has mapped for itself.
class SharedFile {
public:
  explicit SharedFile(size_t bytes);
  SharedFile(const SharedFile&) = delete;
  SharedFile& operator=(const SharedFile&) = delete;
  ~SharedFile();

  /// A descriptor for someone else.
  int duplicate() const;
  template <typename T> T* as() const { return static_cast<T*>(data_); }

private:
  size_t bytes_;
  int file_;
  void* data_;
};

/// Makes memory objects of memory from outside.
class ExternalMemoryTest : public OpenClTest {
protected:
  const ExternalMemoryFunctions& functions = ExternalMemoryFunctions::get();

  Memory import(int file, size_t bytes, cl_mem_flags flags = CL_MEM_READ_WRITE) const;
  cl_int importError(const MemoryProperties& properties, size_t bytes, cl_mem_flags flags = 0,
                     void* hostPointer = nullptr) const;
  Event acquire(const Memory& memory, const std::vector<cl_event>& events = {}) const;
  Event release(const Memory& memory, const std::vector<cl_event>& events = {}) const;
};

} // namespace quern::test
