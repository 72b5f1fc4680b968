// The limits that results are compared with, of the host and of the measured device, measured in
// the same run.
#pragma once

#include "problem.h"

#include <functional>
#include <map>
#include <string>

namespace quern::bench {

/// As the operating system calls it.
std::string processorName();

/// How the limits of one kind of processor are measured.
struct LimitMeter {
  /// Operations per second of independent fused multiply-adds in float, on all cores.
  std::function<double()> fmaPeak;
  /// Bytes per second of a[i] = b[i] + s c[i], with arrays of so many bytes in all.
  std::function<double(size_t footprint)> triad;
};

/// By code of the host (host/limits.cpp).
LimitMeter hostMeter();
/// By kernels on the target's device (kernels/limits.cl). The target must outlive it.
LimitMeter deviceMeter(Target& target);

class MachineLimits {
public:
  /// Measures the peak of fused multiply-adds and the bandwidth of memory; takes a few seconds.
  explicit MachineLimits(LimitMeter meter);

  double fmaPeak() const {
    return fmaPeak_;
  } ///< floating-point operations per second, float, all cores
  double memoryBandwidth() const {
    return bandwidth_.at(largestFootprint);
  } ///< bytes per second beyond all caches
  /// Bytes per second by footprint in bytes, as far as they have been asked for.
  const std::map<size_t, double>& bandwidths() const { return bandwidth_; }

  /// The share of the limit that the work comes closest to, when it takes `seconds`: of the FMA
  /// peak, or of the bandwidth of the cache level or memory that holds its footprint. 0 for work
  /// without operations and bytes.
  double share(const Work& work, double seconds);

private:
  static constexpr size_t largestFootprint = size_t{512} << 20;

  /// The triad's bandwidth for the power of two next above the footprint; measured when first asked
  /// for.
  double bandwidth(double footprint);

  LimitMeter meter_;
  double fmaPeak_;
  std::map<size_t, double> bandwidth_;
};

} // namespace quern::bench
