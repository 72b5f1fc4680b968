#pragma once

#include <string>

namespace quern::tests {

/// What NVIDIA's driver, asked itself and not through Quern, says about the machine's GPUs.
struct GpuSearch {
  int count = 0;
  std::string reason;     ///< why there are none
  bool hasFailed = false; ///< there is a driver, and it does not work
};

GpuSearch findGpus();

} // namespace quern::tests
