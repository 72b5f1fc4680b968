#include "icd/entry.h"
#include "icd/functions.h"

#include "api/memory.h"
#include "api/pipe.h"

namespace quern::icd {

using runtime::MemoryObject;

cl_mem CL_API_CALL clCreateBuffer(cl_context context, cl_mem_flags flags, size_t size,
                                  void* host_ptr, cl_int* errcode_ret) {
  return create({"clCreateBuffer", context}, errcode_ret,
                [&] { return api::createBuffer(context, nullptr, flags, size, host_ptr); });
}

cl_mem CL_API_CALL clCreateBufferWithProperties(cl_context context,
                                                const cl_mem_properties* properties,
                                                cl_mem_flags flags, size_t size, void* host_ptr,
                                                cl_int* errcode_ret) {
  return create({"clCreateBufferWithProperties", context}, errcode_ret,
                [&] { return api::createBuffer(context, properties, flags, size, host_ptr); });
}

cl_mem CL_API_CALL clCreateSubBuffer(cl_mem buffer, cl_mem_flags flags,
                                     cl_buffer_create_type buffer_create_type,
                                     const void* buffer_create_info, cl_int* errcode_ret) {
  return create({"clCreateSubBuffer", buffer}, errcode_ret, [&] {
    return api::createSubBuffer(buffer, flags, buffer_create_type, buffer_create_info);
  });
}

cl_mem CL_API_CALL clCreatePipe(cl_context context, cl_mem_flags flags, cl_uint pipe_packet_size,
                                cl_uint pipe_max_packets, const cl_pipe_properties* properties,
                                cl_int* errcode_ret) {
  return create({"clCreatePipe", context}, errcode_ret, [&] {
    return api::createPipe(context, flags, pipe_packet_size, pipe_max_packets, properties);
  });
}

cl_int CL_API_CALL clGetPipeInfo(cl_mem pipe, cl_pipe_info param_name, size_t param_value_size,
                                 void* param_value, size_t* param_value_size_ret) {
  return run({"clGetPipeInfo", pipe}, [&] {
    return api::getPipeInfo(pipe, param_name,
                            {param_value_size, param_value, param_value_size_ret});
  });
}

cl_int CL_API_CALL clRetainMemObject(cl_mem memobj) {
  return run({"clRetainMemObject"}, [&] { return api::retain<MemoryObject>(memobj); });
}

cl_int CL_API_CALL clReleaseMemObject(cl_mem memobj) {
  return run({"clReleaseMemObject"}, [&] { return api::release<MemoryObject>(memobj); });
}

cl_int CL_API_CALL clSetMemObjectDestructorCallback(cl_mem memobj,
                                                    MemoryObject::DestructorFunction pfn_notify,
                                                    void* user_data) {
  return run({"clSetMemObjectDestructorCallback", memobj},
             [&] { return api::setMemObjectDestructorCallback(memobj, pfn_notify, user_data); });
}

cl_int CL_API_CALL clGetMemObjectInfo(cl_mem memobj, cl_mem_info param_name,
                                      size_t param_value_size, void* param_value,
                                      size_t* param_value_size_ret) {
  return run({"clGetMemObjectInfo", memobj}, [&] {
    return api::getMemObjectInfo(memobj, param_name,
                                 {param_value_size, param_value, param_value_size_ret});
  });
}

} // namespace quern::icd
