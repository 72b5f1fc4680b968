#pragma once

#include <algorithm>
#include <array>
#include <cassert>
#include <cstdint>

namespace quern::abi {

/// The value of an argument in all launches.
struct KnownArgument {
  uint32_t argument; ///< its index
  int64_t value;     ///< sign-extended

  bool operator==(const KnownArgument&) const = default;
};

/// A few of them, by ascending index. Every launch has a copy, which costs no more than what is in
/// it.
class KnownArguments {
public:
  static constexpr uint32_t most = 8;

  KnownArguments() {}
  KnownArguments(const KnownArguments& other) { *this = other; }
  KnownArguments& operator=(const KnownArguments& other) {
    count_ = other.count_;
    std::copy_n(other.values_.begin(), count_, values_.begin());
    return *this;
  }

  uint32_t size() const { return count_; }
  bool empty() const { return count_ == 0; }
  bool isFull() const { return count_ == most; }
  /// There must be room.
  void add(KnownArgument known) {
    assert(!isFull());
    values_[count_++] = known;
  }
  void clear() { count_ = 0; }

  const KnownArgument* begin() const { return values_.data(); }
  const KnownArgument* end() const { return values_.data() + count_; }
  const KnownArgument& operator[](uint32_t i) const { return values_[i]; }
  bool operator==(const KnownArguments& other) const { return std::ranges::equal(*this, other); }

private:
  uint32_t count_ = 0;
  std::array<KnownArgument, most> values_; ///< the first `count_`
};

} // namespace quern::abi
