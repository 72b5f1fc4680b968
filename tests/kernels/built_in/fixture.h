#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "kernels/kernel_fixture.h"

/// What tests of the built-in kernels (docs/built_in_kernels.md) share.
namespace quern::tests {

/// A number of 16 bits.
struct Half {
  Half() = default;
  Half(double x) : value(static_cast<_Float16>(x)) {}
  operator double() const { return static_cast<double>(value); }
  _Float16 value;
};

template <typename T> constexpr bool isFloating = !std::is_integral_v<T>;

/// As the names of kernels have it.
template <typename T> constexpr const char* suffix = nullptr;
template <> inline constexpr const char* suffix<cl_uchar> = "u8";
template <> inline constexpr const char* suffix<cl_int> = "i32";
template <> inline constexpr const char* suffix<cl_uint> = "u32";
template <> inline constexpr const char* suffix<cl_long> = "i64";
template <> inline constexpr const char* suffix<cl_ulong> = "u64";
template <> inline constexpr const char* suffix<Half> = "f16";
template <> inline constexpr const char* suffix<cl_float> = "f32";
template <> inline constexpr const char* suffix<cl_double> = "f64";

/// Numbers of all magnitudes; integers of all bits.
template <typename T> std::vector<T> anyNumbers(size_t count, uint32_t seed) {
  std::mt19937_64 random(seed);
  return tabulate<T>(count, [&](size_t) {
    const uint64_t bits = random();
    if constexpr (isFloating<T>)
      return std::ldexp(static_cast<double>(bits >> 40) - (1 << 23),
                        static_cast<int>(bits % 9) - 20);
    else
      return static_cast<T>(bits);
  });
}

/// A kernel as the device brings it, or that of GPUs built from its source, which must compute the
/// same wherever it runs.
enum class Form { OfDevice, OfGpus };

/// Made on first use and kept.
const Program& builtInProgram(const std::string& name, Form form);

/// Memory for scratch arguments, zero as it must be.
class Scratch {
public:
  explicit Scratch(size_t bytes) : memory(std::vector<cl_uchar>(bytes)) {}
  Buffer<cl_uchar> memory;
};

/// The range that suits the kernel best, or with `groups` so many work-groups.
Range rangeFor(const Kernel& kernel, size_t groups = 0);

/// Runs the kernel `name` in each form and on several numbers of work-groups, calling
/// `prepare(kernel)` before each and `compare()` behind.
template <typename Prepare, typename Compare>
void forEachForm(const std::string& name, const Prepare& prepare, const Compare& compare) {
  for (const Form form : {Form::OfDevice, Form::OfGpus}) {
    SCOPED_TRACE(name + (form == Form::OfDevice ? ", the device's own" : ", as for GPUs"));
    Kernel kernel(builtInProgram(name, form), name.c_str());
    for (const size_t groups : {size_t{0}, size_t{1}, size_t{5}}) {
      SCOPED_TRACE("work-groups: " + std::to_string(groups));
      prepare(kernel);
      kernel.enqueue(rangeFor(kernel, groups));
      check(clFinish(Device::get().queue), "clFinish");
      compare();
    }
  }
}

/// Random numbers of a type, small enough for sums of many to be exact.
template <typename T> std::vector<T> smallNumbers(size_t count, uint32_t seed) {
  std::mt19937 random(seed);
  return tabulate<T>(count, [&](size_t) { return static_cast<int>(random() % 8); });
}

} // namespace quern::tests
