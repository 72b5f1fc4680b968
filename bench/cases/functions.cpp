// Option prices, and mathematical functions by themselves: arithmetic of the built-in library.
#include "output_problem.h"

#include "host/host.h"

#include <algorithm>

namespace quern::bench {
namespace {

class OptionsProblem : public Problem {
public:
  explicit OptionsProblem(size_t options)
      : price_(randomFloats(options, 5, 30, 1)), strike_(randomFloats(options, 1, 100, 2)),
        years_(randomFloats(options, 0.25f, 10, 3)), calls_(options), puts_(options) {}

  Work work() const override {
    const double options = static_cast<double>(price_.size());
    return {45 * options, 20 * options, 20 * options, options, "option"};
  }

  void runHost() override {
    host::blackScholes({price_.data(), strike_.data(), years_.data(), price_.size()}, rate,
                       volatility, calls_.data(), puts_.data());
  }

  std::vector<std::string> variantNames() const override { return {"call and put"}; }

  Variant prepare(Target& target, const std::string&) const override {
    const size_t options = price_.size();
    const cl::Buffer call = target.bufferOf<float>(options), put = target.bufferOf<float>(options);
    const BoundKernel kernel(target.program("black_scholes.cl"), "black_scholes",
                             target.bufferFrom(price_), target.bufferFrom(strike_),
                             target.bufferFrom(years_), call, put, rate, volatility);
    return {[&target, kernel, options] {
              kernel.launch(target, cl::NDRange(options));
              target.queue().finish();
            },
            [this, &target, call, put, options] {
              const std::string wrongCall =
                  differenceBeyond(target.read<float>(call, options), calls_, allowed);
              return wrongCall.empty()
                         ? differenceBeyond(target.read<float>(put, options), puts_, allowed)
                         : wrongCall;
            },
            {call, put}};
  }

private:
  static constexpr double allowed = 1e-3;
  static constexpr float rate = 0.02f;
  static constexpr float volatility = 0.3f;
  std::vector<float> price_, strike_, years_, calls_, puts_;
};

template <typename T> class FunctionProblem : public OutputProblem<T> {
public:
  FunctionProblem(const MathFunction& function, size_t count)
      : OutputProblem<T>(count), function_(function), a_(arguments(count, 1)),
        b_(arguments(count, 2)) {}

  Work work() const override {
    const double count = static_cast<double>(a_.size());
    const double bytes = (function_.isBinary ? 3 : 2) * sizeof(T) * count;
    return {count, bytes, bytes, count, "element"};
  }

  void runHost() override {
    host::apply(function_.name, a_.data(), b_.data(), this->expected_.data(), a_.size());
  }

  std::vector<std::string> variantNames() const override { return {function_.name}; }

private:
  using typename OutputProblem<T>::Launch;

  std::vector<T> arguments(size_t count, unsigned seed) const {
    const std::vector<float> values = randomFloats(count, function_.low, function_.high, seed);
    return {values.begin(), values.end()};
  }

  Launch launchOf(Target& target, const std::string&, const cl::Buffer& output) const override {
    const std::string type = sizeof(T) == sizeof(float) ? "float" : "double";
    const std::string options = "-D TYPE=" + type + " -D FUNCTION=" + function_.name +
                                (function_.isBinary ? " -D BINARY" : "");
    return {{target.program("function.cl", options), "apply", target.bufferFrom(a_),
             target.bufferFrom(b_), output},
            cl::NDRange(a_.size())};
  }

  /// The host's fast versions may err by a few units of the last place, as OpenCL's may, and near
  /// zeros of sin, cos and log by more in proportion.
  std::string differenceFrom(const std::vector<T>& actual) const override {
    return this->relativeDifferenceBeyond(actual, sizeof(T) == sizeof(float) ? 4e-6 : 1e-12);
  }

  MathFunction function_;
  std::vector<T> a_, b_;
};

} // namespace

std::unique_ptr<Problem> makeOptions(size_t options) {
  return std::make_unique<OptionsProblem>(options);
}

std::unique_ptr<Problem> makeFunction(const MathFunction& function, size_t count) {
  if (function.isDouble)
    return std::make_unique<FunctionProblem<double>>(function, count);
  return std::make_unique<FunctionProblem<float>>(function, count);
}

} // namespace quern::bench
