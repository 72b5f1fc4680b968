// Problems of launches of next to nothing, which add numbers to all values of a buffer.
#pragma once

#include "cases.h"

namespace quern::bench {

class LaunchesProblem : public Problem {
public:
  Work work() const final;
  /// The host's counterpart of a launch: a piece of work for each thread, and a wait.
  void runHost() final;
  std::vector<std::string> variantNames() const final { return variants_; }
  Variant prepare(Target& target, const std::string& variantName) const final;

protected:
  static constexpr size_t items = 64; ///< of a launch, in one work-group

  /// `count` launches in a run. `variants`: launches that are alike, and, where there is such a
  /// variant, launches that differ in an argument.
  LaunchesProblem(size_t count, std::vector<std::string> variants)
      : count_(count), variants_(std::move(variants)) {}

  size_t count() const { return count_; }
  /// The kernel of all launches. Where they differ its second argument is the launch's number.
  std::shared_ptr<BoundKernel> makeKernel(Target& target, const cl::Buffer& output,
                                          bool differs) const;

private:
  /// A run, which waits for the last launch.
  virtual std::function<void()> prepareRun(Target& target, const cl::Buffer& output,
                                           bool differs) const = 0;

  size_t count_;
  std::vector<std::string> variants_;
};

} // namespace quern::bench
