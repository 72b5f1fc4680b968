#include "bench.h"

#include "machine_limits.h"
#include "measure.h"
#include "problem.h"
#include "report.h"

#include <algorithm>
#include <cstdio>
#include <unistd.h>

namespace quern::bench {
namespace {

/// Seconds that one side of one comparison may take for its samples.
constexpr double budget = 4;
constexpr double quickBudget = 1;

void progress(const std::string& text) {
  if (isatty(STDERR_FILENO))
    std::fprintf(stderr, "%s\r\033[K", text.c_str());
}

std::vector<Side> sidesOf(Problem& problem, const std::string& variantName,
                          std::vector<Target>& targets) {
  std::vector<Side> sides;
  for (Target& target : targets) {
    Side& side = sides.emplace_back();
    side.name = target.platformName();
    try {
      Variant variant = problem.prepare(target, variantName);
      side.run = std::move(variant.run);
      side.check = std::move(variant.check);
    } catch (const NotOffered&) { // the side stays without a run
    } catch (const std::exception& error) {
      side.error = explain(error);
    }
  }
  if (problem.hasHost())
    sides.push_back({"host", [&problem] { problem.runHost(); }, [] { return std::string(); }});
  return sides;
}

void measureFamily(const Family& family, const BenchOptions& options, std::vector<Target>& targets,
                   Report& report) {
  for (const Size& size : options.quick ? family.quickSizes : family.sizes) {
    std::unique_ptr<Problem> problem;
    for (const std::string& variantName : family.make(size)->variantNames()) {
      const std::string kernel = family.name + " " + variantName;
      if (kernel.find(options.kernelFilter) == std::string::npos)
        continue;
      progress("measuring " + kernel + " " + describe(size));
      if (!problem) {
        problem = family.make(size);
        problem->runHost(); // the results to check against
      }
      std::vector<Side> sides = sidesOf(*problem, variantName, targets);
      measure(sides, options.repeat, options.quick ? quickBudget : budget);
      report.add(kernel, describe(size), problem->work(), sides);
    }
  }
}

} // namespace

int benchMain(const BenchOptions& options) {
  std::vector<Target> targets;
  try {
    targets = findTargets(options.platforms);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "cannot list the OpenCL platforms: %s\n", explain(error).c_str());
    return 2;
  }
  if (targets.empty()) {
    std::fprintf(stderr, "no installed OpenCL platform has one of the given names and a device\n");
    return 2;
  }
  const auto quern = std::find_if(targets.begin(), targets.end(), [](const Target& target) {
    return target.platformName() == "Quern";
  });
  const size_t ours = quern == targets.end() ? 0 : static_cast<size_t>(quern - targets.begin());

  progress("measuring the machine's limits");
  MachineLimits limits;
  Report report(options, targets, ours, limits);
  for (const Family& family : families())
    measureFamily(family, options, targets, report);
  return report.finish();
}

} // namespace quern::bench
