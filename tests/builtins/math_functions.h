// The mathematical functions with limits in units in the last place, each with its limit for a full
// profile and a reference of higher precision.
#pragma once

#include <algorithm>
#include <string>
#include <variant>
#include <vector>

#include "math_reference.h"

namespace quern::builtins {

/// References of float are evaluated in double, which is fast enough for all arguments, those of
/// double in long double.
template <typename T>
using ReferenceOf = std::conditional_t<std::is_same_v<T, float>, double, long double>;

template <typename T> struct MathFunction {
  using Real = ReferenceOf<T>;
  using Unary = Real (*)(Real);
  using Binary = Real (*)(Real, Real);
  using WithInteger = Real (*)(Real, int);

  std::string name;
  double limit;
  std::variant<Unary, Binary, WithInteger> reference;
};

/// The names of the forms that functions have for some machines (src/builtins/README.md).
template <typename T> std::vector<std::string> ownForms() {
  if constexpr (std::is_same_v<T, float>)
    return {"__fma_cbrt",  "__fma_cos",    "__fma_log",    "__fma_log10",   "__fma_log2",
            "__fma_pow",   "__fma_pown",   "__fma_powr",   "__fma_rootn",   "__fma_sin",
            "__fma_tan",   "__nvptx_cos",  "__nvptx_exp",  "__nvptx_exp10", "__nvptx_exp2",
            "__nvptx_pow", "__nvptx_pown", "__nvptx_powr", "__nvptx_rootn", "__nvptx_sin",
            "__nvptx_tan", "__nvptx_tanh"};
  else
    return {"__avx512_erf",  "__avx512_erfc",  "__avx512_exp",   "__avx512_exp10", "__avx512_exp2",
            "__avx512_log",  "__avx512_log10", "__avx512_log2",  "__avx512_pow",   "__avx512_pown",
            "__avx512_powr", "__avx512_rootn", "__avx512_rsqrt", "__fma_cbrt",     "__nvptx_cos",
            "__nvptx_exp",   "__nvptx_log",    "__nvptx_log10",  "__nvptx_log2",   "__nvptx_sin",
            "__nvptx_tan"};
}

/// In alphabetical order; the forms for some machines last.
template <typename T> std::vector<MathFunction<T>> mathFunctions() {
  using Real = ReferenceOf<T>;
  constexpr Real pi = static_cast<Real>(quern::builtins::pi);
  std::vector<MathFunction<T>> functions;
  auto unary = [&](std::string name, double limit, Real (*f)(Real)) {
    functions.push_back({name, limit, f});
  };
  auto binary = [&](std::string name, double limit, Real (*f)(Real, Real)) {
    functions.push_back({name, limit, f});
  };
  auto withInteger = [&](std::string name, double limit, Real (*f)(Real, int)) {
    functions.push_back({name, limit, f});
  };
  unary("acos", 4, std::acos);
  unary("acosh", 4, std::acosh);
  unary("acospi", 5, [](Real x) { return std::acos(x) / pi; });
  unary("asin", 4, std::asin);
  unary("asinh", 4, std::asinh);
  unary("asinpi", 5, [](Real x) { return std::asin(x) / pi; });
  unary("atan", 5, std::atan);
  unary("atanh", 5, std::atanh);
  unary("atanpi", 5, [](Real x) { return std::atan(x) / pi; });
  unary("cbrt", 2, std::cbrt);
  unary("cos", 4, std::cos);
  unary("cosh", 4, std::cosh);
  unary("cospi", 4, [](Real x) { return static_cast<Real>(cosPi(x)); });
  unary("erf", 16, std::erf);
  unary("erfc", 16, std::erfc);
  unary("exp", 3, std::exp);
  unary("exp2", 3, std::exp2);
  unary("exp10", 3, [](Real x) { return static_cast<Real>(power(10, x)); });
  unary("expm1", 3, std::expm1);
  unary("log", 3, std::log);
  unary("log2", 3, std::log2);
  unary("log10", 3, std::log10);
  unary("log1p", 2, std::log1p);
  unary("rsqrt", 2, [](Real x) { return 1 / std::sqrt(x); });
  unary("sin", 4, std::sin);
  unary("sinh", 4, std::sinh);
  unary("sinpi", 4, [](Real x) { return static_cast<Real>(sinPi(x)); });
  unary("sqrt", 0.5, std::sqrt);
  unary("tan", 5, std::tan);
  unary("tanh", 5, std::tanh);
  unary("tanpi", 6, [](Real x) { return static_cast<Real>(tanPi(x)); });
  unary("tgamma", 16, std::tgamma);
  binary("atan2", 6, std::atan2);
  binary("atan2pi", 6, [](Real y, Real x) { return std::atan2(y, x) / pi; });
  binary("hypot", 4, std::hypot);
  binary("pow", 16, [](Real x, Real y) { return static_cast<Real>(power(x, y)); });
  binary("powr", 16, [](Real x, Real y) { return static_cast<Real>(powNatural(x, y)); });
  withInteger("pown", 16, [](Real x, int n) { return static_cast<Real>(power(x, n)); });
  withInteger("rootn", 16, [](Real x, int n) { return static_cast<Real>(root(x, n)); });
  for (const std::string& name : ownForms<T>()) {
    const std::string common = name.substr(name.rfind('_') + 1);
    MathFunction<T> form = *std::ranges::find(functions, common, &MathFunction<T>::name);
    form.name = name;
    functions.push_back(form);
  }
  return functions;
}

} // namespace quern::builtins
