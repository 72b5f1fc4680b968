#pragma once

#include <cstdint>
#include <initializer_list>

namespace quern::tests::random {

/// A small generator whose numbers are the same on every machine and library (SplitMix64, Steele,
/// Lea and Flood 2014).
class Random {
public:
  explicit Random(uint64_t seed) : state_(seed) {
    // Neighbouring seeds would give the same numbers, one place apart.
    state_ = next() ^ (seed << 32);
  }
  uint64_t next() {
    uint64_t z = (state_ += 0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
  }
  /// 0 to limit - 1.
  unsigned below(unsigned limit) { return static_cast<unsigned>(next() % limit); }
  bool chance(unsigned percent) { return below(100) < percent; }
  template <typename T> T oneOf(std::initializer_list<T> choices) {
    return choices.begin()[below(static_cast<unsigned>(choices.size()))];
  }
  template <typename Container> auto& oneOf(Container& choices) {
    return choices[below(static_cast<unsigned>(choices.size()))];
  }

private:
  uint64_t state_;
};

} // namespace quern::tests::random
