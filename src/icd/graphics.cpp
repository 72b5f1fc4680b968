#include "icd/entry.h"
#include "icd/functions.h"

#include "api/graphics_commands.h"
#include "api/graphics_context.h"
#include "api/graphics_events.h"
#include "api/graphics_objects.h"

namespace quern::icd {

namespace {

using Library = runtime::GraphicsObject::Library;
using Enqueue = Result<api::Command> (&)(Library, cl_command_queue, cl_uint, const cl_mem*,
                                         api::WaitArguments);

/// The arguments of the functions that acquire and release.
struct Objects {
  cl_command_queue queue;
  cl_uint count;
  const cl_mem* list;
  api::WaitArguments wait;
};

cl_int enqueueObjects(const char* function, Library library, Enqueue enqueue,
                      const Objects& objects, cl_event* event) {
  return run({function, objects.queue}, [&]() -> Status {
    QUERN_ASSIGN(const api::Command command,
                 enqueue(library, objects.queue, objects.count, objects.list, objects.wait));
    // For an empty list there is no command.
    if (event && command)
      *event = api::publish(command);
    return {};
  });
}

} // namespace

cl_int CL_API_CALL clGetGLContextInfoKHR(const cl_context_properties* properties,
                                         cl_gl_context_info param_name, size_t param_value_size,
                                         void* param_value, size_t* param_value_size_ret) {
  return run({"clGetGLContextInfoKHR"}, [&] {
    return api::getGLContextInfo(properties, param_name,
                                 {param_value_size, param_value, param_value_size_ret});
  });
}

cl_mem CL_API_CALL clCreateFromGLBuffer(cl_context context, cl_mem_flags flags, cl_GLuint bufobj,
                                        cl_int* errcode_ret) {
  return create({"clCreateFromGLBuffer", context}, errcode_ret,
                [&] { return api::createFromGLBuffer(context, flags, bufobj); });
}

cl_mem CL_API_CALL clCreateFromGLTexture(cl_context context, cl_mem_flags flags, cl_GLenum target,
                                         cl_GLint miplevel, cl_GLuint texture,
                                         cl_int* errcode_ret) {
  return create({"clCreateFromGLTexture", context}, errcode_ret, [&] {
    return api::createFromGLTexture(context, flags, target, miplevel, texture);
  });
}

cl_mem CL_API_CALL clCreateFromGLTexture2D(cl_context context, cl_mem_flags flags, cl_GLenum target,
                                           cl_GLint miplevel, cl_GLuint texture,
                                           cl_int* errcode_ret) {
  return create({"clCreateFromGLTexture2D", context}, errcode_ret, [&] {
    return api::createFromGLTextureOf(CL_GL_OBJECT_TEXTURE2D, context, flags, target, miplevel,
                                      texture);
  });
}

cl_mem CL_API_CALL clCreateFromGLTexture3D(cl_context context, cl_mem_flags flags, cl_GLenum target,
                                           cl_GLint miplevel, cl_GLuint texture,
                                           cl_int* errcode_ret) {
  return create({"clCreateFromGLTexture3D", context}, errcode_ret, [&] {
    return api::createFromGLTextureOf(CL_GL_OBJECT_TEXTURE3D, context, flags, target, miplevel,
                                      texture);
  });
}

cl_mem CL_API_CALL clCreateFromGLRenderbuffer(cl_context context, cl_mem_flags flags,
                                              cl_GLuint renderbuffer, cl_int* errcode_ret) {
  return create({"clCreateFromGLRenderbuffer", context}, errcode_ret,
                [&] { return api::createFromGLRenderbuffer(context, flags, renderbuffer); });
}

cl_mem CL_API_CALL clCreateFromEGLImageKHR(cl_context context, CLeglDisplayKHR egldisplay,
                                           CLeglImageKHR eglimage, cl_mem_flags flags,
                                           const cl_egl_image_properties_khr* properties,
                                           cl_int* errcode_ret) {
  return create({"clCreateFromEGLImageKHR", context}, errcode_ret, [&] {
    return api::createFromEglImage(context, egldisplay, eglimage, flags, properties);
  });
}

cl_event CL_API_CALL clCreateEventFromGLsyncKHR(cl_context context, cl_GLsync sync,
                                                cl_int* errcode_ret) {
  return create({"clCreateEventFromGLsyncKHR", context}, errcode_ret,
                [&] { return api::createEventFromGLsync(context, sync); });
}

cl_event CL_API_CALL clCreateEventFromEGLSyncKHR(cl_context context, CLeglSyncKHR sync,
                                                 CLeglDisplayKHR display, cl_int* errcode_ret) {
  return create({"clCreateEventFromEGLSyncKHR", context}, errcode_ret,
                [&] { return api::createEventFromEglSync(context, sync, display); });
}

cl_int CL_API_CALL clGetGLObjectInfo(cl_mem memobj, cl_gl_object_type* gl_object_type,
                                     cl_GLuint* gl_object_name) {
  return run({"clGetGLObjectInfo", memobj},
             [&] { return api::getGLObjectInfo(memobj, gl_object_type, gl_object_name); });
}

cl_int CL_API_CALL clGetGLTextureInfo(cl_mem memobj, cl_gl_texture_info param_name,
                                      size_t param_value_size, void* param_value,
                                      size_t* param_value_size_ret) {
  return run({"clGetGLTextureInfo", memobj}, [&] {
    return api::getGLTextureInfo(memobj, param_name,
                                 {param_value_size, param_value, param_value_size_ret});
  });
}

cl_int CL_API_CALL clEnqueueAcquireGLObjects(cl_command_queue command_queue, cl_uint num_objects,
                                             const cl_mem* mem_objects,
                                             cl_uint num_events_in_wait_list,
                                             const cl_event* event_wait_list, cl_event* event) {
  return enqueueObjects("clEnqueueAcquireGLObjects", Library::OpenGL, api::enqueueAcquire,
                        {command_queue,
                         num_objects,
                         mem_objects,
                         {num_events_in_wait_list, event_wait_list, event != nullptr}},
                        event);
}

cl_int CL_API_CALL clEnqueueReleaseGLObjects(cl_command_queue command_queue, cl_uint num_objects,
                                             const cl_mem* mem_objects,
                                             cl_uint num_events_in_wait_list,
                                             const cl_event* event_wait_list, cl_event* event) {
  return enqueueObjects("clEnqueueReleaseGLObjects", Library::OpenGL, api::enqueueRelease,
                        {command_queue,
                         num_objects,
                         mem_objects,
                         {num_events_in_wait_list, event_wait_list, event != nullptr}},
                        event);
}

cl_int CL_API_CALL clEnqueueAcquireEGLObjectsKHR(cl_command_queue command_queue,
                                                 cl_uint num_objects, const cl_mem* mem_objects,
                                                 cl_uint num_events_in_wait_list,
                                                 const cl_event* event_wait_list, cl_event* event) {
  return enqueueObjects("clEnqueueAcquireEGLObjectsKHR", Library::Egl, api::enqueueAcquire,
                        {command_queue,
                         num_objects,
                         mem_objects,
                         {num_events_in_wait_list, event_wait_list, event != nullptr}},
                        event);
}

cl_int CL_API_CALL clEnqueueReleaseEGLObjectsKHR(cl_command_queue command_queue,
                                                 cl_uint num_objects, const cl_mem* mem_objects,
                                                 cl_uint num_events_in_wait_list,
                                                 const cl_event* event_wait_list, cl_event* event) {
  return enqueueObjects("clEnqueueReleaseEGLObjectsKHR", Library::Egl, api::enqueueRelease,
                        {command_queue,
                         num_objects,
                         mem_objects,
                         {num_events_in_wait_list, event_wait_list, event != nullptr}},
                        event);
}

} // namespace quern::icd
