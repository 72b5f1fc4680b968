// Scans and sorts: each thread has a part of the numbers, and learns from a first pass over all
// parts where its results go.
#include "host.h"
#include "team.h"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

namespace quern::bench::host {
namespace {

/// Calls work(part, begin, end) for a part of each thread.
template <typename Work> void inParts(size_t count, Work&& work) {
  const size_t parts = threadCount(), each = (count + parts - 1) / parts;
  parallel(parts, 1, [&](size_t first, size_t last) {
    for (size_t part = first; part < last; ++part)
      work(part, std::min(part * each, count), std::min((part + 1) * each, count));
  });
}

/// What fits into the cache of a core, for all threads together.
constexpr size_t blockOfThread = 1 << 16;

constexpr size_t digits = 1 << 8;
using Counts = std::array<size_t, digits>;

size_t digitOf(uint32_t key, int shift) {
  return key >> shift & (digits - 1);
}

/// Sorts by one digit and keeps the order of equal ones.
void sortByDigit(const uint32_t* from, uint32_t* to, size_t count, int shift) {
  std::vector<Counts> counts(threadCount());
  inParts(count, [&](size_t part, size_t begin, size_t end) {
    Counts mine = {};
    for (size_t i = begin; i < end; ++i)
      ++mine[digitOf(from[i], shift)];
    counts[part] = mine;
  });
  size_t place = 0;
  for (size_t digit = 0; digit < digits; ++digit)
    for (Counts& part : counts)
      place += std::exchange(part[digit], place);
  inParts(count, [&](size_t part, size_t begin, size_t end) {
    Counts places = counts[part];
    for (size_t i = begin; i < end; ++i)
      to[places[digitOf(from[i], shift)]++] = from[i];
  });
}

} // namespace

void scan(const int32_t* in, int32_t* out, size_t count) {
  uint32_t before = 0;
  const size_t block = blockOfThread * threadCount();
  std::vector<uint32_t> sums(threadCount());
  for (size_t first = 0; first < count; first += block) {
    const size_t size = std::min(block, count - first);
    inParts(size, [&](size_t part, size_t begin, size_t end) {
      uint32_t sum = 0;
      for (size_t i = begin; i < end; ++i)
        sum += static_cast<uint32_t>(in[first + i]);
      sums[part] = sum;
    });
    for (uint32_t& sum : sums)
      before += std::exchange(sum, before);
    inParts(size, [&](size_t part, size_t begin, size_t end) {
      uint32_t sum = sums[part];
      for (size_t i = begin; i < end; ++i)
        out[first + i] = static_cast<int32_t>(sum += static_cast<uint32_t>(in[first + i]));
    });
  }
}

void sort(uint32_t* keys, uint32_t* memory, size_t count) {
  for (int shift = 0; shift < 32; shift += 16) {
    sortByDigit(keys, memory, count, shift);
    sortByDigit(memory, keys, count, shift + 8);
  }
}

} // namespace quern::bench::host
