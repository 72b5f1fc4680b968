#include "api/graphics_objects.h"

#include <optional>

#include "api/handle.h"
#include "api/memory_flags.h"
#include "opengl/buffer.h"
#include "runtime/context.h"

namespace quern::api {

namespace {

using runtime::Buffer;
using runtime::Context;
using runtime::GraphicsObject;
using runtime::MemoryObject;

/// The context of `handle`. CL_INVALID_CONTEXT where it was not made from an OpenGL context.
Result<Context*> sharingContext(cl_context handle) {
  QUERN_ASSIGN(Context * context, fromHandle<Context>(handle));
  if (!context->shareGroup())
    return Status::error(CL_INVALID_CONTEXT,
                         "the context was not made from an OpenGL context (CL_GL_CONTEXT_KHR)");
  return context;
}

/// The flags to be used for `flags`. CL_INVALID_VALUE where they are others than how kernels use
/// the object.
Result<cl_mem_flags> parseFlags(cl_mem_flags flags) {
  if (flags & ~kernelAccessFlags)
    return Status::error(CL_INVALID_VALUE,
                         sentence("memory flags ", flags,
                                  " contain others than CL_MEM_READ_ONLY, CL_MEM_WRITE_ONLY and "
                                  "CL_MEM_READ_WRITE"));
  QUERN_TRY(checkFlags(flags));
  return flags ? flags : cl_mem_flags{CL_MEM_READ_WRITE};
}

/// What `find`, called on the share group's thread, finds.
template <typename T, typename Find>
Result<Ref<T>> findThere(opengl::ShareGroup& group, Find find) {
  std::optional<Result<Ref<T>>> found;
  group.call([&](const opengl::Functions& functions) { found = find(functions); });
  return std::move(*found);
}

/// The object of OpenGL that `handle` was made from.
Result<const GraphicsObject*> openglObject(cl_mem handle) {
  QUERN_ASSIGN(const MemoryObject* memory, fromHandle<MemoryObject>(handle));
  const GraphicsObject* const graphics = memory->graphics();
  if (!graphics || graphics->library() != GraphicsObject::Library::OpenGL)
    return Status::error(CL_INVALID_GL_OBJECT,
                         "the memory object was not made from an object of OpenGL");
  return graphics;
}

bool isTexture(cl_gl_object_type type) {
  return type != CL_GL_OBJECT_BUFFER && type != CL_GL_OBJECT_RENDERBUFFER;
}

constexpr InfoRow<GraphicsObject> textureRows[] = {
    {CL_GL_TEXTURE_TARGET, [](const GraphicsObject& object,
                              InfoValue& value) { value.put<cl_GLenum>(object.name().target); }},
    {CL_GL_MIPMAP_LEVEL, [](const GraphicsObject& object,
                            InfoValue& value) { value.put<cl_GLint>(object.name().level); }},
    {CL_GL_NUM_SAMPLES, [](const GraphicsObject& object,
                           InfoValue& value) { value.put<cl_GLint>(object.name().samples); }},
};

} // namespace

Result<Ref<MemoryObject>> createFromGLBuffer(cl_context handle, cl_mem_flags flags,
                                             cl_GLuint name) {
  QUERN_ASSIGN(Context * context, sharingContext(handle));
  QUERN_ASSIGN(const cl_mem_flags checked, parseFlags(flags));
  const Ref<opengl::ShareGroup>& group = context->shareGroup();
  QUERN_ASSIGN(Ref<opengl::Buffer> object,
               findThere<opengl::Buffer>(*group, [name](const opengl::Functions& functions) {
                 return opengl::Buffer::find(functions, name);
               }));
  MemoryObject::Creation creation = {.flags = checked, .bytes = object->bytes()};
  creation.graphics =
      makeRef<GraphicsObject>(GraphicsObject::Library::OpenGL, group, std::move(object));
  QUERN_ASSIGN(Ref<MemoryObject> buffer, Buffer::create(*context, std::move(creation), nullptr));
  return buffer;
}

Status getGLObjectInfo(cl_mem memory, cl_gl_object_type* type, cl_GLuint* name) {
  QUERN_ASSIGN(const GraphicsObject* object, openglObject(memory));
  if (type)
    *type = object->name().type;
  if (name)
    *name = object->name().name;
  return {};
}

Status getGLTextureInfo(cl_mem memory, cl_gl_texture_info name, const InfoRequest& request) {
  QUERN_ASSIGN(const GraphicsObject* object, openglObject(memory));
  if (!isTexture(object->name().type))
    return Status::error(CL_INVALID_GL_OBJECT,
                         "the memory object was made from a buffer or renderbuffer of OpenGL, not "
                         "from a texture");
  return query(std::span<const InfoRow<GraphicsObject>>(textureRows), "texture of OpenGL", *object,
               name, request);
}

} // namespace quern::api
