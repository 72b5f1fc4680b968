// What this machine can do at best, measured the way a kernel would have to reach it: all cores at
// once.
#include "host.h"
#include "team.h"
#include "vectors.h"

#include <algorithm>
#include <chrono>
#include <vector>

namespace quern::bench::host {
namespace {

/// Enough independent chains to hide the latency of a fused multiply-add, and few enough to stay in
/// 16 registers.
constexpr size_t chains = 12;

volatile float needed;                ///< results go here, so that they are not removed as unused
volatile float opaqueFactor = 0.999f; ///< the compiler must not compute with its value

/// The shortest time of `work` among many runs: a limit is what the machine does when nothing
/// disturbs it.
template <typename Work> double bestOf(double totalSeconds, Work work) {
  double best = 0;
  for (double total = 0; total < totalSeconds;) {
    const auto start = std::chrono::steady_clock::now();
    work();
    const double time =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    best = best == 0 ? time : std::min(best, time);
    total += time;
  }
  return best;
}

/// `steps` times a multiply-add on each chain. Returns the sum so that the work counts as needed.
float multiplyAdd(size_t steps) {
  Vector<float> chain[chains];
#pragma GCC unroll 12
  for (size_t c = 0; c < chains; ++c)
    chain[c] = broadcast(static_cast<float>(c));
  const Vector<float> factor = broadcast<float>(opaqueFactor);
  const Vector<float> summand = broadcast(1 - opaqueFactor);
  for (size_t step = 0; step < steps; ++step) {
#pragma GCC unroll 12
    for (size_t c = 0; c < chains; ++c)
      chain[c] = chain[c] * factor + summand;
  }
  float sum = 0;
#pragma GCC unroll 12
  for (size_t c = 0; c < chains; ++c)
    sum += chain[c][0];
  return sum;
}

} // namespace

double measureFmaPeak() {
  constexpr size_t steps = 256 << 10;
  const double flops = 2.0 * lanes<float> * chains * steps * static_cast<double>(threadCount());
  return flops / bestOf(0.5, [] {
           parallel(threadCount(), 0, [](size_t begin, size_t end) {
             for (size_t thread = begin; thread < end; ++thread)
               needed = multiplyAdd(steps);
           });
         });
}

double measureTriad(size_t footprint) {
  const size_t count = std::max<size_t>(footprint / (3 * sizeof(float)), threadCount());
  std::vector<float> a(count), b(count, 1.0f), c(count, 2.0f);
  float* const out = a.data();
  const float* const left = b.data();
  const float* const right = c.data();
  const double bytes = 3.0 * sizeof(float) * static_cast<double>(count);
  const bool streams = exceedsCaches(footprint);
  const size_t grain =
      (count + threadCount() - 1) / threadCount(); // a thread's cache holds its share
  const size_t passes = std::max<size_t>(1, static_cast<size_t>((32 << 20) / bytes));
  return bytes * static_cast<double>(passes) / bestOf(0.5, [=] {
           parallel(count, grain, [=](size_t begin, size_t end) {
             for (size_t pass = 0; pass < passes; ++pass) {
               fill(
                   out, begin, end, streams,
                   [=](size_t i) { return load(left + i) + 3.0f * load(right + i); },
                   [=](size_t i) { return left[i] + 3.0f * right[i]; });
               asm volatile("" ::: "memory"); // each pass must really happen
             }
           });
         });
}

} // namespace quern::bench::host
