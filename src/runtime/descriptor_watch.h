#pragma once

#include <memory>
#include <mutex>

#include "base/file_descriptor.h"
#include "base/result.h"

namespace quern::runtime {

/// Tells when file descriptors become readable, on a thread of its own that starts with the first
/// one that is watched. Never destroyed once it has (see Process). Thread-safe.
class DescriptorWatch {
public:
  class Watcher {
  public:
    /// What was watched is readable, or will never be. On the thread of the watch, which must not
    /// be blocked.
    virtual void becameReadable() = 0;

  protected:
    ~Watcher() = default;
  };

  /// Tells `watcher` once. It and the open `file`, which is in no other watch, stay until then.
  /// Fails with CL_OUT_OF_RESOURCES, then `watcher` is not told.
  Status watch(int file, Watcher& watcher);

private:
  Status start();
  void run() const;

  std::mutex starting_;
  FileDescriptor poll_;
};

} // namespace quern::runtime
