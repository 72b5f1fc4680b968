#include "opengl/buffer.h"

#include "base/sentence.h"

namespace quern::opengl {

namespace {

GLintptr asOffset(uint64_t bytes) {
  return static_cast<GLintptr>(bytes);
}

/// For a buffer whose storage OpenGL alone may write: another buffer is copied there.
void writeByCopy(const Functions& functions, uint64_t offset, uint64_t bytes,
                 const std::byte* from) {
  GLuint other = 0;
  functions.genBuffers(1, &other);
  functions.bindBuffer(GL_COPY_READ_BUFFER, other);
  functions.bufferData(GL_COPY_READ_BUFFER, asOffset(bytes), from, GL_STREAM_DRAW);
  functions.copyBufferSubData(GL_COPY_READ_BUFFER, GL_COPY_WRITE_BUFFER, 0, asOffset(offset),
                              asOffset(bytes));
  functions.bindBuffer(GL_COPY_READ_BUFFER, 0);
  functions.deleteBuffers(1, &other);
}

} // namespace

Result<Ref<Buffer>> Buffer::find(const Functions& functions, GLuint name) {
  if (!functions.isBuffer(name))
    return Status::error(CL_INVALID_GL_OBJECT,
                         sentence(name, " is not the name of an OpenGL buffer object"));
  GLint64 bytes = 0;
  functions.bindBuffer(GL_COPY_READ_BUFFER, name);
  functions.getBufferParameteri64v(GL_COPY_READ_BUFFER, GL_BUFFER_SIZE, &bytes);
  functions.bindBuffer(GL_COPY_READ_BUFFER, 0);
  if (bytes <= 0)
    return Status::error(CL_INVALID_GL_OBJECT, sentence("the OpenGL buffer ", name,
                                                        " has no data store, or one of 0 bytes"));
  return makeRef<Buffer>(name, static_cast<uint64_t>(bytes));
}

Status Buffer::read(const Functions& functions, const HostElements& to) const {
  return readBytes(functions, name().name, 0, bytes_, to.first);
}

Status Buffer::write(const Functions& functions, const HostElements& from) const {
  return writeBytes(functions, name().name, 0, bytes_, from.first);
}

Status readBytes(const Functions& functions, GLuint name, uint64_t offset, uint64_t bytes,
                 std::byte* to) {
  functions.clearErrors();
  functions.bindBuffer(GL_COPY_READ_BUFFER, name);
  functions.getBufferSubData(GL_COPY_READ_BUFFER, asOffset(offset), asOffset(bytes), to);
  functions.bindBuffer(GL_COPY_READ_BUFFER, 0);
  return checkErrors(functions, "the contents of an OpenGL buffer cannot be read");
}

Status writeBytes(const Functions& functions, GLuint name, uint64_t offset, uint64_t bytes,
                  const std::byte* from) {
  functions.clearErrors();
  functions.bindBuffer(GL_COPY_WRITE_BUFFER, name);
  functions.bufferSubData(GL_COPY_WRITE_BUFFER, asOffset(offset), asOffset(bytes), from);
  if (functions.getError() != GL_NO_ERROR)
    writeByCopy(functions, offset, bytes, from);
  functions.bindBuffer(GL_COPY_WRITE_BUFFER, 0);
  functions.finish();
  return checkErrors(functions, "the contents of an OpenGL buffer cannot be written");
}

} // namespace quern::opengl
