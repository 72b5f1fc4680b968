// How far a run is, on standard error.
#pragma once

#include "stopwatch.h"

#include <cstddef>
#include <string>

namespace quern::bench {

/// On a terminal one line, which each step overwrites and whose last part is an estimate of the
/// time left. Elsewhere nothing, or a line for each step: "progress: 3 of 110: matmul FAST3 512".
class Progress {
public:
  /// Of `steps` steps.
  Progress(size_t steps, bool asLines);

  /// A step begins, and the one before it has ended.
  void begin(const std::string& what);

private:
  /// "" while there is nothing to estimate it from.
  std::string timeLeft() const;

  size_t steps_;
  bool asLines_;
  bool isTerminal_;
  size_t begun_ = 0;
  Stopwatch stopwatch_;
};

} // namespace quern::bench
