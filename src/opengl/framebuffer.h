#pragma once

#include "opengl/functions.h"

namespace quern::opengl {

/// A framebuffer, bound to `target` while it lives.
class Framebuffer {
public:
  Framebuffer(const Functions& functions, GLenum target) : functions_(functions), target_(target) {
    functions_.genFramebuffers(1, &name_);
    functions_.bindFramebuffer(target_, name_);
  }
  ~Framebuffer() {
    functions_.bindFramebuffer(target_, 0);
    functions_.deleteFramebuffers(1, &name_);
  }
  Framebuffer(const Framebuffer&) = delete;
  Framebuffer& operator=(const Framebuffer&) = delete;

private:
  const Functions& functions_;
  const GLenum target_;
  GLuint name_ = 0;
};

} // namespace quern::opengl
