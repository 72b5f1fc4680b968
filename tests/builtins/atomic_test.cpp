// Atomic functions: what each does to the object and returns, for every type, address space and
// order; and that they are atomic.
#include "elementwise.h"

#include <thread>

namespace quern::builtins {
namespace {

template <typename T> bool isAtomic(const Builtin& builtin) {
  return builtin.parameterCount > 0 && builtin.parameters[0].space != Space::None &&
         builtin.parameters[0].base == baseOf<T>();
}

constexpr std::int32_t relaxed = 0, acquire = 2, release = 3, acquireRelease = 4, sequential = 5;
constexpr std::int32_t allOrders[] = {relaxed, acquire, release, acquireRelease, sequential};
constexpr std::int32_t loadOrders[] = {relaxed, acquire, sequential};
constexpr std::int32_t storeOrders[] = {relaxed, release, sequential};

/// Calls one function on an object with each order and checks the object and the result afterwards.
/// `extra` operands follow the object.
template <typename T>
void checkOperation(const Builtin& builtin, std::span<const std::int32_t> orders, T before,
                    std::vector<T> operands, T after, const T* result) {
  for (std::int32_t order : orders) {
    alignas(8) T object = before, returned{};
    std::int32_t scope = 2;
    std::vector<void*> arguments = {&object};
    for (T& operand : operands)
      arguments.push_back(&operand);
    while (static_cast<int>(arguments.size()) < builtin.parameterCount)
      arguments.push_back(arguments.size() == operands.size() + 1 ? &order : &scope);
    builtin.call(&returned, arguments.data());
    ASSERT_TRUE(same(object, after)) << describe(builtin) << " of " << +before << ": object became "
                                     << +object << ", not " << +after;
    if (result)
      ASSERT_TRUE(same(returned, *result))
          << describe(builtin) << " returned " << +returned << ", not " << +*result;
  }
}

/// The forms of one C11 function: its name and the one with explicit order; counted for each of the
/// three address spaces.
template <typename T>
void checkForms(std::string name, std::span<const std::int32_t> orders, auto&& operation,
                int operandCount, bool returnsOld) {
  int count = 0;
  Samples<T> samples;
  for (const std::string& form : {name, name + "_explicit"})
    for (const Builtin* builtin : overloads(form)) {
      if (!isAtomic<T>(*builtin))
        continue;
      // Another operand type than the object's has the same bits.
      ++count;
      std::mt19937_64 random(count);
      for (int i = 0; i < 200; ++i) {
        T before = samples.next(random);
        std::vector<T> operands;
        for (int k = 0; k < operandCount; ++k)
          operands.push_back(samples.next(random));
        T after = operation(before, operandCount ? operands[0] : T{});
        checkOperation<T>(*builtin, orders, before, operands, after,
                          returnsOld ? &before : nullptr);
        if (::testing::Test::HasFatalFailure())
          return;
      }
    }
  EXPECT_GE(count, 3 * 3) << name;
}

template <typename T> T wrap(auto value) {
  return static_cast<T>(value);
}

TEST(Atomic, LoadStoreAndExchange) {
  auto check = [](auto zero) {
    using T = decltype(zero);
    checkForms<T>("atomic_load", loadOrders, [](T object, T) { return object; }, 0, true);
    checkForms<T>("atomic_store", storeOrders, [](T, T x) { return x; }, 1, false);
    checkForms<T>("atomic_exchange", allOrders, [](T, T x) { return x; }, 1, true);
    int count = 0;
    for (const Builtin* builtin : overloads("atomic_init"))
      if (isAtomic<T>(*builtin)) {
        ++count;
        checkOperation<T>(*builtin, std::span(allOrders, 1), T{1}, {T{42}}, T{42}, nullptr);
      }
    EXPECT_EQ(count, 3);
  };
  check(std::int32_t{});
  check(std::uint32_t{});
  check(std::int64_t{});
  check(std::uint64_t{});
  check(float{});
  check(double{});
}

TEST(Atomic, IntegerArithmetic) {
  auto check = [](auto zero) {
    using T = decltype(zero);
    using U = std::make_unsigned_t<T>;
    checkForms<T>(
        "atomic_fetch_add", allOrders, [](T object, T x) { return wrap<T>(U(object) + U(x)); }, 1,
        true);
    checkForms<T>(
        "atomic_fetch_sub", allOrders, [](T object, T x) { return wrap<T>(U(object) - U(x)); }, 1,
        true);
    checkForms<T>(
        "atomic_fetch_and", allOrders, [](T object, T x) { return wrap<T>(object & x); }, 1, true);
    checkForms<T>(
        "atomic_fetch_or", allOrders, [](T object, T x) { return wrap<T>(object | x); }, 1, true);
    checkForms<T>(
        "atomic_fetch_xor", allOrders, [](T object, T x) { return wrap<T>(object ^ x); }, 1, true);
    checkForms<T>(
        "atomic_fetch_min", allOrders, [](T object, T x) { return std::min(object, x); }, 1, true);
    checkForms<T>(
        "atomic_fetch_max", allOrders, [](T object, T x) { return std::max(object, x); }, 1, true);
  };
  check(std::int32_t{});
  check(std::uint32_t{});
  check(std::int64_t{});
  check(std::uint64_t{});
}

TEST(Atomic, FloatingPointArithmetic) {
  forEachFloating([](auto zero) {
    using T = decltype(zero);
    checkForms<T>("atomic_fetch_add", allOrders, [](T object, T x) { return object + x; }, 1, true);
    checkForms<T>("atomic_fetch_sub", allOrders, [](T object, T x) { return object - x; }, 1, true);
    for (std::string_view name : {"atomic_fetch_min", "atomic_fetch_max",
                                  "atomic_fetch_min_explicit", "atomic_fetch_max_explicit"})
      for (const Builtin* builtin : overloads(name)) {
        if (!isAtomic<T>(*builtin))
          continue;
        T object = 3, returned = 0, operand = 5;
        std::int32_t order = sequential, scope = 2;
        void* arguments[] = {&object, &operand, &order, &scope};
        builtin->call(&returned, arguments);
        EXPECT_EQ(returned, 3) << describe(*builtin);
        EXPECT_EQ(object, name.find("min") != name.npos ? 3 : 5) << describe(*builtin);
      }
  });
}

TEST(Atomic, CompareExchange) {
  auto check = [](auto zero) {
    using T = decltype(zero);
    int count = 0;
    for (std::string_view name :
         {"atomic_compare_exchange_strong", "atomic_compare_exchange_weak",
          "atomic_compare_exchange_strong_explicit", "atomic_compare_exchange_weak_explicit"})
      for (const Builtin* builtin : overloads(name)) {
        if (!isAtomic<T>(*builtin))
          continue;
        ++count;
        for (bool matches : {true, false}) {
          alignas(8) T object = 7, expected = matches ? 7 : 8, desired = 9;
          std::int32_t exchanged = 5, success = acquireRelease, failure = acquire, scope = 2;
          void* arguments[] = {&object, &expected, &desired, &success, &failure, &scope};
          builtin->call(&exchanged, arguments);
          EXPECT_EQ(exchanged, matches ? 1 : 0) << describe(*builtin);
          EXPECT_EQ(object, matches ? T{9} : T{7}) << describe(*builtin);
          EXPECT_EQ(expected, T{7}) << describe(*builtin);
        }
      }
    // Strong and weak, three forms; global and local objects with three spaces of expected values,
    // generic with one.
    EXPECT_GE(count, 2 * 3 * 7);
  };
  check(std::int32_t{});
  check(std::uint32_t{});
  check(std::int64_t{});
  check(std::uint64_t{});
  check(float{});
  check(double{});
}

TEST(Atomic, Flag) {
  int count = 0;
  for (std::string_view name : {"atomic_flag_test_and_set", "atomic_flag_test_and_set_explicit"})
    for (const Builtin* builtin : overloads(name)) {
      ++count;
      std::int32_t flag = 0, wasSet = 5, order = sequential, scope = 2;
      void* arguments[] = {&flag, &order, &scope};
      builtin->call(&wasSet, arguments);
      EXPECT_EQ(wasSet, 0) << describe(*builtin);
      builtin->call(&wasSet, arguments);
      EXPECT_EQ(wasSet, 1) << describe(*builtin);
      EXPECT_NE(flag, 0);
    }
  for (std::string_view name : {"atomic_flag_clear", "atomic_flag_clear_explicit"})
    for (const Builtin* builtin : overloads(name)) {
      ++count;
      std::int32_t flag = 1, order = release, scope = 2;
      void* arguments[] = {&flag, &order, &scope};
      builtin->call(nullptr, arguments);
      EXPECT_EQ(flag, 0) << describe(*builtin);
    }
  EXPECT_EQ(count, 2 * 3 * 3);
}

template <typename T> void checkLegacy(std::string prefix) {
  using U = std::make_unsigned_t<T>;
  auto check = [&](std::string_view name, int operands, auto&& operation) {
    int count = 0;
    Samples<T> samples;
    for (const Builtin* builtin : overloads(prefix + std::string(name))) {
      if (!isAtomic<T>(*builtin))
        continue;
      ++count;
      std::mt19937_64 random(count);
      for (int i = 0; i < 300; ++i) {
        T before = samples.next(random);
        std::vector<T> values;
        for (int k = 0; k < operands; ++k)
          values.push_back(random() % 4 == 0 ? before : samples.next(random));
        values.resize(2);
        T after = operation(before, values[0], values[1]);
        values.resize(operands);
        checkOperation<T>(*builtin, std::span(allOrders, 1), before, values, after, &before);
        if (::testing::Test::HasFatalFailure())
          return;
      }
    }
    EXPECT_EQ(count, 2) << prefix << name;
  };
  check("add", 1, [](T object, T x, T) { return wrap<T>(U(object) + U(x)); });
  check("sub", 1, [](T object, T x, T) { return wrap<T>(U(object) - U(x)); });
  check("inc", 0, [](T object, T, T) { return wrap<T>(U(object) + 1u); });
  check("dec", 0, [](T object, T, T) { return wrap<T>(U(object) - 1u); });
  check("min", 1, [](T object, T x, T) { return std::min(object, x); });
  check("max", 1, [](T object, T x, T) { return std::max(object, x); });
  check("and", 1, [](T object, T x, T) { return wrap<T>(object & x); });
  check("or", 1, [](T object, T x, T) { return wrap<T>(object | x); });
  check("xor", 1, [](T object, T x, T) { return wrap<T>(object ^ x); });
  check("xchg", 1, [](T, T x, T) { return x; });
  check("cmpxchg", 2, [](T object, T expected, T x) { return object == expected ? x : object; });
}

TEST(Atomic, Legacy) {
  checkLegacy<std::int32_t>("atomic_");
  checkLegacy<std::uint32_t>("atomic_");
  checkLegacy<std::int32_t>("atom_");
  checkLegacy<std::uint32_t>("atom_");
  checkLegacy<std::int64_t>("atom_");
  checkLegacy<std::uint64_t>("atom_");
  int count = 0;
  for (const Builtin* builtin : overloads("atomic_xchg"))
    if (isAtomic<float>(*builtin)) {
      ++count;
      float before = 1.5f;
      checkOperation<float>(*builtin, std::span(allOrders, 1), before, {2.5f}, 2.5f, &before);
    }
  EXPECT_EQ(count, 2);
}

template <typename T> void checkThreads(std::string_view name) {
  for (const Builtin* builtin : overloads(name)) {
    if (!isAtomic<T>(*builtin))
      continue;
    constexpr int perThread = 20000;
    alignas(8) T object = 0;
    auto add = [&] {
      T one = 1, old;
      std::int32_t order = relaxed, scope = 2;
      void* arguments[] = {&object, &one, &order, &scope};
      for (int i = 0; i < perThread; ++i)
        builtin->call(&old, arguments);
    };
    std::thread other(add);
    add();
    other.join();
    ASSERT_EQ(object, static_cast<T>(2 * perThread)) << describe(*builtin);
  }
}

TEST(Atomic, ThreadsLoseNoUpdate) {
  checkThreads<std::int32_t>("atomic_add");
  checkThreads<std::uint64_t>("atom_add");
  checkThreads<std::int32_t>("atomic_fetch_add_explicit");
  checkThreads<float>("atomic_fetch_add_explicit");
  checkThreads<double>("atomic_fetch_add_explicit");
}

} // namespace
} // namespace quern::builtins
