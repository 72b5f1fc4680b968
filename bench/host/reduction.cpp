#include "host.h"
#include "team.h"

#include <algorithm>
#include <mutex>
#include <vector>

namespace quern::bench::host {

float minimum(const float* values, size_t count) {
  std::mutex mutex;
  float least = values[0];
  parallel(count, [&](size_t begin, size_t end) {
    float mine = values[0];
    for (size_t i = begin; i < end; ++i)
      mine = values[i] < mine ? values[i] : mine;
    const std::lock_guard lock(mutex);
    least = std::min(least, mine);
  });
  return least;
}

void histogram(const int32_t* values, size_t count, uint32_t* counts, size_t bins) {
  std::mutex mutex;
  std::fill(counts, counts + bins, 0u);
  parallel(count, [&](size_t begin, size_t end) {
    std::vector<uint32_t> mine(bins);
    for (size_t i = begin; i < end; ++i)
      ++mine[static_cast<size_t>(values[i])];
    const std::lock_guard lock(mutex);
    for (size_t bin = 0; bin < bins; ++bin)
      counts[bin] += mine[bin];
  });
}

} // namespace quern::bench::host
