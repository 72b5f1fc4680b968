#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

namespace quern::united {

/// Which part of a launch each member gets.
class Shares {
public:
  Shares() = default;
  /// In proportion to how fast the members are.
  explicit Shares(std::span<const double> speeds) : parts_(speeds.begin(), speeds.end()) {
    const double sum = std::accumulate(parts_.begin(), parts_.end(), 0.0);
    for (double& part : parts_)
      part /= sum;
  }

  bool isEmpty() const { return parts_.empty(); }
  std::span<const double> parts() const { return parts_; }

  /// Where each member's part of `count` work-groups begins, and where the last one ends. Parts
  /// begin at multiples of a power of two that is small beside them: a split that changes a little
  /// stays where it is, and devices that cut a launch into tiles find their tiles there.
  std::vector<uint64_t> split(uint64_t count) const {
    uint64_t unit = 1;
    while (unit < mostUnit && unit * unitsOfPart * parts_.size() <= count)
      unit *= 2;
    std::vector<uint64_t> begins = {0};
    double sum = 0;
    for (const double part : parts_) {
      sum += part;
      const double units = sum * static_cast<double>(count) / static_cast<double>(unit);
      const uint64_t at = static_cast<uint64_t>(std::llround(units)) * unit;
      begins.push_back(std::min(std::max(at, begins.back()), count));
    }
    begins.back() = count;
    return begins;
  }

  /// Takes what was measured of a launch that was split by these shares: how long each member took.
  /// After enough of that the shares become those by which all would have taken equally long;
  /// unless the difference is small, since bytes move with the shares.
  void learn(std::span<const double> nanoseconds) {
    times_.resize(parts_.size());
    for (size_t i = 0; i < times_.size(); ++i)
      times_[i] += nanoseconds[i];
    const auto [least, most] = std::ranges::minmax(times_);
    if (least < enough)
      return;
    if (most > least * worthChanging) {
      std::vector<double> speeds;
      for (size_t i = 0; i < parts_.size(); ++i)
        speeds.push_back(parts_[i] / times_[i]);
      const Shares measured(speeds);
      for (size_t i = 0; i < parts_.size(); ++i)
        parts_[i] = (parts_[i] + measured.parts_[i]) / 2;
    }
    times_.clear();
  }

private:
  static constexpr uint64_t mostUnit = 64, unitsOfPart = 16;
  static constexpr double enough = 20'000'000; ///< nanoseconds
  static constexpr double worthChanging = 1.2;

  std::vector<double> parts_; ///< their sum is 1
  std::vector<double> times_; ///< of the launches since the parts were looked at
};

} // namespace quern::united
