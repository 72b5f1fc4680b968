// What this machine can do at best, measured the way a kernel would have to reach it: all cores at
// once.
#include "host.h"
#include "team.h"

#include <algorithm>
#include <chrono>
#include <vector>

namespace quern::bench::host {
namespace {

#ifdef __AVX512F__
constexpr int vectorBytes = 64;
#elif defined(__AVX__)
constexpr int vectorBytes = 32;
#else
constexpr int vectorBytes = 16;
#endif
typedef float Vector __attribute__((vector_size(vectorBytes)));

constexpr size_t lanes = vectorBytes / sizeof(float);
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
  Vector chain[chains];
  for (size_t c = 0; c < chains; ++c)
    chain[c] = Vector{} + static_cast<float>(c);
  const Vector factor = Vector{} + static_cast<float>(opaqueFactor);
  const Vector summand = Vector{} + static_cast<float>(1 - opaqueFactor);
  for (size_t step = 0; step < steps; ++step) {
#pragma clang loop unroll(full)
    for (size_t c = 0; c < chains; ++c)
      chain[c] = chain[c] * factor + summand;
  }
  float sum = 0;
  for (size_t c = 0; c < chains; ++c)
    sum += chain[c][0];
  return sum;
}

} // namespace

double measureFmaPeak() {
  constexpr size_t steps = 256 << 10;
  const double flops = 2.0 * lanes * chains * steps * static_cast<double>(threadCount());
  return flops / bestOf(0.5, [] {
           parallel(threadCount(), [](size_t begin, size_t end) {
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
  const size_t passes = std::max<size_t>(1, static_cast<size_t>((32 << 20) / bytes));
  return bytes * static_cast<double>(passes) / bestOf(0.5, [=] {
           parallel(count, [=](size_t begin, size_t end) {
             for (size_t pass = 0; pass < passes; ++pass) {
               for (size_t i = begin; i < end; ++i)
                 out[i] = left[i] + 3.0f * right[i];
               asm volatile("" ::: "memory"); // each pass must really happen
             }
           });
         });
}

} // namespace quern::bench::host
