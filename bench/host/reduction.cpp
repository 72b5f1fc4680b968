#include "host.h"
#include "team.h"
#include "vectors.h"

#include <algorithm>
#include <mutex>
#include <vector>

namespace quern::bench::host {
namespace {

/// So many values are worth a second thread, and a lock at the end.
constexpr size_t grain = 16384;

/// The least of the range and of the first value. Four vectors at a time: one would wait for
/// itself.
float leastOf(const float* values, size_t begin, size_t end) {
  constexpr size_t vectors = 4, step = vectors * lanes<float>;
  Vector<float> least[vectors];
#pragma GCC unroll 4
  for (Vector<float>& vector : least)
    vector = broadcast(values[0]);
  size_t i = begin;
  for (; i + step <= end; i += step)
#pragma GCC unroll 4
    for (size_t v = 0; v < vectors; ++v) {
      const Vector<float> next = load(values + i + v * lanes<float>);
      least[v] = next < least[v] ? next : least[v];
    }
  float result = values[0];
  for (const Vector<float>& vector : least)
    for (size_t lane = 0; lane < lanes<float>; ++lane)
      result = std::min(result, vector[lane]);
  for (; i < end; ++i)
    result = std::min(result, values[i]);
  return result;
}

} // namespace

float minimum(const float* values, size_t count) {
  std::mutex mutex;
  float least = values[0];
  parallel(count, grain, [&](size_t begin, size_t end) {
    const float mine = leastOf(values, begin, end);
    const std::lock_guard lock(mutex);
    least = std::min(least, mine);
  });
  return least;
}

void histogram(const int32_t* values, size_t count, uint32_t* counts, size_t bins) {
  std::mutex mutex;
  std::fill(counts, counts + bins, 0u);
  parallel(count, grain, [&](size_t begin, size_t end) {
    // Two tables: an increment needs not wait for the one before, of the same bin perhaps.
    std::vector<uint32_t> mine(2 * bins);
    uint32_t* const even = mine.data();
    uint32_t* const odd = even + bins;
    size_t i = begin;
    for (; i + 2 <= end; i += 2) {
      ++even[values[i]];
      ++odd[values[i + 1]];
    }
    if (i < end)
      ++even[values[i]];
    const std::lock_guard lock(mutex);
    for (size_t bin = 0; bin < bins; ++bin)
      counts[bin] += even[bin] + odd[bin];
  });
}

} // namespace quern::bench::host
