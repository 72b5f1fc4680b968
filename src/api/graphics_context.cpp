#include "api/graphics_context.h"

#include <algorithm>
#include <vector>

#include <CL/cl_gl.h>

#include "api/handle.h"
#include "api/property_list.h"
#include "opengl/share_group.h"
#include "runtime/platform.h"

namespace quern::api {

namespace {

using opengl::ProgramContext;
using runtime::Device;

constexpr cl_context_properties foreignSystems[] = {CL_WGL_HDC_KHR, CL_CGL_SHAREGROUP_KHR};

/// The value of `name`; its default, 0, where it is not given.
cl_context_properties valueOf(std::span<const cl_context_properties> list,
                              cl_context_properties name) {
  for (size_t i = 0; i + 1 < list.size(); i += 2)
    if (list[i] == name)
      return list[i + 1];
  return 0;
}

bool isGiven(std::span<const cl_context_properties> list, cl_context_properties name) {
  for (size_t i = 0; i + 1 < list.size(); i += 2)
    if (list[i] == name)
      return true;
  return false;
}

/// The device that does the work of the group's OpenGL context; null where it is none of the
/// platform's. What no GPU draws is drawn by the host.
const Device* drawingDeviceOf(opengl::ShareGroup& group, std::span<const Ref<Device>> devices) {
  const Device* found = nullptr;
  group.call([&](const opengl::Functions&) {
    for (const Ref<Device>& device : devices)
      if (!found && device->backend().drawsCurrentOpenGl())
        found = device.get();
  });
  for (const Ref<Device>& device : devices)
    if (!found && device->caps().hostUnifiedMemory)
      found = device.get();
  return found;
}

} // namespace

bool namesGraphics(cl_context_properties name) {
  return name == CL_GL_CONTEXT_KHR || name == CL_GLX_DISPLAY_KHR || name == CL_EGL_DISPLAY_KHR ||
         std::ranges::find(foreignSystems, name) != std::end(foreignSystems);
}

Result<std::optional<ProgramContext>>
parseProgramContext(std::span<const cl_context_properties> list) {
  const cl_context_properties context = valueOf(list, CL_GL_CONTEXT_KHR);
  const cl_context_properties glx = valueOf(list, CL_GLX_DISPLAY_KHR);
  const cl_context_properties egl = valueOf(list, CL_EGL_DISPLAY_KHR);
  bool sharesGraphics = false;
  for (size_t i = 0; i + 1 < list.size(); i += 2)
    sharesGraphics = sharesGraphics || namesGraphics(list[i]);
  // Both CL_CONTEXT_INTEROP_USER_SYNC and a property of sharing.
  if (sharesGraphics && isGiven(list, CL_CONTEXT_INTEROP_USER_SYNC))
    return Status::error(CL_INVALID_PROPERTY,
                         "CL_CONTEXT_INTEROP_USER_SYNC is not for contexts that share objects "
                         "with OpenGL");
  // A window system that is not here, or more than one.
  for (const cl_context_properties foreign : foreignSystems)
    if (valueOf(list, foreign) != 0)
      return Status::error(CL_INVALID_OPERATION, sentence("property ", foreign,
                                                          " is for a window system other than GLX "
                                                          "and EGL, which this one does not have"));
  if (glx && egl)
    return Status::error(CL_INVALID_OPERATION,
                         "CL_GLX_DISPLAY_KHR and CL_EGL_DISPLAY_KHR exclude each other");
  if (!context && !glx && !egl)
    return std::optional<ProgramContext>();
  // They do not name a context.
  if (!context || (!glx && !egl))
    return Status::error(CL_INVALID_GL_SHAREGROUP_REFERENCE_KHR,
                         context ? "CL_GL_CONTEXT_KHR is given, but no display"
                                 : "a display is given, but not CL_GL_CONTEXT_KHR");
  return std::optional(
      ProgramContext{.api = glx ? ProgramContext::Api::Glx : ProgramContext::Api::Egl,
                     .display = reinterpret_cast<void*>(glx ? glx : egl),
                     .context = reinterpret_cast<void*>(context)});
}

Result<runtime::Context*> sharingContext(cl_context handle) {
  QUERN_ASSIGN(runtime::Context * context, fromHandle<runtime::Context>(handle));
  if (!context->shareGroup())
    return Status::error(CL_INVALID_CONTEXT,
                         "the context was not made from an OpenGL context (CL_GL_CONTEXT_KHR)");
  return context;
}

Status getGLContextInfo(const cl_context_properties* properties, cl_gl_context_info name,
                        const InfoRequest& request) {
  const std::vector<cl_context_properties> list = copyPropertyList(properties);
  for (size_t i = 0; i + 1 < list.size(); i += 2)
    // The name of a property is not valid.
    if (!namesGraphics(list[i]) && list[i] != CL_CONTEXT_PLATFORM &&
        list[i] != CL_CONTEXT_INTEROP_USER_SYNC)
      return Status::error(CL_INVALID_VALUE,
                           sentence("property ", list[i], " is not a property of a context"));
  QUERN_ASSIGN(const std::optional<ProgramContext> program, parseProgramContext(list));
  if (!program)
    return Status::error(CL_INVALID_GL_SHAREGROUP_REFERENCE_KHR,
                         "the properties name no OpenGL context");
  QUERN_ASSIGN(const Ref<opengl::ShareGroup> group, opengl::ShareGroup::open(*program));
  const std::span<const Ref<Device>> devices = runtime::Platform::get().devices();
  InfoValue value;
  switch (name) {
  case CL_CURRENT_DEVICE_FOR_GL_CONTEXT_KHR:
    if (const Device* device = drawingDeviceOf(*group, devices))
      value.put(toHandle(device));
    break;
  case CL_DEVICES_FOR_GL_CONTEXT_KHR:
    for (const Ref<Device>& device : devices)
      value.put(toHandle(device.get()));
    break;
  default:
    return unknownQuery("OpenGL context", name);
  }
  return answer(value, request);
}

} // namespace quern::api
