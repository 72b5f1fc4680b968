// The limits of a device, measured by kernels that do nothing else.
#include "cases/cases.h"
#include "machine_limits.h"
#include "stopwatch.h"

#include <algorithm>

namespace quern::bench {
namespace {

constexpr size_t localSize = 256;
constexpr size_t groupsPerUnit = 32; ///< enough work-items to hide how long an access takes
/// Seconds of launches of which the fastest counts: a limit is what the device does when nothing
/// disturbs it.
constexpr double measuredSeconds = 0.3;

size_t itemsOf(const Target& target) {
  return target.device().getInfo<CL_DEVICE_MAX_COMPUTE_UNITS>() * groupsPerUnit * localSize;
}

double fastest(Target& target, const BoundKernel& kernel, size_t items) {
  double best = 0;
  const Stopwatch all;
  do {
    const Stopwatch one;
    kernel.launch(target, cl::NDRange(items), cl::NDRange(localSize));
    target.queue().finish();
    best = best == 0 ? one.seconds() : std::min(best, one.seconds());
  } while (all.seconds() < measuredSeconds);
  return best;
}

double fmaPeakOf(Target& target) {
  constexpr cl_uint steps = 16 << 10;
  constexpr double flopsPerStep = 2 * 8;
  const size_t items = itemsOf(target);
  const BoundKernel kernel(target.program("limits.cl"), "multiply_add",
                           target.bufferOf<float>(items), 0.999f, steps);
  return flopsPerStep * steps * static_cast<double>(items) / fastest(target, kernel, items);
}

/// A launch moves at least so many bytes, so that it takes much longer than its start.
constexpr size_t leastBytes = size_t{1} << 30;

double triadOf(Target& target, size_t footprint) {
  const size_t values = std::max<size_t>(footprint / (3 * sizeof(cl_float4)), 1);
  const size_t bytes = 3 * values * sizeof(cl_float4);
  const auto passes = static_cast<cl_uint>((leastBytes + bytes - 1) / bytes);
  const std::vector<float> ones(4 * values, 1.0f);
  const BoundKernel kernel(target.program("limits.cl"), "triad", target.bufferOf<cl_float4>(values),
                           target.bufferFrom(ones), target.bufferFrom(ones), 3.0f,
                           static_cast<cl_uint>(values), passes);
  const size_t items = std::min(itemsOf(target), roundUp(values, localSize));
  return static_cast<double>(bytes) * passes / fastest(target, kernel, items);
}

} // namespace

LimitMeter deviceMeter(Target& target) {
  return {[&target] { return fmaPeakOf(target); },
          [&target](size_t footprint) { return triadOf(target, footprint); }};
}

} // namespace quern::bench
