// The limits of this machine that results are compared with, measured in the same run.
#pragma once

#include "problem.h"

#include <map>
#include <string>

namespace quern::bench {

/// As the operating system calls it.
std::string processorName();

class MachineLimits {
public:
  /// Measures the peak of fused multiply-adds and the bandwidth of memory; takes a few seconds.
  MachineLimits();

  double fmaPeak() const {
    return fmaPeak_;
  } ///< floating-point operations per second, float, all cores
  double memoryBandwidth() const {
    return bandwidth_.at(largestFootprint);
  } ///< bytes per second beyond all caches

  /// The share of the limit that the work comes closest to, when it takes `seconds`: of the FMA
  /// peak, or of the bandwidth of the cache level or memory that holds its footprint. 0 for work
  /// without operations and bytes.
  double share(const Work& work, double seconds);

private:
  static constexpr size_t largestFootprint = size_t{512} << 20;

  /// The triad's bandwidth for the power of two next above the footprint; measured when first asked
  /// for.
  double bandwidth(double footprint);

  double fmaPeak_;
  std::map<size_t, double> bandwidth_;
};

} // namespace quern::bench
