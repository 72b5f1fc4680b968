// Running a program as a process of its own.
#pragma once

#include <string>
#include <vector>

namespace tour {

/// How a process ended. `failure` is empty for exit code 0, else a few words: the exit code, the
/// signal, or the time limit.
struct Outcome {
  std::string output; ///< standard output and standard error together
  std::string failure;
  double seconds = 0;
};

/// Runs command[0] with the rest as its arguments and waits for it. After `limitSeconds` it is
/// killed.
Outcome runProcess(const std::vector<std::string>& command, double limitSeconds);

} // namespace tour
