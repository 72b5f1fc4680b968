#include "summary.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace quern::bench {
namespace {

constexpr size_t namedRows = 5;

std::string twoDigits(double ratio) {
  char text[32];
  std::snprintf(text, sizeof text, "%.2f", ratio);
  return text;
}

} // namespace

void Summary::add(const std::string& measure, const std::string& other, const std::string& row,
                  double ratio) {
  rows_[{measure, other}].push_back({ratio, row});
}

std::string Summary::text(const std::string& ours) const {
  std::string text;
  for (const auto& [comparison, all] : rows_) {
    const auto& [measure, other] = comparison;
    std::vector<Row> rows = all;
    std::sort(rows.begin(), rows.end(),
              [](const Row& a, const Row& b) { return a.ratio < b.ratio; });
    double logarithms = 0;
    size_t slower = 0;
    for (const Row& row : rows) {
      logarithms += std::log(row.ratio);
      slower += row.ratio < 1;
    }
    text += measure + ": " + ours + " is " +
            twoDigits(std::exp(logarithms / static_cast<double>(rows.size()))) +
            " times as fast as " + other + " (geometric mean of " + std::to_string(rows.size()) +
            " rows; slower in " + std::to_string(slower) + "). The lowest:\n";
    for (size_t i = 0; i < std::min(rows.size(), namedRows); ++i)
      text += "  " + twoDigits(rows[i].ratio) + "x  " + rows[i].name + "\n";
  }
  return text;
}

} // namespace quern::bench
