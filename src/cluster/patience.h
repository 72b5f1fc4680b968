#pragma once

#include <algorithm>
#include <chrono>
#include <immintrin.h>
#include <sched.h>
#include <thread>

namespace quern::cluster {

/// How a thread waits between looks for messages: at full speed, then leaving its processor to
/// others, then asleep for longer and longer.
class Patience {
public:
  using Microseconds = std::chrono::microseconds;
  explicit Patience(Microseconds longest) : longest_(longest) {}

  void wait() {
    if (++looks_ < eagerLooks) {
      _mm_pause();
    } else if (looks_ < wakefulLooks) {
      sched_yield();
    } else {
      std::this_thread::sleep_for(pause_);
      pause_ = std::min(pause_ * 2, longest_);
    }
  }
  /// Something came.
  void renew() {
    looks_ = 0;
    pause_ = shortest;
  }
  bool isAsleep() const { return looks_ >= wakefulLooks; }

private:
  static constexpr unsigned eagerLooks = 200, wakefulLooks = 2000;
  static constexpr Microseconds shortest{20};

  const Microseconds longest_;
  Microseconds pause_ = shortest;
  unsigned looks_ = 0;
};

} // namespace quern::cluster
