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

} // namespace quern::bench::host
