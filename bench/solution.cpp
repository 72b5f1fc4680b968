#include "solution.h"

#include "stopwatch.h"

namespace quern::bench {
namespace {

/// While it lives, the target builds programs anew.
class AnewBuilds {
public:
  explicit AnewBuilds(Target& target) : target_(target) { target_.setBuildsAnew(true); }
  ~AnewBuilds() { target_.setBuildsAnew(false); }
  AnewBuilds(const AnewBuilds&) = delete;
  AnewBuilds& operator=(const AnewBuilds&) = delete;

private:
  Target& target_;
};

/// Adds a sample to the side. Returns the seconds of its budget that it took.
double sample(const Problem& problem, const std::string& variantName, Target& target, Side& side) {
  const AnewBuilds anew(target);
  const double buffersBefore = target.bufferSeconds();
  const Stopwatch preparing;
  const Variant variant = problem.prepare(target, variantName);
  const double built = preparing.seconds() - (target.bufferSeconds() - buffersBefore);

  spoilResults(target, variant);
  const Stopwatch running;
  for (int run = 0; run <= laterRuns; ++run)
    variant.run();
  side.samples.push_back(built + running.seconds());
  side.error = variant.check();
  return side.samples.back();
}

} // namespace

std::vector<Side> measureSolutions(const Problem& problem, const std::string& variantName,
                                   std::vector<Target>& targets, int rounds, double budgetSeconds) {
  std::vector<Side> sides;
  for (const Target& target : targets)
    sides.push_back({.name = target.name(), .isOffered = target.compilesSources()});
  std::vector<double> spent(sides.size());
  for (int round = 0; round < rounds; ++round)
    for (size_t position = 0; position < sides.size(); ++position)
      if (const size_t s = sideAt(position, sides.size(), round);
          sides[s].isMeasured() && (round == 0 || spent[s] <= budgetSeconds))
        try {
          spent[s] += sample(problem, variantName, targets[s], sides[s]);
        } catch (const std::exception& error) {
          sides[s].error = explain(error);
        }
  return sides;
}

} // namespace quern::bench
