// What OpenCL's C++ header has no classes for yet: semaphores and memory of other processes.
#pragma once

#include "gallery.h"

#include <CL/cl_ext.h>

#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

/// The functions of cl_khr_semaphore, cl_khr_external_semaphore and cl_khr_external_memory.
struct SharingFunctions {
  explicit SharingFunctions(const cl::Platform& platform) {
    const auto find = [&platform](auto& function, const char* name) {
      function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(
          clGetExtensionFunctionAddressForPlatform(platform(), name));
    };
    find(create, "clCreateSemaphoreWithPropertiesKHR");
    find(release, "clReleaseSemaphoreKHR");
    find(getHandle, "clGetSemaphoreHandleForTypeKHR");
    find(signal, "clEnqueueSignalSemaphoresKHR");
    find(wait, "clEnqueueWaitSemaphoresKHR");
    find(acquire, "clEnqueueAcquireExternalMemObjectsKHR");
    find(giveBack, "clEnqueueReleaseExternalMemObjectsKHR");
  }

  clCreateSemaphoreWithPropertiesKHR_fn create;
  clReleaseSemaphoreKHR_fn release;
  clGetSemaphoreHandleForTypeKHR_fn getHandle;
  clEnqueueSignalSemaphoresKHR_fn signal;
  clEnqueueWaitSemaphoresKHR_fn wait;
  cl_int(CL_API_CALL* acquire)(cl_command_queue, cl_uint, const cl_mem*, cl_uint, const cl_event*,
                               cl_event*);
  cl_int(CL_API_CALL* giveBack)(cl_command_queue, cl_uint, const cl_mem*, cl_uint, const cl_event*,
                                cl_event*);
};

inline void check(cl_int code, const char* call) {
  if (code != CL_SUCCESS)
    throw cl::Error(code, call);
}

/// A semaphore that another process can import, or has exported.
class Semaphore {
public:
  Semaphore(const SharingFunctions& functions, const cl::Context& context)
      : Semaphore(functions, context,
                  {CL_SEMAPHORE_TYPE_KHR, CL_SEMAPHORE_TYPE_BINARY_KHR,
                   CL_SEMAPHORE_EXPORT_HANDLE_TYPES_KHR, CL_SEMAPHORE_HANDLE_OPAQUE_FD_KHR,
                   CL_SEMAPHORE_EXPORT_HANDLE_TYPES_LIST_END_KHR, 0}) {}
  /// Takes over `file`.
  Semaphore(const SharingFunctions& functions, const cl::Context& context, int file)
      : Semaphore(functions, context,
                  {CL_SEMAPHORE_TYPE_KHR, CL_SEMAPHORE_TYPE_BINARY_KHR,
                   CL_SEMAPHORE_HANDLE_OPAQUE_FD_KHR,
                   static_cast<cl_semaphore_properties_khr>(file), 0}) {}
  Semaphore(const Semaphore&) = delete;
  Semaphore& operator=(const Semaphore&) = delete;
  ~Semaphore() { functions_.release(handle_); }

  /// A file descriptor for another process, which the caller closes.
  int exported(const cl::Device& device) const {
    int file = -1;
    check(functions_.getHandle(handle_, device(), CL_SEMAPHORE_HANDLE_OPAQUE_FD_KHR, sizeof(file),
                               &file, nullptr),
          "clGetSemaphoreHandleForTypeKHR");
    return file;
  }
  void enqueueSignal(const cl::CommandQueue& queue) const {
    check(functions_.signal(queue(), 1, &handle_, nullptr, 0, nullptr, nullptr),
          "clEnqueueSignalSemaphoresKHR");
  }
  void enqueueWait(const cl::CommandQueue& queue) const {
    check(functions_.wait(queue(), 1, &handle_, nullptr, 0, nullptr, nullptr),
          "clEnqueueWaitSemaphoresKHR");
  }

private:
  Semaphore(const SharingFunctions& functions, const cl::Context& context,
            const std::vector<cl_semaphore_properties_khr>& properties)
      : functions_(functions) {
    cl_int code = CL_SUCCESS;
    handle_ = functions.create(context(), properties.data(), &code);
    check(code, "clCreateSemaphoreWithPropertiesKHR");
  }

  const SharingFunctions& functions_;
  cl_semaphore_khr handle_ = nullptr;
};

/// A buffer of the memory behind `file`, which it takes over.
inline cl::Buffer importBuffer(const cl::Context& context, int file, size_t bytes) {
  const cl_mem_properties properties[] = {CL_EXTERNAL_MEMORY_HANDLE_OPAQUE_FD_KHR,
                                          static_cast<cl_mem_properties>(file), 0};
  cl_int code = CL_SUCCESS;
  cl::Buffer buffer(clCreateBufferWithProperties(context(), properties, CL_MEM_READ_WRITE, bytes,
                                                 nullptr, &code));
  check(code, "clCreateBufferWithProperties");
  return buffer;
}

/// Memory without a name, as a file descriptor.
inline int makeSharedMemory(size_t bytes) {
  const int file = memfd_create("two_processes", MFD_CLOEXEC);
  if (file < 0 || ftruncate(file, static_cast<off_t>(bytes)) != 0)
    throw std::runtime_error("the system gives no memory to share");
  return file;
}

/// Sends a file descriptor to the process at the other end of `socket`, where receive gets one of
/// its own.
inline void send(int socket, int file) {
  char byte = 0;
  iovec data = {&byte, 1};
  alignas(cmsghdr) char control[CMSG_SPACE(sizeof(int))] = {};
  msghdr message = {};
  message.msg_iov = &data;
  message.msg_iovlen = 1;
  message.msg_control = control;
  message.msg_controllen = sizeof(control);
  cmsghdr* const header = CMSG_FIRSTHDR(&message);
  header->cmsg_level = SOL_SOCKET;
  header->cmsg_type = SCM_RIGHTS;
  header->cmsg_len = CMSG_LEN(sizeof(int));
  std::copy_n(reinterpret_cast<const unsigned char*>(&file), sizeof(file), CMSG_DATA(header));
  if (sendmsg(socket, &message, MSG_NOSIGNAL) != 1)
    throw std::runtime_error("the other process has ended");
}

inline int receive(int socket) {
  char byte = 0;
  iovec data = {&byte, 1};
  alignas(cmsghdr) char control[CMSG_SPACE(sizeof(int))] = {};
  msghdr message = {};
  message.msg_iov = &data;
  message.msg_iovlen = 1;
  message.msg_control = control;
  message.msg_controllen = sizeof(control);
  const cmsghdr* const header =
      recvmsg(socket, &message, MSG_CMSG_CLOEXEC) == 1 ? CMSG_FIRSTHDR(&message) : nullptr;
  if (!header)
    throw std::runtime_error("the other process has ended");
  int file = -1;
  std::copy_n(CMSG_DATA(header), sizeof(file), reinterpret_cast<unsigned char*>(&file));
  return file;
}
