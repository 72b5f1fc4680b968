#pragma once

#include <cstdint>
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
  /// Starts the first process where programs for `target` will be built soon, so that it is ready
  /// by then. Does not wait for it. Does nothing the next time, or where the process would only
  /// take the one CPU from the program.
  void prepare(const compiler::Target& target);
  /// Ends what `prepare` has started if nothing was compiled yet: programs come from the cache or
  /// from binaries.
  void endPrepared();
  /// One for the calling thread alone, with its niceness; starts one where there is none.
  Result<std::unique_ptr<CompilerProcess>> take();
  /// Keeps a process for the next compile, or ends it where enough are kept.
  void giveBack(std::unique_ptr<CompilerProcess> process);

private:
  Result<std::unique_ptr<CompilerProcess>> start();
  std::unique_ptr<CompilerProcess> takeIdle();

  enum class Preparation : uint8_t { NotBegun, Begun, Unwanted };
  struct Idle {
    std::vector<std::unique_ptr<CompilerProcess>> processes; ///< the last used last
    Preparation preparation = Preparation::NotBegun;
  };
  MutexProtected<Idle> idle_;
};

} // namespace quern::runtime
