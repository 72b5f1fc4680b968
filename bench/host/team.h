// The threads of the host's side: started once, and awake between one piece of work and the next,
// as those of a driver are.
#pragma once

#include <cstddef>

namespace quern::bench::host {

/// Calls work(data, begin, end) on the team's threads, the caller's among them, until all of
/// 0 ... count - 1 is done. Each thread has a share of its own, the same each time, which it takes
/// in chunks of at least `grain`; then it helps the others with theirs. No more than `grain` is
/// done by the caller alone.
void onTeam(size_t count, size_t grain, void (*work)(void* data, size_t begin, size_t end),
            void* data);

/// The same for a callable work(begin, end).
template <typename Work> void parallel(size_t count, size_t grain, Work&& work) {
  onTeam(
      count, grain,
      [](void* data, size_t begin, size_t end) { (*static_cast<Work*>(data))(begin, end); }, &work);
}

} // namespace quern::bench::host
