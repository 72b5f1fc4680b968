#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include <CL/cl_gl.h>

#include "base/ref.h"
#include "base/result.h"
#include "opengl/functions.h"

namespace quern::opengl {

/// Where the host has the elements of an object: those of a row lie one after the other. The
/// strides, in bytes, are those of device::ImageDescription; a buffer has none.
struct HostElements {
  std::byte* first = nullptr;
  uint64_t rowStride = 0, sliceStride = 0;
};

/// An object of the program's share group: what was found about it when it was looked at first.
/// Immutable. `Functions` are those of the share group, on whose thread their users run.
class Object : public RefCounted {
public:
  struct Name {
    cl_gl_object_type type = CL_GL_OBJECT_BUFFER;
    GLuint name = 0;
    GLenum target = 0; ///< of a texture: what the program said
    GLint level = 0;
    GLsizei samples = 1; ///< more for a multisample texture
  };
  const Name& name() const { return name_; }

  /// Copies all elements to the host.
  virtual Status read(const Functions& functions, const HostElements& to) const = 0;
  /// Copies all elements from the host, and waits until the other contexts can see them.
  virtual Status write(const Functions& functions, const HostElements& from) const = 0;

  /// Whether its elements are stored as OpenCL's are, so that a device may copy them itself.
  virtual bool isPlain() const { return true; }
  /// The target that a device knows the object by; 0 for a buffer.
  virtual GLenum registeredTarget() const { return name_.target; }

  /// Gives up what it has in the share group. Called last, and only once.
  virtual void release(const Functions&) const {}

protected:
  explicit Object(const Name& name) : name_(name) {}

private:
  const Name name_;
};

/// CL_OUT_OF_RESOURCES where one of the calls since Functions::clearErrors had an error; `action`
/// is what could not be done.
Status checkErrors(const Functions& functions, const char* action);

} // namespace quern::opengl
