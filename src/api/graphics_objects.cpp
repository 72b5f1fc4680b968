#include "api/graphics_objects.h"

#include <optional>

#include "api/graphics_context.h"
#include "api/handle.h"
#include "api/image_formats.h"
#include "api/image_shape.h"
#include "api/memory_flags.h"
#include "opengl/buffer.h"
#include "opengl/egl_image.h"
#include "opengl/renderbuffer.h"
#include "opengl/texture.h"
#include "runtime/context.h"
#include "runtime/image.h"

namespace quern::api {

namespace {

using runtime::Buffer;
using runtime::Context;
using runtime::GraphicsObject;
using runtime::Image;
using runtime::MemoryObject;

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

/// The arguments that make a memory object of another library's, as far as they are checked.
struct SharingRequest {
  Context& context;
  cl_mem_flags flags;
  GraphicsObject::Library library;
  Ref<opengl::ShareGroup> group;

  Ref<GraphicsObject> keep(Ref<opengl::Object> object) const {
    return makeRef<GraphicsObject>(library, group, std::move(object));
  }
};

Result<SharingRequest> parseSharingRequest(cl_context handle, cl_mem_flags flags) {
  QUERN_ASSIGN(Context * context, sharingContext(handle));
  QUERN_ASSIGN(const cl_mem_flags checked, parseFlags(flags));
  return SharingRequest{*context, checked, GraphicsObject::Library::OpenGL, context->shareGroup()};
}

/// Where textures of EGLImages of `display` can be made: any context of it will do.
Result<Ref<opengl::ShareGroup>> groupOf(const Context& context, void* display) {
  using opengl::ProgramContext;
  const Ref<opengl::ShareGroup>& own = context.shareGroup();
  if (own && own->program().api == ProgramContext::Api::Egl && own->program().display == display)
    return own;
  return opengl::ShareGroup::open(
      {.api = ProgramContext::Api::Egl, .display = display, .context = nullptr});
}

cl_image_desc describe(const opengl::Image::Shape& shape) {
  cl_image_desc description = {};
  description.image_type = shape.type;
  description.image_width = shape.size[0];
  description.image_height = shape.size[1];
  description.image_depth = shape.size[2];
  description.image_array_size = shape.size[shape.type == CL_MEM_OBJECT_IMAGE1D_ARRAY ? 1 : 2];
  return description;
}

Result<Ref<MemoryObject>> createImage(const SharingRequest& request, Ref<opengl::Image> object) {
  // No device has images.
  if (!hasImages(request.context))
    return Status::error(CL_INVALID_OPERATION, "no device of the context has images");
  const opengl::ImageFormat& format = *object->shape().format;
  const cl_image_desc description = describe(object->shape());
  QUERN_ASSIGN(Image::Shape shape,
               parseShape(request.context, format.stored, &description, /*hasElements=*/false));
  shape.description.announced = format.announced;
  if ((shape.description.samples = object->shape().samples) != 0)
    shape.description.sliceStride = shape.description.rowStride * shape.description.size[1];
  MemoryObject::Creation creation = {
      .type = shape.description.type, .flags = request.flags, .bytes = memoryBytes(shape)};
  creation.graphics = request.keep(std::move(object));
  QUERN_ASSIGN(Ref<MemoryObject> image,
               Image::create(request.context, std::move(creation), shape, nullptr));
  return image;
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

Result<Ref<MemoryObject>> createFromGLBuffer(cl_context context, cl_mem_flags flags,
                                             cl_GLuint name) {
  QUERN_ASSIGN(const SharingRequest request, parseSharingRequest(context, flags));
  QUERN_ASSIGN(
      Ref<opengl::Buffer> object,
      findThere<opengl::Buffer>(*request.group, [name](const opengl::Functions& functions) {
        return opengl::Buffer::find(functions, name);
      }));
  MemoryObject::Creation creation = {.flags = request.flags, .bytes = object->bytes()};
  creation.graphics = request.keep(std::move(object));
  QUERN_ASSIGN(Ref<MemoryObject> buffer,
               Buffer::create(request.context, std::move(creation), nullptr));
  return buffer;
}

Result<Ref<MemoryObject>> createFromGLTexture(cl_context context, cl_mem_flags flags,
                                              cl_GLenum target, cl_GLint level, cl_GLuint name) {
  QUERN_ASSIGN(const SharingRequest request, parseSharingRequest(context, flags));
  // texture_target is not one of the targets.
  if (!opengl::isTextureTarget(target))
    return Status::error(CL_INVALID_VALUE, sentence("texture_target ", target,
                                                    " is not a target of textures to be shared"));
  QUERN_ASSIGN(Ref<opengl::Image> object,
               findThere<opengl::Image>(*request.group, [=](const opengl::Functions& functions) {
                 return opengl::findTexture(functions, target, level, name);
               }));
  return createImage(request, std::move(object));
}

Result<Ref<MemoryObject>> createFromGLTextureOf(cl_gl_object_type kind, cl_context context,
                                                cl_mem_flags flags, cl_GLenum target,
                                                cl_GLint level, cl_GLuint name) {
  QUERN_TRY(parseSharingRequest(context, flags).takeStatus());
  // texture_target is one of another kind.
  if (!opengl::isTextureTarget(target) || opengl::objectType(target) != kind)
    return Status::error(CL_INVALID_VALUE,
                         sentence("texture_target ", target, " is not a target of ",
                                  kind == CL_GL_OBJECT_TEXTURE3D ? "3D" : "2D", " textures"));
  return createFromGLTexture(context, flags, target, level, name);
}

Result<Ref<MemoryObject>> createFromGLRenderbuffer(cl_context context, cl_mem_flags flags,
                                                   cl_GLuint name) {
  QUERN_ASSIGN(const SharingRequest request, parseSharingRequest(context, flags));
  QUERN_ASSIGN(Ref<opengl::Image> object,
               findThere<opengl::Image>(*request.group, [=](const opengl::Functions& functions) {
                 return opengl::findRenderbuffer(functions, name);
               }));
  return createImage(request, std::move(object));
}

Result<Ref<MemoryObject>> createFromEglImage(cl_context handle, void* display, void* image,
                                             cl_mem_flags flags, const intptr_t* properties) {
  QUERN_ASSIGN(Context * context, fromHandle<Context>(handle));
  // properties has values that are not valid, display is none, or flags are none of those allowed.
  if (properties && *properties != 0)
    return Status::error(CL_INVALID_VALUE,
                         sentence("property ", *properties, " is not a property of an EGLImage"));
  if (!opengl::isEglDisplay(display))
    return Status::error(CL_INVALID_VALUE, "display is not an EGLDisplay that is initialized");
  if (flags & (CL_MEM_USE_HOST_PTR | CL_MEM_ALLOC_HOST_PTR | CL_MEM_COPY_HOST_PTR))
    return Status::error(CL_INVALID_VALUE,
                         sentence("memory flags ", flags, " say where the elements are"));
  QUERN_TRY(checkFlags(flags));
  QUERN_ASSIGN(Ref<opengl::ShareGroup> group, groupOf(*context, display));
  QUERN_ASSIGN(Ref<opengl::Image> object,
               findThere<opengl::Image>(*group, [image](const opengl::Functions& functions) {
                 return opengl::findEglImage(functions, image);
               }));
  if (!(flags & kernelAccessFlags))
    flags |= CL_MEM_READ_WRITE;
  bool canWrite = false;
  group->call(
      [&](const opengl::Functions& functions) { canWrite = opengl::canWriteEglImages(functions); });
  // The flags are not supported for such images.
  if (!(flags & CL_MEM_READ_ONLY) && !canWrite)
    return Status::error(CL_INVALID_OPERATION,
                         "the OpenGL driver does not write EGLImages: CL_MEM_READ_ONLY is needed");
  return createImage({*context, flags, GraphicsObject::Library::Egl, std::move(group)},
                     std::move(object));
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
