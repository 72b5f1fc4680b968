// The benchmark's table and its JSON form.
#pragma once

#include "bench.h"
#include "machine_limits.h"
#include "measure.h"
#include "problem.h"

#include <nlohmann/json.hpp>

#include <string>
#include <vector>

namespace quern::bench {

class Report {
public:
  /// `ours` is the index of the target whose times are compared with the others'.
  Report(const BenchOptions& options, const std::vector<Target>& targets, size_t ours,
         MachineLimits& limits);

  /// Prints the line of a result and keeps it for the JSON file. `sides` are the targets in their
  /// order, then the host if the problem has one.
  void add(const std::string& kernel, const std::string& size, const Work& work,
           const std::vector<Side>& sides);

  /// Prints the counts and the reasons of failures, and writes the JSON file if one is wanted.
  /// Returns benchMain's result.
  int finish();

private:
  void printHeader() const;

  std::string jsonFile_;
  size_t targetCount_;
  size_t ours_;
  MachineLimits& limits_;
  std::vector<std::string> columns_;
  std::vector<std::string> failures_;
  size_t results_ = 0;
  nlohmann::ordered_json json_;
};

} // namespace quern::bench
