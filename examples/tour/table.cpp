#include "table.h"

#include <algorithm>
#include <cstdio>
#include <sstream>

namespace tour {
namespace {

constexpr size_t longestOutput =
    4000; ///< characters shown of a failed program's output, from its end
constexpr size_t longestDeviceName = 28;

} // namespace

void Table::addRow(const Row& row) {
  held_ += row[5] == "ok";
  failed_ += row[5] == "FAILED";
  skipped_ += row[5] == "skipped";
  rows_.push_back(row);
}

void Table::addProgram(const std::string& program, const std::string& device,
                       const Outcome& outcome) {
  const size_t before = rows_.size();
  const size_t failedBefore = failed_;
  std::istringstream lines(outcome.output);
  for (std::string line; std::getline(lines, line);) {
    if (line.rfind("row\t", 0) != 0)
      continue;
    std::istringstream fields(line.substr(4));
    Row row;
    for (std::string& field : row)
      std::getline(fields, field, '\t');
    addRow(row);
  }
  if (!outcome.failure.empty() && failed_ == failedBefore)
    addRow({program, device, "-", "-", "-", "FAILED", outcome.failure});
  else if (rows_.size() == before)
    addRow({program, device, "-", "-", "-", "FAILED", "printed no result"});
  if (!outcome.failure.empty()) {
    const size_t length = std::min(outcome.output.size(), longestOutput);
    failedOutputs_.push_back(program + " " + outcome.failure + ":\n" +
                             outcome.output.substr(outcome.output.size() - length));
  }
  seconds_ += outcome.seconds;
}

void Table::print() const {
  std::vector<Row> rows = {{"program", "device", "size", "time in ms", "rate", "checked", ""}};
  rows.insert(rows.end(), rows_.begin(), rows_.end());
  std::array<size_t, 7> widths{};
  for (Row& row : rows) {
    row[1] = row[1].substr(0, longestDeviceName);
    for (size_t column = 0; column < 5; ++column)
      widths[column] = std::max(widths[column], row[column].size());
  }
  for (const Row& row : rows) {
    const bool remarkable = row[5] == "FAILED" || row[5] == "skipped";
    std::printf("%-*s  %-*s  %*s  %*s  %*s  %s\n", static_cast<int>(widths[0]), row[0].c_str(),
                static_cast<int>(widths[1]), row[1].c_str(), static_cast<int>(widths[2]),
                row[2].c_str(), static_cast<int>(widths[3]), row[3].c_str(),
                static_cast<int>(widths[4]), row[4].c_str(),
                (remarkable ? row[5] + ": " + row[6] : row[5]).c_str());
  }
  for (const std::string& output : failedOutputs_)
    std::printf("\n%s\n", output.c_str());
  std::printf("\n%zu results checked: %zu held, %zu failed. %zu skipped. %.0f s.\n",
              held_ + failed_, held_, failed_, skipped_, seconds_);
}

} // namespace tour
