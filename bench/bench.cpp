#include "bench.h"

#include "machine_limits.h"
#include "measure.h"
#include "platforms.h"
#include "problem.h"
#include "report.h"
#include "solution.h"

#include <cstdio>
#include <unistd.h>

namespace quern::bench {
namespace {

/// Seconds that one side of one comparison may take for its samples.
constexpr double budget = 4;
constexpr double quickBudget = 1;
/// A time to solution has a build in it, which differs less from round to round than short runs do.
constexpr int solutionRounds = 3;

void progress(const std::string& text) {
  if (isatty(STDERR_FILENO))
    std::fprintf(stderr, "%s\r\033[K", text.c_str());
}

std::vector<Side> sidesOf(Problem& problem, const std::string& variantName,
                          std::vector<Target>& targets) {
  std::vector<Side> sides;
  for (Target& target : targets) {
    Side& side = sides.emplace_back();
    side.name = target.name();
    try {
      const Variant variant = problem.prepare(target, variantName);
      side.run = variant.run;
      side.check = variant.check;
      side.spoil = [&target, variant] { spoilResults(target, variant); };
    } catch (const NotOffered&) {
      side.isOffered = false;
    } catch (const std::exception& error) {
      side.error = explain(error);
    }
  }
  if (problem.hasHost())
    sides.push_back({.name = "host", .run = [&problem] { problem.runHost(); }});
  return sides;
}

class Benchmark {
public:
  Benchmark(const BenchOptions& options, std::vector<Target>& targets, Report& report)
      : options_(options), targets_(targets), report_(report),
        budget_(options.quick ? quickBudget : budget) {}

  void measureRuns(const Family& family) {
    for (const Size& size : options_.quick ? family.quickSizes : family.sizes)
      forEachVariant(family, size, [&](Problem& problem, const std::string& variantName) {
        std::vector<Side> sides = sidesOf(problem, variantName, targets_);
        measure(sides, options_.repeat, budget_);
        return sides;
      });
  }

  /// At the size that is the largest of the quick ones: large enough for the launches to count, and
  /// small enough for the build to do so.
  void measureSolutionsOf(const Family& family) {
    if (family.timesSolution)
      forEachVariant(family, family.quickSizes.back(),
                     [&](Problem& problem, const std::string& variantName) {
                       return measureSolutions(problem, variantName, targets_,
                                               std::min(options_.repeat, solutionRounds), budget_);
                     });
  }

private:
  /// Reports the sides that `measureSides` gives for each variant that is asked for.
  template <typename Measure>
  void forEachVariant(const Family& family, const Size& size, Measure measureSides) {
    std::unique_ptr<Problem> problem;
    for (const std::string& variantName : family.make(size)->variantNames()) {
      const std::string kernel = family.name + " " + variantName;
      if (kernel.find(options_.kernelFilter) == std::string::npos)
        continue;
      progress("measuring " + kernel + " " + describe(size));
      if (!problem) {
        problem = family.make(size);
        problem->runHost(); // the results to check against
      }
      const std::vector<Side> sides = measureSides(*problem, variantName);
      report_.add(kernel, describe(size), problem->work(), sides);
    }
  }

  const BenchOptions& options_;
  std::vector<Target>& targets_;
  Report& report_;
  double budget_;
};

} // namespace

int benchMain(const BenchOptions& options, const std::vector<Family>& families) {
  std::vector<Target> targets;
  try {
    targets = choosePlatforms(options.driver, options.platforms);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "quern bench: %s\n", explain(error).c_str());
    return 2;
  }
  progress("measuring the machine's limits");
  MachineLimits limits;
  Report report(options, targets, limits);
  Benchmark benchmark(options, targets, report);
  report.begin(Report::Measure::Run);
  for (const Family& family : families)
    benchmark.measureRuns(family);
  report.begin(Report::Measure::Solution);
  for (const Family& family : families)
    benchmark.measureSolutionsOf(family);
  return report.finish();
}

int benchMain(const BenchOptions& options) {
  return benchMain(options, families());
}

} // namespace quern::bench
