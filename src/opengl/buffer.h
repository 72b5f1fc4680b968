#pragma once

#include "opengl/object.h"

namespace quern::opengl {

class Buffer final : public Object {
public:
  /// The buffer `name`. CL_INVALID_GL_OBJECT where there is none, or it has no bytes.
  static Result<Ref<Buffer>> find(const Functions& functions, GLuint name);

  uint64_t bytes() const { return bytes_; }
  Status read(const Functions& functions, const HostElements& to) const override;
  Status write(const Functions& functions, const HostElements& from) const override;

private:
  template <typename T, typename... Args> friend Ref<T> quern::makeRef(Args&&... args);
  Buffer(GLuint name, uint64_t bytes)
      : Object({.type = CL_GL_OBJECT_BUFFER, .name = name}), bytes_(bytes) {}

  const uint64_t bytes_;
};

/// Copies `bytes` of the buffer `name` from `offset` on to the host, or from there.
Status readBytes(const Functions& functions, GLuint name, uint64_t offset, uint64_t bytes,
                 std::byte* to);
Status writeBytes(const Functions& functions, GLuint name, uint64_t offset, uint64_t bytes,
                  const std::byte* from);

} // namespace quern::opengl
