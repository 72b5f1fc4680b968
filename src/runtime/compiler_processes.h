#pragma once

#include <memory>
#include <vector>

#include "base/mutex_protected.h"
#include "base/result.h"
#include "runtime/compiler_process.h"

namespace quern::runtime {

/// The processes that compile for this one and have nothing to do. There are as many processes as
/// threads that compile at the same time: one that ends takes nobody else's compile with it.
/// Thread-safe.
class CompilerProcesses {
public:
  /// One for the calling thread alone, with its niceness; starts one where there is none.
  Result<std::unique_ptr<CompilerProcess>> take();
  /// Keeps a process for the next compile, or ends it where enough are kept.
  void giveBack(std::unique_ptr<CompilerProcess> process);

private:
  std::unique_ptr<CompilerProcess> takeIdle();

  MutexProtected<std::vector<std::unique_ptr<CompilerProcess>>> idle_;
};

} // namespace quern::runtime
