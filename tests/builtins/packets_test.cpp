// The scalar functions as kernels get them: compiled for an instruction set, in packets of
// work-items. Mathematical functions are compared with references, the others with the library's
// code for the plainest processor, which the other tests of this folder check.
#include "builtin.h"
#include "kernels/kernel_fixture.h"
#include "math_arguments.h"
#include "math_functions.h"
#include "ulp.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <memory>
#include <set>

namespace quern::builtins {
namespace {

constexpr std::size_t items = 2048;
constexpr std::size_t mostParameters = 4;

/// The name of a type in OpenCL C, and its bytes. Truth values are stored as int.
struct TypeName {
  const char* text;
  std::size_t bytes;
};
constexpr TypeName typeNames[] = {
    {"", 0},     {"int", 4},  {"char", 1},  {"uchar", 1}, {"short", 2}, {"ushort", 2}, {"int", 4},
    {"uint", 4}, {"long", 8}, {"ulong", 8}, {"half", 2},  {"float", 4}, {"double", 8}};
TypeName nameOf(Base base) {
  return typeNames[static_cast<int>(base)];
}

bool isFloating(Base base) {
  return base == Base::Half || base == Base::Float || base == Base::Double;
}

/// Functions whose errors have no limit in units in the last place: derived_math_test.cpp and
/// common_test.cpp know what they may be.
const std::set<std::string_view> imprecise = {"degrees", "fast_normalize", "lgamma",    "mad",
                                              "mix",     "radians",        "smoothstep"};

/// What a kernel can call on values alone.
bool isScalar(const Builtin& builtin) {
  if (builtin.name.starts_with("__") || builtin.name.starts_with("native_") ||
      builtin.name.starts_with("half_") || imprecise.contains(builtin.name))
    return false;
  if (builtin.result.base == Base::Void || builtin.result.width != 1 ||
      builtin.parameterCount == 0 || builtin.parameterCount > static_cast<int>(mostParameters))
    return false;
  return std::all_of(builtin.parameters, builtin.parameters + builtin.parameterCount,
                     [](const Type& type) { return type.width == 1 && type.space == Space::None; });
}

/// Functions that are built together: those of one name, conversions to one type.
std::string groupOf(const Builtin& builtin) {
  const std::string name(builtin.name);
  return name.starts_with("convert_") ? name.substr(0, name.find('_', 8)) : name;
}

std::vector<std::string> groups() {
  std::set<std::string> found;
  for (std::size_t i = 0; i < tableSize; ++i)
    if (isScalar(table[i]))
      found.insert(groupOf(table[i]));
  return {found.begin(), found.end()};
}

std::vector<const Builtin*> functionsOf(const std::string& group) {
  std::vector<const Builtin*> found;
  for (std::size_t i = 0; i < tableSize; ++i)
    if (isScalar(table[i]) && groupOf(table[i]) == group)
      found.push_back(&table[i]);
  return found;
}

/// One kernel for each function, and within it each argument from a buffer of its own.
std::string kernelsOf(const std::vector<const Builtin*>& functions) {
  std::string text = "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n";
  for (std::size_t f = 0; f < functions.size(); ++f) {
    const Builtin& builtin = *functions[f];
    std::string parameters, arguments;
    for (int i = 0; i < builtin.parameterCount; ++i) {
      const std::string name(1, static_cast<char>('a' + i));
      parameters +=
          std::string(", global const ") + nameOf(builtin.parameters[i].base).text + "* " + name;
      arguments += (i ? ", " : "") + name + "[i]";
    }
    text += "kernel void k" + std::to_string(f) + "(global " + nameOf(builtin.result.base).text +
            "* r" + parameters +
            ") { size_t i = get_global_id(0); r[i] = " + std::string(builtin.name) + "(" +
            arguments + "); }\n";
  }
  return text;
}

using Bits = std::vector<unsigned char>;

template <typename T> void put(Bits& bits, std::size_t item, T value) {
  std::memcpy(&bits[item * sizeof(T)], &value, sizeof(T));
}
template <typename T> T get(const Bits& bits, std::size_t item) {
  T value;
  std::memcpy(&value, &bits[item * sizeof(T)], sizeof(T));
  return value;
}

/// Calls `function` with a value of the C++ type for `base`.
template <typename F> void withType(Base base, F&& function) {
  bool found = false;
  forEachTypeAndHalf([&](auto zero) {
    if (!found && baseOf<decltype(zero)>() == base) {
      found = true;
      function(zero);
    }
  });
  if (!found) // truth values
    function(std::int32_t{});
}

/// Numbers for all work-items. What functions leave undefined is left out: NaN where `isOrdered`,
/// and what does not fit the result of a conversion, where it must.
Bits draw(Base base, std::mt19937_64& random, bool isOrdered, bool fitsEverywhere) {
  Bits bits(items * nameOf(base).bytes);
  withType(base, [&](auto zero) {
    using T = decltype(zero);
    for (std::size_t item = 0; item < items; ++item)
      if constexpr (std::is_same_v<T, Half>) {
        auto half = static_cast<std::uint16_t>(random());
        if (fitsEverywhere) // from 1 to 64
          half = static_cast<std::uint16_t>(0x3c00 + half % 0x1800);
        else if (isOrdered)
          half &= 0xbfff;
        put(bits, item, Half{half});
      } else {
        T value = drawArgument<T>(random);
        if constexpr (std::is_floating_point_v<T>)
          if (fitsEverywhere || (isOrdered && std::isnan(value)))
            value = static_cast<T>(random() % 10000) / 100;
        put(bits, item, value);
      }
  });
  return bits;
}

/// Whether a result is that of the plain code: the same number, where zeros may differ in sign and
/// NaN in payload. Half functions are allowed two units in the last place, as two results of that
/// precision may differ.
template <typename T> bool agrees(T actual, T expected) {
  if constexpr (std::is_same_v<T, Half>) {
    const auto isNan = [](Half x) { return (x.bits & 0x7fff) > 0x7c00; };
    const auto order = [](Half x) { return x.bits & 0x8000 ? -(x.bits & 0x7fff) : x.bits; };
    return isNan(actual) ? isNan(expected)
                         : !isNan(expected) && std::abs(order(actual) - order(expected)) <= 2;
  } else if constexpr (std::is_floating_point_v<T>)
    return actual == expected || (std::isnan(actual) && std::isnan(expected));
  else
    return actual == expected;
}

/// A reference for `builtin` that takes the arguments of one work-item; null for other functions.
template <typename T> const MathFunction<T>* referenceFor(const Builtin& builtin) {
  static const std::vector<MathFunction<T>> all = mathFunctions<T>();
  const auto found = std::ranges::find(all, builtin.name, &MathFunction<T>::name);
  return found == all.end() || builtin.parameters[0].base != baseOf<T>() ? nullptr : &*found;
}

template <typename T>
long double exactResult(const MathFunction<T>& function, const std::vector<Bits>& arguments,
                        std::size_t item) {
  using Form = MathFunction<T>;
  const T x = get<T>(arguments[0], item);
  if (auto* unary = std::get_if<typename Form::Unary>(&function.reference))
    return (*unary)(x);
  if (auto* binary = std::get_if<typename Form::Binary>(&function.reference))
    return (*binary)(x, get<T>(arguments[1], item));
  return std::get<typename Form::WithInteger>(function.reference)(
      x, get<std::int32_t>(arguments[1], item));
}

std::string shownArguments(const Builtin& builtin, const std::vector<Bits>& arguments,
                           std::size_t item) {
  std::string text;
  for (int i = 0; i < builtin.parameterCount; ++i)
    withType(builtin.parameters[i].base, [&](auto zero) {
      text += ::testing::PrintToString(get<decltype(zero)>(arguments[i], item)) + " ";
    });
  return text;
}

/// Compares what the kernel stored with the reference or the plain code.
template <typename T>
void compare(const Builtin& builtin, const std::vector<Bits>& arguments, const Bits& results) {
  for (std::size_t item = 0; item < items; ++item) {
    const T actual = get<T>(results, item);
    if constexpr (std::is_floating_point_v<T>)
      if (const MathFunction<T>* function = referenceFor<T>(builtin)) {
        const long double exact = exactResult(*function, arguments, item);
        ASSERT_LE(ulpError(actual, exact), function->limit)
            << describe(builtin) << " of " << shownArguments(builtin, arguments, item) << "gave "
            << actual << ", exactly " << exact;
        continue;
      }
    std::array<Slot, mostParameters> slots;
    void* pointers[mostParameters];
    for (int i = 0; i < builtin.parameterCount; ++i) {
      const std::size_t bytes = nameOf(builtin.parameters[i].base).bytes;
      std::memcpy(slots[i].bytes, &arguments[i][item * bytes], bytes);
      pointers[i] = &slots[i];
    }
    Slot slot;
    builtin.call(&slot, pointers);
    const T expected = slot.as<T>()[0];
    ASSERT_TRUE(agrees(actual, expected))
        << describe(builtin) << " of " << shownArguments(builtin, arguments, item) << "gave "
        << ::testing::PrintToString(actual) << ", expected " << ::testing::PrintToString(expected);
  }
}

class InPackets : public ::testing::TestWithParam<std::string> {};

TEST_P(InPackets, AreTheSame) {
  const std::vector<const Builtin*> functions = functionsOf(GetParam());
  const tests::Program program = tests::build(kernelsOf(functions), "-cl-std=CL3.0");
  for (std::size_t f = 0; f < functions.size(); ++f) {
    const Builtin& builtin = *functions[f];
    const bool isConversion = builtin.name.starts_with("convert_");
    const bool saturates = builtin.name.find("_sat") != std::string_view::npos;
    const bool isOrdered = builtin.name == "max" || builtin.name == "min" ||
                           builtin.name == "clamp" || builtin.name == "step";
    std::mt19937_64 random(f);
    std::vector<Bits> arguments;
    for (int i = 0; i < builtin.parameterCount; ++i)
      arguments.push_back(draw(builtin.parameters[i].base, random, isOrdered,
                               isConversion && !saturates && !isFloating(builtin.result.base)));
    tests::Kernel kernel(program, ("k" + std::to_string(f)).c_str());
    const tests::Buffer<unsigned char> results(items * nameOf(builtin.result.base).bytes, 0xcd);
    kernel.set(0, results);
    std::vector<std::unique_ptr<tests::Buffer<unsigned char>>> buffers;
    for (const Bits& argument : arguments) {
      buffers.push_back(std::make_unique<tests::Buffer<unsigned char>>(argument));
      kernel.set(static_cast<cl_uint>(buffers.size()), *buffers.back());
    }
    kernel.enqueue({{items}});
    const Bits stored = results.read();
    withType(builtin.result.base,
             [&](auto zero) { compare<decltype(zero)>(builtin, arguments, stored); });
  }
}

INSTANTIATE_TEST_SUITE_P(, InPackets, ::testing::ValuesIn(groups()),
                         [](const auto& info) { return info.param; });

TEST(ScalarFunctions, AreFound) {
  EXPECT_GE(groups().size(), 120u);
}

} // namespace
} // namespace quern::builtins
