#include "machine_limits.h"

#include "host/host.h"

#include <algorithm>
#include <fstream>

namespace quern::bench {

std::string processorName() {
  std::ifstream file("/proc/cpuinfo");
  const std::string key = "model name\t: ";
  for (std::string line; std::getline(file, line);)
    if (line.starts_with(key))
      return line.substr(key.size());
  return "unknown processor";
}

LimitMeter hostMeter() {
  return {host::measureFmaPeak, host::measureTriad};
}

MachineLimits::MachineLimits(LimitMeter meter)
    : meter_(std::move(meter)), fmaPeak_(meter_.fmaPeak()) {
  bandwidth(static_cast<double>(largestFootprint));
}

double MachineLimits::bandwidth(double footprint) {
  size_t size = size_t{64} << 10;
  while (static_cast<double>(size) < footprint && size < largestFootprint)
    size *= 2;
  const auto found = bandwidth_.find(size);
  return found != bandwidth_.end() ? found->second : bandwidth_[size] = meter_.triad(size);
}

double MachineLimits::share(const Work& work, double seconds) {
  if (seconds <= 0)
    return 0;
  const double ofPeak = work.flops / seconds / fmaPeak_;
  const double ofBandwidth = work.bytes > 0 ? work.bytes / seconds / bandwidth(work.footprint) : 0;
  return std::max(ofPeak, ofBandwidth);
}

} // namespace quern::bench
