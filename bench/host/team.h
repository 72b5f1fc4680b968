// The threads of the host's side: started once, because starting threads for each run would be
// unfair to the host.
#pragma once

#include <cstddef>

namespace quern::bench::host {

/// Calls work(data, begin, end) on each thread of the team, the caller's among them, with its share
/// of 0 ... count - 1.
void onTeam(size_t count, void (*work)(void* data, size_t begin, size_t end), void* data);

/// The same for a callable work(begin, end).
template <typename Work> void parallel(size_t count, Work&& work) {
  onTeam(
      count, [](void* data, size_t begin, size_t end) { (*static_cast<Work*>(data))(begin, end); },
      &work);
}

/// result[i] = operation(a[i], b[i]) on the team.
template <typename T, typename Operation>
void elementwise(const T* a, const T* b, T* result, size_t count, Operation operation) {
  parallel(count, [=](size_t begin, size_t end) {
    for (size_t i = begin; i < end; ++i)
      result[i] = operation(a[i], b[i]);
  });
}

} // namespace quern::bench::host
