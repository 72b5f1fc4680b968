#pragma once

#include <string>

#include "compiler/interface/compiler.h"

namespace quern::compiler {

/// What the process may take for each request: memory for the process's own data, wall-clock time
/// for the request (the options QUERN_COMPILE_MEMORY and QUERN_COMPILE_TIME).
class Limits {
public:
  Limits();

  /// Sets the limit of memory. Once, before the first request.
  void limitMemory() const;
  /// The process gets SIGALRM when the time of a request that begins now is over.
  void beginRequest() const;
  void endRequest() const;
  /// Memory for telling that there was none.
  void liftMemoryLimit() const;

  /// Why `failure` ended a request, as a sentence for its log.
  std::string sentenceOf(const Failure& failure) const;

private:
  uint64_t memoryMiB_, seconds_;
};

} // namespace quern::compiler
