#include "report.h"

#include "host/host.h"

#include <cstdio>
#include <fstream>

namespace quern::bench {
namespace {

constexpr int timeWidth = 12;
constexpr int shareWidth = 6;

std::string number(double value, const char* format) {
  char text[64];
  std::snprintf(text, sizeof text, format, value);
  return text;
}

/// Three digits with the unit that suits the time.
std::string timeText(double seconds) {
  if (seconds <= 0)
    return "-";
  if (seconds < 1e-3)
    return number(seconds * 1e6, "%.2f us");
  return seconds < 1 ? number(seconds * 1e3, "%.2f ms") : number(seconds, "%.2f s");
}

std::string shareText(double share) {
  return share > 0 ? number(share * 100, "%.1f%%") : "-";
}

/// How many times as fast as the other side ours is.
std::string ratioText(double ours, double other) {
  return ours > 0 && other > 0 ? number(other / ours, "%.2fx") : "-";
}

double secondsOf(const Side& side, const Work& work) {
  return side.isMeasured() ? side.seconds() / work.repeats : 0;
}

} // namespace

Report::Report(const BenchOptions& options, const std::vector<Target>& targets, size_t ours,
               MachineLimits& limits)
    : jsonFile_(options.jsonFile), targetCount_(targets.size()), ours_(ours), limits_(limits) {
  json_["machine"] = {{"threads", host::threadCount()},
                      {"fma_peak_flops", limits.fmaPeak()},
                      {"memory_bandwidth_bytes_per_second", limits.memoryBandwidth()}};
  json_["repeat"] = options.repeat;
  json_["quick"] = options.quick;
  json_["ours"] = targets[ours].platformName();
  for (const Target& target : targets) {
    std::printf("%s: %s, %s\n", target.platformName().c_str(), target.deviceName().c_str(),
                target.platformVersion().c_str());
    columns_.push_back(target.platformName());
    json_["platforms"].push_back({{"name", target.platformName()},
                                  {"version", target.platformVersion()},
                                  {"device", target.deviceName()}});
  }
  std::printf("This machine: %zu threads, %.1f GFLOP/s with fused multiply-adds in float, %.1f "
              "GB/s from memory.\n",
              host::threadCount(), limits.fmaPeak() * 1e-9, limits.memoryBandwidth() * 1e-9);
  std::printf("Times are medians. After each, the share of the machine's limit. Ratios say how "
              "many times as fast %s "
              "is.\n\n",
              columns_[ours].c_str());
  printHeader();
}

void Report::printHeader() const {
  std::printf("%-38s %12s", "kernel", "size");
  for (const std::string& column : columns_)
    std::printf("  %*s", timeWidth + 1 + shareWidth,
                column.substr(0, timeWidth + 1 + shareWidth).c_str());
  std::printf("  %*s", timeWidth + 1 + shareWidth, "host C++");
  for (size_t t = 0; t < targetCount_; ++t)
    if (t != ours_)
      std::printf("  %10s", ("/" + columns_[t].substr(0, 9)).c_str());
  std::printf("  %10s\n", "/host");
}

void Report::add(const std::string& kernel, const std::string& size, const Work& work,
                 const std::vector<Side>& sides) {
  nlohmann::ordered_json entry = {{"kernel", kernel},
                                  {"size", size},
                                  {"flops", work.flops / work.repeats},
                                  {"bytes", work.bytes / work.repeats},
                                  {"unit", work.unit}};
  std::printf("%-38s %12s", kernel.c_str(), size.c_str());
  for (const Side& side : sides) {
    const double seconds = secondsOf(side, work);
    const double share = side.isMeasured() ? limits_.share(work, side.seconds()) : 0;
    std::printf("  %*s %*s", timeWidth, side.error.empty() ? timeText(seconds).c_str() : "FAILED",
                shareWidth, side.error.empty() ? shareText(share).c_str() : "");
    if (!side.run && side.error.empty())
      continue;
    nlohmann::ordered_json result = {{"name", side.name}, {"ok", side.error.empty()}};
    if (side.error.empty()) {
      result["seconds"] = seconds;
      result["rate"] = work.items / side.seconds();
      result["share_of_limit"] = share;
      result["samples"] = side.samples;
    } else {
      result["error"] = side.error;
      failures_.push_back(kernel + " " + size + " on " + side.name + ": " + side.error);
    }
    entry["results"].push_back(std::move(result));
    ++results_;
  }
  if (sides.size() == targetCount_)
    std::printf("  %*s", timeWidth + 1 + shareWidth, "-");

  const double ours = secondsOf(sides[ours_], work);
  for (size_t s = 0; s < sides.size(); ++s) {
    if (s == ours_)
      continue;
    const double other = secondsOf(sides[s], work);
    std::printf("  %10s", ratioText(ours, other).c_str());
    if (ours > 0 && other > 0)
      entry["times_as_fast_as"][sides[s].name] = other / ours;
  }
  std::printf("%s\n", sides.size() == targetCount_ ? "           -" : "");
  std::fflush(stdout);
  json_["results"].push_back(std::move(entry));
}

int Report::finish() {
  std::printf("\n%zu results, %zu wrong or failed.\n", results_, failures_.size());
  for (const std::string& failure : failures_)
    std::printf("  %s\n", failure.c_str());
  if (!jsonFile_.empty()) {
    std::ofstream file(jsonFile_);
    file << json_.dump(2) << '\n';
    if (!file.flush()) {
      std::fprintf(stderr, "cannot write the results to '%s'\n", jsonFile_.c_str());
      return 2;
    }
  }
  return failures_.empty() ? 0 : 1;
}

} // namespace quern::bench
