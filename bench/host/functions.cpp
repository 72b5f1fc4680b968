#include "host.h"
#include "team.h"

#include <cmath>
#include <stdexcept>
#include <string>

namespace quern::bench::host {
namespace {

/// Functions cost enough for so few elements to be worth a second thread.
constexpr size_t grain = 1024;

/// result[i] = function(a[i], b[i]). The compiler calls the vector functions of the C library.
template <typename T, typename Function>
void applyEach(const T* a, const T* b, T* result, size_t count, Function function) {
  parallel(count, grain, [=](size_t begin, size_t end) {
#pragma GCC ivdep
    for (size_t i = begin; i < end; ++i)
      result[i] = function(a[i], b[i]);
  });
}

float normalDistribution(float d) {
  const float k = 1.0f / (1.0f + 0.2316419f * std::fabs(d));
  const float polynomial =
      k * (0.319381530f +
           k * (-0.356563782f + k * (1.781477937f + k * (-1.821255978f + k * 1.330274429f))));
  const float tail = 0.39894228f * std::exp(-0.5f * d * d) * polynomial;
  return d > 0 ? 1.0f - tail : tail;
}

} // namespace

void blackScholes(const Options& options, float rate, float volatility, float* call, float* put) {
  parallel(options.count, grain, [=](size_t begin, size_t end) {
#pragma GCC ivdep
    for (size_t i = begin; i < end; ++i) {
      const float price = options.price[i], strike = options.strike[i], years = options.years[i];
      const float root = std::sqrt(years);
      const float d1 =
          (std::log(price / strike) + (rate + 0.5f * volatility * volatility) * years) /
          (volatility * root);
      const float n1 = normalDistribution(d1);
      const float n2 = normalDistribution(d1 - volatility * root);
      const float discounted = strike * std::exp(-rate * years);
      call[i] = price * n1 - discounted * n2;
      put[i] = discounted * (1.0f - n2) - price * (1.0f - n1);
    }
  });
}

void apply(const std::string& name, const float* a, const float* b, float* result, size_t count) {
  if (name == "pow")
    return applyEach(a, b, result, count, [](float x, float y) { return std::pow(x, y); });
  if (name == "tan")
    return applyEach(a, b, result, count, [](float x, float) { return std::tan(x); });
  if (name == "atan2")
    return applyEach(a, b, result, count, [](float x, float y) { return std::atan2(x, y); });
  if (name == "tanh")
    return applyEach(a, b, result, count, [](float x, float) { return std::tanh(x); });
  throw std::invalid_argument("the host has no float function " + name);
}

void apply(const std::string& name, const double* a, const double* b, double* result,
           size_t count) {
  if (name == "sin")
    return applyEach(a, b, result, count, [](double x, double) { return std::sin(x); });
  if (name == "exp")
    return applyEach(a, b, result, count, [](double x, double) { return std::exp(x); });
  if (name == "log")
    return applyEach(a, b, result, count, [](double x, double) { return std::log(x); });
  throw std::invalid_argument("the host has no double function " + name);
}

} // namespace quern::bench::host
