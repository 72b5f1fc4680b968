#pragma once

#include <atomic>
#include <bit>
#include <cstdint>
#include <vector>

namespace quern::cpu {

/// Up to 32 units with neighbouring numbers.
struct Units {
  static constexpr uint32_t most = 32;

  uint32_t word = 0; ///< the number of the first of them is 32 times that
  uint32_t bits = 0; ///< the lowest for the first
  bool areResting = false;

  bool isEmpty() const { return bits == 0; }
  uint32_t count() const { return static_cast<uint32_t>(std::popcount(bits)); }
  /// Takes the one with the lowest number out. Not of an empty set.
  uint32_t pop() {
    const auto bit = static_cast<uint32_t>(std::countr_zero(bits));
    bits &= bits - 1;
    return word * most + bit;
  }
  /// Takes the `count` with the lowest numbers out, or all.
  Units popFront(uint32_t count) {
    uint32_t rest = bits;
    for (; count > 0 && rest != 0; --count)
      rest &= rest - 1;
    const Units front{word, bits ^ rest, areResting};
    bits = rest;
    return front;
  }
};

/// Any units.
class UnitSet {
public:
  UnitSet() = default;
  explicit UnitSet(uint32_t units) : words_((units + Units::most - 1) / Units::most) {}
  void add(uint32_t unit) { words_[unit / Units::most] |= 1u << unit % Units::most; }
  /// The bits of Units.
  uint32_t bitsOf(uint32_t word) const { return words_[word]; }

private:
  std::vector<uint32_t> words_;
};

/// Units whose threads have nothing to do: those that spin, which see a call at once, and those
/// that rest, which have to be woken or started. Threads add, move and take them without a lock;
/// each change is seen in one order with those of other sequentially consistent variables.
class IdleUnits {
public:
  IdleUnits() = default;
  explicit IdleUnits(uint32_t units) : words_((units + Units::most - 1) / Units::most) {}

  void addSpinning(uint32_t unit) { words_[unit / Units::most].fetch_or(bitOf(unit)); }
  void addResting(uint32_t unit) {
    words_[unit / Units::most].fetch_or(bitOf(unit) << restingShift);
  }
  /// From those that spin to those that rest. False where another thread has taken it.
  bool moveToRest(uint32_t unit) {
    std::atomic<uint64_t>& word = words_[unit / Units::most];
    const uint64_t spinning = bitOf(unit);
    uint64_t before = word.load();
    do {
      if ((before & spinning) == 0)
        return false;
    } while (!word.compare_exchange_weak(before, before ^ (spinning | spinning << restingShift)));
    return true;
  }
  /// Takes one out whatever it does. False where another thread has taken it.
  bool remove(uint32_t unit) {
    const uint64_t bits = bitOf(unit) | bitOf(unit) << restingShift;
    return (words_[unit / Units::most].fetch_and(~bits) & bits) != 0;
  }
  /// Take up to `count` units of one word that are among `allowed`, those with the lowest numbers;
  /// empty only where there are none at all.
  Units takeSpinning(uint32_t count, const UnitSet& allowed) { return take(count, allowed, false); }
  Units takeResting(uint32_t count, const UnitSet& allowed) { return take(count, allowed, true); }

private:
  static constexpr int restingShift = 32;
  static uint64_t bitOf(uint32_t unit) { return uint64_t{1} << unit % Units::most; }
  Units take(uint32_t count, const UnitSet& allowed, bool areResting) {
    const int shift = areResting ? restingShift : 0;
    for (uint32_t i = 0; i < words_.size() && count > 0; ++i) {
      uint64_t all = words_[i].load();
      while (true) {
        Units found{i, static_cast<uint32_t>(all >> shift) & allowed.bitsOf(i), areResting};
        const Units front = found.popFront(count);
        if (front.isEmpty())
          break;
        if (words_[i].compare_exchange_weak(all, all & ~(uint64_t{front.bits} << shift)))
          return front;
      }
    }
    return {};
  }

  std::vector<std::atomic<uint64_t>> words_;
};

} // namespace quern::cpu
