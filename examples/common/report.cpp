// Timing, comparing with the host's result, and reporting.
#include "gallery.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <random>
#include <thread>

namespace gallery {
namespace {

using Clock = std::chrono::steady_clock;

double secondsSince(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

std::string shortScientific(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.2g", value);
  return text;
}

} // namespace

void onAllCores(size_t count, const std::function<void(size_t, size_t)>& work) {
  const size_t threads =
      std::clamp<size_t>(std::thread::hardware_concurrency(), 1, std::max<size_t>(count, 1));
  std::vector<std::thread> others;
  for (size_t t = 1; t < threads; ++t)
    others.emplace_back(work, count * t / threads, count * (t + 1) / threads);
  work(0, count / threads);
  for (std::thread& other : others)
    other.join();
}

std::vector<float> randomFloats(size_t count, float low, float high, unsigned seed) {
  std::mt19937 engine(seed);
  std::uniform_real_distribution<float> draw(low, high);
  std::vector<float> values(count);
  std::generate(values.begin(), values.end(), [&] { return draw(engine); });
  return values;
}

std::vector<cl_int> randomInts(size_t count, cl_int bound, unsigned seed) {
  std::mt19937 engine(seed);
  std::uniform_int_distribution<cl_int> draw(0, bound - 1);
  std::vector<cl_int> values(count);
  std::generate(values.begin(), values.end(), [&] { return draw(engine); });
  return values;
}

double medianSeconds(size_t repeat, const std::function<void()>& work) {
  work();
  std::vector<double> times;
  double total = 0;
  do {
    const Clock::time_point start = Clock::now();
    work();
    times.push_back(secondsSince(start));
    total += times.back();
  } while (times.size() < repeat && total < 1.0);
  std::nth_element(times.begin(), times.begin() + times.size() / 2, times.end());
  return times[times.size() / 2];
}

double eventSeconds(const cl::Event& event) {
  event.wait();
  return 1e-9 * static_cast<double>(event.getProfilingInfo<CL_PROFILING_COMMAND_END>() -
                                    event.getProfilingInfo<CL_PROFILING_COMMAND_START>());
}

Check closeTo(const std::vector<float>& actual, const std::vector<double>& expected,
              double allowed) {
  if (actual.size() != expected.size())
    return {false, std::to_string(actual.size()) + " values instead of " +
                       std::to_string(expected.size())};
  double worst = 0;
  for (size_t i = 0; i < actual.size(); ++i) {
    const double error = std::abs(static_cast<double>(actual[i]) - expected[i]);
    if (!(error <= allowed))
      return {false, "element " + std::to_string(i) + " is " + std::to_string(actual[i]) +
                         ", expected " + std::to_string(expected[i]) + " within " +
                         shortScientific(allowed)};
    worst = std::max(worst, error);
  }
  return {true, "error " + shortScientific(worst) + " of " + shortScientific(allowed) + " allowed"};
}

std::string rate(double amountPerSecond, const std::string& unit) {
  const char* prefixes[] = {"", "k", "M", "G", "T"};
  size_t prefix = 0;
  while (amountPerSecond >= 1000 && prefix + 1 < std::size(prefixes)) {
    amountPerSecond /= 1000;
    ++prefix;
  }
  return decimal(amountPerSecond, amountPerSecond < 10 ? 2 : 1) + " " + prefixes[prefix] + unit;
}

std::string decimal(double value, int digits) {
  char text[64];
  std::snprintf(text, sizeof text, "%.*f", digits, value);
  return text;
}

Report::Report(const CommandLine& line, const std::string& program, const std::string& device)
    : program_(program), device_(device), tour_(line.tour()) {
  if (!tour_)
    std::printf("%s on %s\n", program_.c_str(), device_.c_str());
}

void Report::add(const std::string& variant, const std::string& size, double seconds,
                 const std::string& rate, const Check& check) {
  failures_ += check.ok ? 0 : 1;
  print(variant, size, seconds, rate, check.ok ? "ok" : "FAILED", check.detail);
}

void Report::reference(const std::string& variant, const std::string& size, double seconds,
                       const std::string& rate) {
  print(variant, size, seconds, rate, "reference", "the host's own computation");
}

void Report::skip(const std::string& variant, const std::string& reason) {
  print(variant, "-", 0, "", "skipped", reason);
}

void Report::print(const std::string& variant, const std::string& size, double seconds,
                   const std::string& rate, const std::string& verdict, const std::string& detail) {
  const std::string milliseconds = seconds > 0 ? decimal(seconds * 1e3, 3) : "-";
  const std::string shownRate = rate.empty() ? "-" : rate;
  if (tour_) {
    const std::string name = variant.empty() ? program_ : program_ + " " + variant;
    std::printf("row\t%s\t%s\t%s\t%s\t%s\t%s\t%s\n", name.c_str(), device_.c_str(), size.c_str(),
                milliseconds.c_str(), shownRate.c_str(), verdict.c_str(), detail.c_str());
  } else {
    if (!headed_)
      std::printf("  %-28s %-16s %11s %15s  %s\n", "variant", "size", "ms", "rate", "checked");
    headed_ = true;
    std::printf("  %-28s %-16s %11s %15s  %s (%s)\n", variant.c_str(), size.c_str(),
                milliseconds.c_str(), shownRate.c_str(), verdict.c_str(), detail.c_str());
  }
  std::fflush(stdout);
}

int failure(const std::exception& error) {
  std::fflush(stdout);
  if (const auto* build = dynamic_cast<const cl::BuildError*>(&error)) {
    for (const auto& [device, log] : build->getBuildLog())
      std::fprintf(stderr, "Build log of %s:\n%s\n", device.getInfo<CL_DEVICE_NAME>().c_str(),
                   log.c_str());
  }
  if (const auto* call = dynamic_cast<const cl::Error*>(&error))
    std::fprintf(stderr, "%s failed with the code %d\n", call->what(), call->err());
  else
    std::fprintf(stderr, "%s\n", error.what());
  return 1;
}

} // namespace gallery
