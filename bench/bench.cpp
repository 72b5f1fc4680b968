#include "bench.h"

#include "host/host.h"
#include "machine_limits.h"
#include "measure.h"
#include "platforms.h"
#include "problem.h"
#include "progress.h"
#include "report.h"
#include "solution.h"

#include <algorithm>
#include <cstdio>
#include <optional>

namespace quern::bench {
namespace {

/// Seconds that one side of one comparison may take for its samples.
constexpr double budget = 4;
constexpr double quickBudget = 1;
/// A time to solution has a build in it, which differs less from round to round than short runs do.
constexpr int solutionRounds = 3;

/// Whether a kernel's name contains one of these.
bool containsOne(const std::string& kernel, const std::vector<std::string>& parts) {
  return std::any_of(parts.begin(), parts.end(), [&](const std::string& part) {
    return kernel.find(part) != std::string::npos;
  });
}

/// Variants of a family at one size.
struct Step {
  const Family& family;
  Size size;
  Report::Measure measure;
  std::vector<std::string> variants;

  std::string kernel(const std::string& variant) const { return family.name + " " + variant; }
};

/// All that the options ask for, in the order of the report.
std::vector<Step> planFor(const BenchOptions& options, const std::vector<Family>& families) {
  std::vector<Step> steps;
  const auto add = [&](const Family& family, const Size& size, Report::Measure measure) {
    Step step{family, size, measure, {}};
    for (const std::string& name : family.make(size)->variantNames())
      if (options.kernels.empty() || containsOne(step.kernel(name), options.kernels))
        step.variants.push_back(name);
    if (!step.variants.empty())
      steps.push_back(step);
  };
  for (const Family& family : families)
    for (const Size& size : options.quick ? family.quickSizes : family.sizes)
      add(family, size, Report::Measure::Run);
  // At the size that is the largest of the quick ones: large enough for the launches to count, and
  // small enough for the build to do so.
  for (const Family& family : families)
    if (family.timesSolution && !options.runsOnly)
      add(family, family.quickSizes.back(), Report::Measure::Solution);
  return steps;
}

std::vector<Side> sidesOf(Problem& problem, const std::string& variantName,
                          std::vector<Target>& targets, bool oneThread) {
  std::vector<Side> sides;
  for (Target& target : targets) {
    Side& side = sides.emplace_back();
    side.name = target.name();
    try {
      const Variant variant = problem.prepare(target, variantName);
      side.run = variant.run;
      side.check = variant.check;
      side.picture = variant.picture;
      side.spoil = [&target, variant] { spoilResults(target, variant); };
    } catch (const NotOffered&) {
      side.isOffered = false;
    } catch (const std::exception& error) {
      side.error = explain(error);
    }
  }
  if (problem.hasHost())
    sides.push_back({.name = hostName, .run = [&problem] { problem.runHost(); }});
  if (problem.hasHost() && oneThread)
    sides.push_back({.name = oneThreadName, .run = [&problem] {
                       const host::Alone alone;
                       problem.runHost();
                     }});
  return sides;
}

class Benchmark {
public:
  Benchmark(const BenchOptions& options, std::vector<Target>& targets, Report& report,
            Progress& progress)
      : options_(options), targets_(targets), report_(report), progress_(progress),
        budget_(options.quick ? quickBudget : budget) {}

  void measureAll(const Step& step) {
    const std::unique_ptr<Problem> problem = step.family.make(step.size);
    bool isHostDone = false;
    for (const std::string& variant : step.variants) {
      progress_.begin(step.kernel(variant) + " " + describe(step.size));
      if (!isHostDone)
        problem->runHost(); // the results to check against
      isHostDone = true;
      const std::vector<Side> sides =
          step.measure == Report::Measure::Run
              ? measureRuns(*problem, variant,
                            containsOne(step.kernel(variant), options_.oneThread))
              : measureSolutionsOf(*problem, variant);
      report_.add(step.measure, step.kernel(variant), describe(step.size), problem->work(), sides);
      const Side& ours = sides.front();
      if (ours.picture && ours.isMeasured())
        report_.addPicture(step.kernel(variant), describe(step.size), ours.picture);
    }
  }

private:
  std::vector<Side> measureRuns(Problem& problem, const std::string& variant, bool oneThread) {
    std::vector<Side> sides = sidesOf(problem, variant, targets_, oneThread);
    measure(sides, options_.repeat, budget_);
    return sides;
  }

  std::vector<Side> measureSolutionsOf(const Problem& problem, const std::string& variant) {
    return measureSolutions(problem, variant, targets_, std::min(options_.repeat, solutionRounds),
                            budget_);
  }

  const BenchOptions& options_;
  std::vector<Target>& targets_;
  Report& report_;
  Progress& progress_;
  double budget_;
};

} // namespace

int benchMain(const BenchOptions& options, const std::vector<Family>& families) {
  std::vector<Target> targets;
  try {
    if (options.listsDevices) {
      std::fputs(listDevices(options.driver).c_str(), stdout);
      return 0;
    }
    targets = choosePlatforms(options.driver, options.platforms, options.device);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "quern bench: %s\n", explain(error).c_str());
    return 2;
  }
  const std::vector<Step> plan = planFor(options, families);
  size_t rows = 0;
  for (const Step& step : plan)
    rows += step.variants.size();
  Progress progress(rows, options.progressLines);
  MachineLimits ofHost(hostMeter());
  std::optional<MachineLimits> ofDevice;
  if (targets.front().description().kind != "CPU")
    ofDevice.emplace(deviceMeter(targets.front()));
  Report report(options, targets, ofHost, ofDevice ? *ofDevice : ofHost);
  Benchmark benchmark(options, targets, report, progress);
  for (const Step& step : plan)
    benchmark.measureAll(step);
  return report.finish();
}

int benchMain(const BenchOptions& options) {
  return benchMain(options, families());
}

} // namespace quern::bench
