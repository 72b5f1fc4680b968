// Every reduction and scan of sub-groups, of every type, against sums made by the host: with all
// work-items of the sub-group, with some of them, and in clusters.
#include "kernels/sub_group_fixture.h"

#include <algorithm>
#include <limits>
#include <span>

namespace quern::tests {
namespace {

enum class Operation { Add, Mul, Min, Max, And, Or, Xor, LogicalAnd, LogicalOr, LogicalXor };
enum class Form { Reduce, Inclusive, Exclusive, Clustered };

struct Function {
  const char* name;
  Form form;
  Operation operation;
};

/// Called by all work-items of the sub-group.
constexpr Function uniform[] = {
    {"sub_group_reduce_add", Form::Reduce, Operation::Add},
    {"sub_group_reduce_min", Form::Reduce, Operation::Min},
    {"sub_group_reduce_max", Form::Reduce, Operation::Max},
    {"sub_group_scan_inclusive_add", Form::Inclusive, Operation::Add},
    {"sub_group_scan_inclusive_min", Form::Inclusive, Operation::Min},
    {"sub_group_scan_inclusive_max", Form::Inclusive, Operation::Max},
    {"sub_group_scan_exclusive_add", Form::Exclusive, Operation::Add},
    {"sub_group_scan_exclusive_min", Form::Exclusive, Operation::Min},
    {"sub_group_scan_exclusive_max", Form::Exclusive, Operation::Max},
};

/// Called by some; of all numbers.
constexpr Function arithmetic[] = {
    {"sub_group_non_uniform_reduce_add", Form::Reduce, Operation::Add},
    {"sub_group_non_uniform_reduce_mul", Form::Reduce, Operation::Mul},
    {"sub_group_non_uniform_reduce_min", Form::Reduce, Operation::Min},
    {"sub_group_non_uniform_reduce_max", Form::Reduce, Operation::Max},
    {"sub_group_non_uniform_scan_inclusive_add", Form::Inclusive, Operation::Add},
    {"sub_group_non_uniform_scan_inclusive_mul", Form::Inclusive, Operation::Mul},
    {"sub_group_non_uniform_scan_inclusive_min", Form::Inclusive, Operation::Min},
    {"sub_group_non_uniform_scan_inclusive_max", Form::Inclusive, Operation::Max},
    {"sub_group_non_uniform_scan_exclusive_add", Form::Exclusive, Operation::Add},
    {"sub_group_non_uniform_scan_exclusive_mul", Form::Exclusive, Operation::Mul},
    {"sub_group_non_uniform_scan_exclusive_min", Form::Exclusive, Operation::Min},
    {"sub_group_non_uniform_scan_exclusive_max", Form::Exclusive, Operation::Max},
    {"sub_group_clustered_reduce_add", Form::Clustered, Operation::Add},
    {"sub_group_clustered_reduce_mul", Form::Clustered, Operation::Mul},
    {"sub_group_clustered_reduce_min", Form::Clustered, Operation::Min},
    {"sub_group_clustered_reduce_max", Form::Clustered, Operation::Max},
};

/// Of integers.
constexpr Function bitwise[] = {
    {"sub_group_non_uniform_reduce_and", Form::Reduce, Operation::And},
    {"sub_group_non_uniform_reduce_or", Form::Reduce, Operation::Or},
    {"sub_group_non_uniform_reduce_xor", Form::Reduce, Operation::Xor},
    {"sub_group_non_uniform_scan_inclusive_and", Form::Inclusive, Operation::And},
    {"sub_group_non_uniform_scan_inclusive_or", Form::Inclusive, Operation::Or},
    {"sub_group_non_uniform_scan_inclusive_xor", Form::Inclusive, Operation::Xor},
    {"sub_group_non_uniform_scan_exclusive_and", Form::Exclusive, Operation::And},
    {"sub_group_non_uniform_scan_exclusive_or", Form::Exclusive, Operation::Or},
    {"sub_group_non_uniform_scan_exclusive_xor", Form::Exclusive, Operation::Xor},
    {"sub_group_clustered_reduce_and", Form::Clustered, Operation::And},
    {"sub_group_clustered_reduce_or", Form::Clustered, Operation::Or},
    {"sub_group_clustered_reduce_xor", Form::Clustered, Operation::Xor},
};

/// Of int, whose results are true or false.
constexpr Function logical[] = {
    {"sub_group_non_uniform_reduce_logical_and", Form::Reduce, Operation::LogicalAnd},
    {"sub_group_non_uniform_reduce_logical_or", Form::Reduce, Operation::LogicalOr},
    {"sub_group_non_uniform_reduce_logical_xor", Form::Reduce, Operation::LogicalXor},
    {"sub_group_non_uniform_scan_inclusive_logical_and", Form::Inclusive, Operation::LogicalAnd},
    {"sub_group_non_uniform_scan_inclusive_logical_or", Form::Inclusive, Operation::LogicalOr},
    {"sub_group_non_uniform_scan_inclusive_logical_xor", Form::Inclusive, Operation::LogicalXor},
    {"sub_group_non_uniform_scan_exclusive_logical_and", Form::Exclusive, Operation::LogicalAnd},
    {"sub_group_non_uniform_scan_exclusive_logical_or", Form::Exclusive, Operation::LogicalOr},
    {"sub_group_non_uniform_scan_exclusive_logical_xor", Form::Exclusive, Operation::LogicalXor},
    {"sub_group_clustered_reduce_logical_and", Form::Clustered, Operation::LogicalAnd},
    {"sub_group_clustered_reduce_logical_or", Form::Clustered, Operation::LogicalOr},
    {"sub_group_clustered_reduce_logical_xor", Form::Clustered, Operation::LogicalXor},
};

constexpr size_t local = 52, count = 208, cluster = 4;

template <typename T> T identity(Operation operation) {
  using Limits = std::numeric_limits<T>;
  switch (operation) {
  case Operation::Mul:
  case Operation::LogicalAnd:
    return 1;
  case Operation::Min:
    return Limits::has_infinity ? Limits::infinity() : Limits::max();
  case Operation::Max:
    return Limits::has_infinity ? -Limits::infinity() : Limits::lowest();
  case Operation::And:
    return T(-1);
  default:
    return 0;
  }
}

/// Integers wrap around.
template <typename T> T applied(Operation operation, T a, T b) {
  if (operation == Operation::Min)
    return std::min(a, b);
  if (operation == Operation::Max)
    return std::max(a, b);
  if constexpr (std::is_floating_point_v<T>)
    return operation == Operation::Add ? a + b : a * b;
  else {
    const auto x = static_cast<cl_ulong>(a), y = static_cast<cl_ulong>(b);
    switch (operation) {
    case Operation::Add:
      return T(x + y);
    case Operation::Mul:
      return T(x * y);
    case Operation::And:
      return T(x & y);
    case Operation::Or:
      return T(x | y);
    case Operation::Xor:
      return T(x ^ y);
    case Operation::LogicalAnd:
      return x && y;
    case Operation::LogicalOr:
      return x || y;
    default:
      return !x != !y;
    }
  }
}

/// The result of `function` for the work-item `item`, where `members` call it.
template <typename T>
T expected(const Function& function, const std::vector<T>& in, const std::vector<size_t>& members,
           size_t item, size_t begin) {
  T result = identity<T>(function.operation);
  for (size_t member : members) {
    const bool counts = function.form == Form::Reduce      ? true
                        : function.form == Form::Inclusive ? member <= item
                        : function.form == Form::Exclusive
                            ? member < item
                            : (member - begin) / cluster == (item - begin) / cluster;
    if (counts)
      result = applied(function.operation, result, in[member]);
  }
  return result;
}

template <typename T> constexpr const char* typeName = nullptr;
template <> constexpr const char* typeName<cl_char> = "char";
template <> constexpr const char* typeName<cl_uchar> = "uchar";
template <> constexpr const char* typeName<cl_short> = "short";
template <> constexpr const char* typeName<cl_ushort> = "ushort";
template <> constexpr const char* typeName<cl_int> = "int";
template <> constexpr const char* typeName<cl_uint> = "uint";
template <> constexpr const char* typeName<cl_long> = "long";
template <> constexpr const char* typeName<cl_ulong> = "ulong";
template <> constexpr const char* typeName<cl_float> = "float";
template <> constexpr const char* typeName<cl_double> = "double";

/// A kernel that stores what each function gives where `condition` holds for x.
std::string kernelOf(std::span<const Function> functions, const char* condition, bool isLogical) {
  std::string text = "kernel void k(global const T* in, global T* out) {\n"
                     "  size_t i = get_global_id(0);\n  T x = in[i];\n  if (" +
                     std::string(condition) + ") {\n";
  for (size_t f = 0; f < functions.size(); ++f)
    text += "    out[i + " + std::to_string(f * count) + "] = " + functions[f].name +
            (functions[f].form == Form::Clustered ? "(x, 4)" : "(x)") +
            (isLogical ? " != 0;\n" : ";\n");
  return text + "  }\n}\n";
}

class SubGroupArithmetic : public SubGroups {
protected:
  void SetUp() override {
    SubGroups::SetUp();
    if (!IsSkipped())
      QUERN_NEEDS("cl_khr_subgroup_extended_types", "cl_khr_subgroup_non_uniform_arithmetic",
                  "cl_khr_subgroup_clustered_reduce");
  }

  /// Compares each of `functions`, called by those whose number is `calls`.
  template <typename T, typename Calls>
  void compare(std::span<const Function> functions, const std::vector<T>& in, const char* condition,
               const Calls& calls) {
    SCOPED_TRACE(typeName<T>);
    const bool isLogical = functions.data() == logical;
    const Program program = build(kernelOf(functions, condition, isLogical),
                                  std::string("-cl-std=CL3.0 -DT=") + typeName<T>);
    const T untouched = 77;
    std::vector<T> wanted(functions.size() * count, untouched);
    forEachSubGroup(count, local, sizeIn(local), [&](size_t begin, size_t end) {
      std::vector<size_t> members;
      for (size_t i = begin; i < end; ++i)
        if (calls(in[i]))
          members.push_back(i);
      for (size_t f = 0; f < functions.size(); ++f)
        for (size_t i : members)
          wanted[f * count + i] = expected(functions[f], in, members, i, begin);
    });
    Buffer<T> input(in), out(functions.size() * count, untouched);
    run(program, "k", {{count}, {local}}, input, out);
    const std::vector<T> found = out.read();
    for (size_t f = 0; f < functions.size(); ++f)
      EXPECT_EQ(std::vector<T>(found.begin() + f * count, found.begin() + (f + 1) * count),
                std::vector<T>(wanted.begin() + f * count, wanted.begin() + (f + 1) * count))
          << functions[f].name;
  }
};

/// Of floating-point numbers, all orders of additions and multiplications of these are exact.
template <typename T> std::vector<T> numbers() {
  return tabulate<T>(count, [](size_t i) {
    const size_t mixed = i * 7919 % 211;
    if constexpr (std::is_floating_point_v<T>)
      return mixed % 5 == 0 ? -2 : mixed % 3 == 0 ? 0.5 : mixed % 7 == 0 ? 2 : 1;
    else
      return T(mixed * 0x9e3779b97f4a7c15u >> 13) | 1;
  });
}

template <typename T> class SubGroupArithmeticOf : public SubGroupArithmetic {};
using Types = testing::Types<cl_char, cl_uchar, cl_short, cl_ushort, cl_int, cl_uint, cl_long,
                             cl_ulong, cl_float, cl_double>;
TYPED_TEST_SUITE(SubGroupArithmeticOf, Types);

TYPED_TEST(SubGroupArithmeticOf, all) {
  this->compare(std::span(uniform), numbers<TypeParam>(), "true", [](TypeParam) { return true; });
}

TYPED_TEST(SubGroupArithmeticOf, some) {
  this->compare(std::span(arithmetic), numbers<TypeParam>(), "x > 1",
                [](TypeParam x) { return x > 1; });
}

template <typename T> class SubGroupBitsOf : public SubGroupArithmetic {};
using IntegerTypes =
    testing::Types<cl_char, cl_uchar, cl_short, cl_ushort, cl_int, cl_uint, cl_long, cl_ulong>;
TYPED_TEST_SUITE(SubGroupBitsOf, IntegerTypes);

TYPED_TEST(SubGroupBitsOf, some) {
  this->compare(std::span(bitwise), numbers<TypeParam>(), "x % 4 != 1",
                [](TypeParam x) { return x % 4 != 1; });
}

TEST_F(SubGroupArithmetic, truth) {
  const auto in = tabulate<cl_int>(count, [](size_t i) {
    const size_t mixed = i * 7919 % 211;
    return i < count / 2 ? int(mixed % 6) : mixed % 3 == 0 ? 4 : 2;
  });
  compare(std::span(logical), in, "x != 1", [](cl_int x) { return x != 1; });
}

TEST_F(SubGroupArithmetic, broadcastAmongSome) {
  QUERN_NEEDS("cl_khr_subgroup_ballot");
  const Program program = build(R"(
    kernel void k(global const int* in, global int* out) {
      size_t i = get_global_id(0);
      if (get_sub_group_local_id() % 2 == 1)
        out[i] = sub_group_non_uniform_broadcast(in[i], 3);
      else
        out[i] = sub_group_non_uniform_broadcast(in[i] * 2, 2);
    })",
                                openClC3);
  const std::vector<cl_int> in = numbers<cl_int>();
  std::vector<cl_int> wanted(count);
  forEachSubGroup(count, local, sizeIn(local), [&](size_t begin, size_t end) {
    for (size_t i = begin; i < end; ++i)
      wanted[i] = (i - begin) % 2 == 1 ? in[begin + 3] : cl_int(cl_uint(in[begin + 2]) * 2);
  });
  Buffer<cl_int> input(in), out(count);
  run(program, "k", {{count}, {local}}, input, out);
  EXPECT_EQ(out.read(), wanted);
}

} // namespace
} // namespace quern::tests
