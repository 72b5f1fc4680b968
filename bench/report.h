// The benchmark's tables and their JSON form.
#pragma once

#include "bench.h"
#include "machine_limits.h"
#include "measure.h"
#include "problem.h"
#include "summary.h"

#include <nlohmann/json.hpp>

#include <string>
#include <vector>

namespace quern::bench {

class Report {
public:
  /// What the times of a table are: of a run, or to solution.
  enum class Measure { Run, Solution };

  /// The first target's times are compared with the others'.
  Report(const BenchOptions& options, const std::vector<Target>& targets, MachineLimits& limits);

  /// Begins a table.
  void begin(Measure measure);

  /// Prints the line of a result and keeps it for the JSON file. `sides` are the targets in their
  /// order, then the host if the problem has one.
  void add(const std::string& kernel, const std::string& size, const Work& work,
           const std::vector<Side>& sides);

  /// Prints the summary and the reasons of failures, and writes the JSON file if one is wanted.
  /// Returns benchMain's result.
  int finish();

private:
  void describeSides(const std::vector<Target>& targets);
  void printHeader() const;
  double secondsOf(const Side& side, const Work& work) const;
  nlohmann::ordered_json printSide(const Side& side, const Work& work);
  void printRatios(const std::string& row, const Work& work, const std::vector<Side>& sides,
                   nlohmann::ordered_json& entry);
  bool writeJson() const;

  std::string jsonFile_;
  MachineLimits& limits_;
  std::vector<std::string> columns_; ///< the targets' names
  Measure measure_ = Measure::Run;
  bool isHeaderPrinted_ = false;
  Summary summary_;
  std::vector<std::string> failures_;
  size_t results_ = 0;
  nlohmann::ordered_json json_;
};

} // namespace quern::bench
