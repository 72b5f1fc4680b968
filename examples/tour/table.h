// The tour's table of results.
#pragma once

#include "process.h"

#include <array>
#include <string>
#include <vector>

namespace tour {

class Table {
public:
  /// Takes over the rows that the program printed. A program that failed without a failed row, or
  /// printed none, gets a row that says so, and its output is kept for the end.
  void addProgram(const std::string& program, const std::string& device, const Outcome& outcome);

  /// The table, the output of programs that failed, and a line with the counts.
  void print() const;

  bool allHeld() const { return failed_ == 0 && held_ > 0; }

private:
  /// Program, device, size, milliseconds, rate, verdict, remark.
  using Row = std::array<std::string, 7>;

  void addRow(const Row& row);

  std::vector<Row> rows_;
  std::vector<std::string> failedOutputs_;
  size_t held_ = 0;
  size_t failed_ = 0;
  size_t skipped_ = 0;
  double seconds_ = 0;
};

} // namespace tour
