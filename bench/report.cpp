#include "report.h"

#include "host/host.h"
#include "solution.h"

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <stdexcept>

namespace quern::bench {
namespace {

constexpr int timeWidth = 12;
constexpr size_t mostElements = 640; ///< along a side of a picture
constexpr int shareWidth = 6;
constexpr int sideWidth = timeWidth + 1 + shareWidth;

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

/// At most `width` letters of a name; of a numbered one the number stays.
std::string shortened(const std::string& name, size_t width) {
  if (name.size() <= width)
    return name;
  const size_t space = name.rfind(' ');
  const std::string number = name.substr(space == std::string::npos ? name.size() : space);
  const bool isNumbered = number.find_first_not_of(" 0123456789") == std::string::npos;
  const size_t tail = isNumbered ? number.size() : 0;
  return name.substr(0, width - tail) + name.substr(name.size() - tail);
}

const char* wordFor(Report::Measure measure) {
  return measure == Report::Measure::Run ? "runs" : "time to solution";
}

} // namespace

Report::Report(const BenchOptions& options, const std::vector<Target>& targets,
               MachineLimits& ofHost, MachineLimits& ofDevice)
    : jsonFile_(options.jsonFile), pictureFolder_(options.pictureFolder), ofHost_(ofHost),
      ofDevice_(ofDevice) {
  describeMachine(targets.front().description());
  json_["repeat"] = options.repeat;
  json_["quick"] = options.quick;
  describeSides(targets);
  if (targets.size() == 1)
    std::printf("No other platform was found, so that %s is compared with the host only.\n",
                columns_.front().c_str());
  columns_.push_back(hostName);
  if (!options.oneThread.empty())
    columns_.push_back(oneThreadName);
}

void Report::describeMachine(const Description& ours) {
  json_["machine"] = {{"processor", processorName()},
                      {"threads", host::threadCount()},
                      {"host_compiler", host::compiler()},
                      {"fma_peak_flops", ofHost_.fmaPeak()},
                      {"memory_bandwidth_bytes_per_second", ofHost_.memoryBandwidth()}};
  json_["device"] = {{"name", ours.device},
                     {"kind", ours.kind},
                     {"fma_peak_flops", ofDevice_.fmaPeak()},
                     {"memory_bandwidth_bytes_per_second", ofDevice_.memoryBandwidth()}};
  std::printf("host: %s\n", host::compiler().c_str());
  std::printf("This machine: %s, %zu threads, %.1f GFLOP/s with fused multiply-adds in float, %.1f "
              "GB/s from memory.\n",
              processorName().c_str(), host::threadCount(), ofHost_.fmaPeak() * 1e-9,
              ofHost_.memoryBandwidth() * 1e-9);
  if (&ofDevice_ != &ofHost_)
    std::printf("The device: %s, %.1f GFLOP/s and %.1f GB/s in the same way, by kernels.\n",
                ours.device.c_str(), ofDevice_.fmaPeak() * 1e-9,
                ofDevice_.memoryBandwidth() * 1e-9);
}

void Report::describeSides(const std::vector<Target>& targets) {
  json_["ours"] = targets.front().name();
  for (const Target& target : targets) {
    const Description& side = target.description();
    std::printf("%s: %s, driver %s, on %s, from %s\n", side.name.c_str(), side.version.c_str(),
                side.driverVersion.c_str(), side.device.c_str(), side.library.c_str());
    columns_.push_back(side.name);
    json_["platforms"].push_back({{"name", side.name},
                                  {"version", side.version},
                                  {"driver_version", side.driverVersion},
                                  {"device", side.device},
                                  {"kind", side.kind},
                                  {"library", side.library}});
  }
}

void Report::printHeader() const {
  if (measure_ == Measure::Run)
    std::printf("\nRuns: medians of warm runs. After each, the share of the machine's limit.\n");
  else
    std::printf("\nTime to solution: a source that no cache has seen is built and run %d times.\n",
                laterRuns + 1);
  std::printf("Ratios say how many times as fast %s is.\n\n", columns_.front().c_str());
  std::printf("%-42s %12s", "kernel", "size");
  for (const std::string& column : columns_)
    std::printf("  %*s", sideWidth, shortened(column, sideWidth).c_str());
  for (size_t t = 1; t < columns_.size(); ++t)
    std::printf("  %10s", ("/" + shortened(columns_[t], 9)).c_str());
  std::printf("\n");
}

double Report::secondsOf(const Side& side, const Work& work) const {
  if (!side.isMeasured())
    return 0;
  return measure_ == Measure::Run ? side.seconds() / work.repeats : side.seconds();
}

MachineLimits& Report::limitsOf(const Side& side) const {
  return side.name == hostName || side.name == oneThreadName ? ofHost_ : ofDevice_;
}

nlohmann::ordered_json Report::printSide(const Side& side, const Work& work) {
  const double seconds = secondsOf(side, work);
  const double share =
      seconds > 0 && measure_ == Measure::Run ? limitsOf(side).share(work, side.seconds()) : 0;
  const bool isRight = side.error.empty();
  std::printf("  %*s %*s", timeWidth, isRight ? timeText(seconds).c_str() : "FAILED", shareWidth,
              isRight ? shareText(share).c_str() : "");
  nlohmann::ordered_json result = {{"name", side.name}, {"ok", isRight}};
  if (!isRight) {
    result["error"] = side.error;
    return result;
  }
  result["seconds"] = seconds;
  if (measure_ == Measure::Run) {
    result["rate"] = work.items / side.seconds();
    result["share_of_limit"] = share;
  }
  result["samples"] = side.samples;
  return result;
}

void Report::add(Measure measure, const std::string& kernel, const std::string& size,
                 const Work& work, const std::vector<Side>& sides) {
  isHeaderPrinted_ = isHeaderPrinted_ && measure == measure_;
  measure_ = measure;
  if (!isHeaderPrinted_)
    printHeader();
  isHeaderPrinted_ = true;
  nlohmann::ordered_json entry = {{"measure", wordFor(measure_)},
                                  {"kernel", kernel},
                                  {"size", size},
                                  {"flops", work.flops / work.repeats},
                                  {"bytes", work.bytes / work.repeats},
                                  {"footprint", work.footprint},
                                  {"unit", work.unit}};
  std::printf("%-42s %12s", kernel.c_str(), size.c_str());
  for (const Side& side : sides) {
    nlohmann::ordered_json result = printSide(side, work);
    if (!side.isOffered)
      continue;
    entry["results"].push_back(std::move(result));
    ++results_;
    if (!side.error.empty())
      failures_.push_back(kernel + " " + size + " on " + side.name + ": " + side.error);
  }
  for (size_t missing = sides.size(); missing < columns_.size(); ++missing)
    std::printf("  %*s", sideWidth, "-");
  printRatios(kernel + " " + size, work, sides, entry);
  for (size_t missing = sides.size(); missing < columns_.size(); ++missing)
    std::printf("  %10s", "-");
  std::printf("\n");
  std::fflush(stdout);
  json_["results"].push_back(std::move(entry));
}

void Report::printRatios(const std::string& row, const Work& work, const std::vector<Side>& sides,
                         nlohmann::ordered_json& entry) {
  const double ours = secondsOf(sides.front(), work);
  for (size_t s = 1; s < sides.size(); ++s) {
    const double other = secondsOf(sides[s], work);
    std::printf("  %10s", ratioText(ours, other).c_str());
    if (ours > 0 && other > 0) {
      entry["times_as_fast_as"][sides[s].name] = other / ours;
      summary_.add(wordFor(measure_), sides[s].name, row, other / ours);
    }
  }
}

void Report::addPicture(const std::string& kernel, const std::string& size,
                        const std::function<Picture()>& makePicture) {
  if (pictureFolder_.empty())
    return;
  const Picture picture = thinned(makePicture(), mostElements);
  std::string name = kernel + ".raw";
  std::replace(name.begin(), name.end(), ' ', '_');
  const std::string path = pictureFolder_ + "/" + name;
  std::ofstream file(path, std::ios::binary);
  file.write(picture.numbers.data(), static_cast<std::streamsize>(picture.numbers.size()));
  if (!file.flush())
    throw std::runtime_error("the picture cannot be written to '" + path + "'");
  json_["pictures"][kernel] = {{"file", name},
                               {"size", size},
                               {"rows", picture.rows},
                               {"columns", picture.columns},
                               {"channels", picture.channels},
                               {"type", picture.type}};
}

int Report::finish() {
  for (const auto& [footprint, rate] : ofDevice_.bandwidths())
    json_["device"]["bandwidths"].push_back({{"footprint", footprint}, {"bytes_per_second", rate}});
  std::printf("\n%s\n%zu results, %zu wrong or failed.\n", summary_.text(columns_.front()).c_str(),
              results_, failures_.size());
  for (const std::string& failure : failures_)
    std::printf("  %s\n", failure.c_str());
  if (!writeJson()) {
    std::fprintf(stderr, "quern bench: the results cannot be written to '%s'\n", jsonFile_.c_str());
    return 2;
  }
  return failures_.empty() ? 0 : 1;
}

bool Report::writeJson() const {
  if (jsonFile_.empty())
    return true;
  std::ofstream file(jsonFile_);
  file << json_.dump(2) << '\n';
  return static_cast<bool>(file.flush());
}

} // namespace quern::bench
