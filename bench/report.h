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

/// The sides that are the host's code, on all cores and on one.
constexpr const char* hostName = "host";
constexpr const char* oneThreadName = "1 thread";

class Report {
public:
  /// What the times of a table are: of a run, or to solution.
  enum class Measure { Run, Solution };

  /// The first target's times are compared with the others'. The limits, of the host and of the
  /// targets' devices, may be the same; they must outlive the report.
  Report(const BenchOptions& options, const std::vector<Target>& targets, MachineLimits& ofHost,
         MachineLimits& ofDevice);

  /// Prints the line of a result, in a new table where another measure begins, and keeps it for the
  /// JSON file. `sides` are the targets in their order, then those of the host if the problem has
  /// them.
  void add(Measure measure, const std::string& kernel, const std::string& size, const Work& work,
           const std::vector<Side>& sides);

  /// Writes a picture into the folder for them, if there is one, and keeps for the JSON file what
  /// it is. One of the same kernel at an earlier size is replaced.
  void addPicture(const std::string& kernel, const std::string& size,
                  const std::function<Picture()>& picture);

  /// Prints the summary and the reasons of failures, and writes the JSON file if one is wanted.
  /// Returns benchMain's result.
  int finish();

private:
  void describeMachine(const Description& ours);
  void describeSides(const std::vector<Target>& targets);
  void printHeader() const;
  double secondsOf(const Side& side, const Work& work) const;
  MachineLimits& limitsOf(const Side& side) const;
  nlohmann::ordered_json printSide(const Side& side, const Work& work);
  void printRatios(const std::string& row, const Work& work, const std::vector<Side>& sides,
                   nlohmann::ordered_json& entry);
  bool writeJson() const;

  std::string jsonFile_, pictureFolder_;
  MachineLimits& ofHost_;
  MachineLimits& ofDevice_;
  std::vector<std::string> columns_; ///< the sides' names
  Measure measure_ = Measure::Run;
  bool isHeaderPrinted_ = false;
  Summary summary_;
  std::vector<std::string> failures_;
  size_t results_ = 0;
  nlohmann::ordered_json json_;
};

} // namespace quern::bench
