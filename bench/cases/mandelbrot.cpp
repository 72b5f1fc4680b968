// The Mandelbrot set: a loop that work-items leave at different times.
#include "output_problem.h"

#include "host/host.h"

#include <numeric>

namespace quern::bench {
namespace {

class MandelbrotProblem : public OutputProblem<cl_int> {
public:
  MandelbrotProblem(size_t columns, size_t rows, int limit)
      : OutputProblem(columns * rows), columns_(columns), rows_(rows), limit_(limit),
        step_(3.0f / static_cast<float>(columns)) {}

  Work work() const override {
    const double iterations = std::accumulate(expected_.begin(), expected_.end(), 0.0);
    const double bytes = sizeof(cl_int) * static_cast<double>(expected_.size());
    return {8 * iterations, bytes, bytes, iterations, "iteration"};
  }

  void runHost() override {
    host::mandelbrot(expected_.data(), columns_, rows_, left, top, step_, limit_);
  }

  std::vector<std::string> variantNames() const override { return {"plain"}; }

  Variant prepare(Target& target, const std::string& variantName) const override {
    Variant variant = OutputProblem::prepare(target, variantName);
    variant.picture = [this, &target, output = variant.outputs.front().buffer] {
      return makePicture(columns_, 1, "int32", target.read<cl_int>(output, expected_.size()));
    };
    return variant;
  }

private:
  Launch launchOf(Target& target, const std::string&, const cl::Buffer& output) const override {
    return {{target.program("mandelbrot.cl"), "mandelbrot", output, left, top, step_, limit_},
            cl::NDRange(columns_, rows_)};
  }

  /// Points next to the set's border take another number of steps after any other rounding.
  std::string differenceFrom(const std::vector<cl_int>& actual) const override {
    size_t differing = 0;
    for (size_t i = 0; i < expected_.size(); ++i) {
      if (actual[i] < 0 || actual[i] > limit_)
        return "point " + std::to_string(i) + " has " + std::to_string(actual[i]) +
               " iterations of at most " + std::to_string(limit_);
      differing += actual[i] != expected_[i];
    }
    if (differing * 100 > expected_.size())
      return std::to_string(differing) + " of " + std::to_string(expected_.size()) +
             " points differ, which is more than the 1 % that rounding explains";
    return "";
  }

  static constexpr float left = -2.2f;
  static constexpr float top = -1.125f;
  size_t columns_, rows_;
  cl_int limit_;
  float step_;
};

} // namespace

std::unique_ptr<Problem> makeMandelbrot(size_t columns, size_t rows, size_t limit) {
  return std::make_unique<MandelbrotProblem>(columns, rows, static_cast<int>(limit));
}

} // namespace quern::bench
