#pragma once

#include <functional>
#include <memory>

#include "base/ref.h"
#include "base/result.h"
#include "opengl/functions.h"
#include "opengl/window_system.h"

namespace quern::opengl {

/// The share group of a program's OpenGL context, which a context of ours has joined: that is
/// current on a thread of its own, which does all work on the program's objects. The last reference
/// ends the thread and destroys the context before it returns. Thread-safe.
class ShareGroup final : public RefCounted {
public:
  using Work = std::function<void(const Functions&)>;

  /// Blocks until the context is there. Fails as makeGlxContext does; also where the context is
  /// older than OpenGL 3.2.
  static Result<Ref<ShareGroup>> open(const ProgramContext& program);

  const ProgramContext& program() const;
  const Functions& functions() const;

  /// CL_INVALID_GL_OBJECT after the program has closed the display, with which its objects went.
  /// On the thread.
  Status checkObjects() const;

  /// Runs `work` on the thread, after what was posted before.
  void post(Work work);
  /// Runs `work` on the thread and blocks until it has run.
  void call(const Work& work);
  /// Calls `signaled` on the thread when `isSignaled`, which is called there again and again and
  /// blocks for a while, has answered true. Nothing else waits for that.
  void awaitSignal(std::function<bool(const Functions&)> isSignaled,
                   std::function<void(const Functions&)> signaled);

  /// Whether the program's context is current on the calling thread.
  bool isCurrent() const;

private:
  class Thread;
  template <typename T, typename... Args> friend Ref<T> quern::makeRef(Args&&... args);
  explicit ShareGroup(std::shared_ptr<Thread> thread);
  ~ShareGroup() override;

  const std::shared_ptr<Thread> thread_;
};

} // namespace quern::opengl
