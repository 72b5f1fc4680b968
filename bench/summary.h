// What the rows of a report say together.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace quern::bench {

class Summary {
public:
  /// In a row that `measure` (a word of the report) tells, ours was `ratio` times as fast as
  /// `other`.
  void add(const std::string& measure, const std::string& other, const std::string& row,
           double ratio);

  /// For each measure and other side the geometric mean, the number of rows below 1, and the rows
  /// where ours does worst; lines of text.
  std::string text(const std::string& ours) const;

private:
  struct Row {
    double ratio;
    std::string name;
  };
  std::map<std::pair<std::string, std::string>, std::vector<Row>> rows_;
};

} // namespace quern::bench
