#pragma once

#include "team.h"
#include "vectors.h"

namespace quern::bench::host {

/// So many elements are worth a second thread.
constexpr size_t elementGrain = 8192;

/// result[i] = operation(a[i], b[i]), for elements and for vectors of them.
template <typename T, typename Operation>
void elementwise(const T* a, const T* b, T* result, size_t count, Operation operation) {
  const bool streams = exceedsCaches(3 * count * sizeof(T));
  parallel(count, elementGrain, [=](size_t begin, size_t end) {
    fill(
        result, begin, end, streams, [=](size_t i) { return operation(load(a + i), load(b + i)); },
        [=](size_t i) { return operation(a[i], b[i]); });
  });
}

} // namespace quern::bench::host
