#pragma once

#include <atomic>
#include <cstdio>
#include <string>

#include "base/mutex_protected.h"

namespace quern::node {

/// Stands for the node's standard output, to which its devices write what kernels print.
/// Thread-safe.
class PrintedText {
public:
  /// From now on. This lives as long as the process.
  void replaceStandardOutput();
  /// What has come since the last call.
  std::string take();

private:
  static ssize_t write(void* self, const char* text, size_t bytes);

  std::atomic<bool> hasText_{false};
  MutexProtected<std::string> text_;
};

} // namespace quern::node
