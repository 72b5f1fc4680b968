// Problems whose variants are kernels, each launched once, that leave their result in one buffer.
#pragma once

#include "cases.h"

#include <cmath>

namespace quern::bench {

template <typename T> class OutputProblem : public Problem {
public:
  Variant prepare(Target& target, const std::string& variantName) const override {
    const cl::Buffer output = target.bufferOf<T>(expected_.size());
    const Launch launch = launchOf(target, variantName, output);
    return {[&target, launch] {
              launch.kernel.launch(target, launch.global, launch.local);
              target.queue().finish();
            },
            [this, &target, output] {
              return differenceFrom(target.read<T>(output, expected_.size()));
            },
            {output}};
  }

protected:
  struct Launch {
    BoundKernel kernel;
    cl::NDRange global;
    cl::NDRange local = cl::NullRange;
  };

  explicit OutputProblem(size_t count) : expected_(count) {}

  /// The kernel of a variant with its arguments, which writes all of `output`.
  virtual Launch launchOf(Target& target, const std::string& variantName,
                          const cl::Buffer& output) const = 0;
  /// What is wrong with a variant's result; empty if nothing.
  virtual std::string differenceFrom(const std::vector<T>& actual) const = 0;

  /// For differenceFrom: every value within `allowed` of the expected one, in proportion to it.
  std::string relativeDifferenceBeyond(const std::vector<T>& actual, double allowed) const {
    for (size_t i = 0; i < expected_.size(); ++i)
      if (!(std::abs(double(actual[i]) - double(expected_[i])) <=
            allowed * std::abs(double(expected_[i]))))
        return "element " + std::to_string(i) + " is " + std::to_string(actual[i]) + ", expected " +
               std::to_string(expected_[i]) + " within a part of " + std::to_string(allowed);
    return "";
  }

  std::vector<T> expected_; ///< the host's result
};

} // namespace quern::bench
