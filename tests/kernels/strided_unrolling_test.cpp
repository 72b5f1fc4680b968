// Loops whose step is an argument of the kernel, of every kind of number, up to its end.
#include <limits>

#include "kernels/kernel_fixture.h"

namespace quern::tests {
namespace {

constexpr size_t items = 70, values = 64;

/// A loop's start (to which a work-item adds its id), step and bound.
template <typename T> struct Steps {
  T start, step, bound;
};

/// Adds up what the loop reads, in an order that matters, and counts it, on the device and here.
template <typename T>
void expectSameIterations(const std::string& type, const std::vector<Steps<T>>& cases) {
  const Program program = build(R"(
    kernel void k(global const uint* in, global uint* out, TYPE start, TYPE step, TYPE bound,
                  local uint* counts) {
      counts[get_local_id(0)] = 0;
      uint sum = 0;
      TYPE i;
      for (i = start + (TYPE)get_global_id(0); i < bound; i += step) {
        uint value = in[i & 63];
        sum = sum * 3 + value;
        atomic_add(&counts[get_local_id(0)], value);
      }
      out[get_global_id(0)] = sum * 31 + counts[get_local_id(0)] + (uint)i;
    })",
                                "-DTYPE=" + type);
  const auto in = tabulate<cl_uint>(values, [](size_t i) { return i * i + 7; });
  Buffer<cl_uint> inBuffer(in), out(items, 0);
  for (const Steps<T>& steps : cases) {
    SCOPED_TRACE(::testing::Message()
                 << type << ' ' << +steps.start << ' ' << +steps.step << ' ' << +steps.bound);
    run(program, "k", {{items}, {14}}, inBuffer, out, steps.start, steps.step, steps.bound,
        LocalBytes{14 * sizeof(cl_uint)});
    EXPECT_EQ(out.read(), tabulate<cl_uint>(items, [&](size_t item) {
                // Unsigned numbers wrap around as those of the device do.
                using U = std::make_unsigned_t<T>;
                cl_uint sum = 0, all = 0;
                T i = static_cast<T>(static_cast<U>(steps.start) + static_cast<U>(item));
                for (; i < steps.bound; i = static_cast<T>(static_cast<U>(i) + U(steps.step))) {
                  sum = sum * 3 + in[i & 63];
                  all += in[i & 63];
                }
                return sum * 31 + all + static_cast<cl_uint>(i);
              }));
  }
}

/// From no iteration to a few dozen, with steps that end in every iteration of four.
template <typename T> std::vector<Steps<T>> usual() {
  std::vector<Steps<T>> cases;
  for (T bound : {0, 1, 5, 69, 70, 71, 140, 209, 280, 281, 350, 420, 700, 999})
    for (T step : {1, 70, 64})
      cases.push_back({0, step, bound});
  return cases;
}

TEST(StridedUnrolling, unsignedNumbers) {
  auto cases = usual<cl_uint>();
  constexpr cl_uint most = std::numeric_limits<cl_uint>::max();
  cases.insert(cases.end(), {{most - 500, 70, most - 70},
                             {most - 500, 100, most - 100},
                             {16, 1u << 28, (15u << 28) + 10}, // steps of up to 2^29 are joined
                             {16, 1u << 29, (7u << 29) + 10},
                             {16, 1u << 30, (3u << 30) + 10},
                             {16, 3u << 28, (15u << 28) + 10}});
  expectSameIterations<cl_uint>("uint", cases);
}

TEST(StridedUnrolling, signedNumbers) {
  auto cases = usual<cl_int>();
  constexpr cl_int most = std::numeric_limits<cl_int>::max(),
                   least = std::numeric_limits<cl_int>::min();
  cases.insert(cases.end(), {{-300, 70, 0},
                             {-300, 11, -20},
                             {-300, 7, 400},
                             {least, 1 << 28, least + 100},
                             {least, 1 << 27, most - (1 << 27)},
                             {-70, most - 100, 50},
                             {most - 900, 70, most - 71}});
  expectSameIterations<cl_int>("int", cases);
}

TEST(StridedUnrolling, longNumbers) {
  auto cases = usual<cl_ulong>();
  cases.insert(cases.end(), {{16, cl_ulong{1} << 60, cl_ulong{15} << 60},
                             {16, cl_ulong{1} << 61, cl_ulong{7} << 61},
                             {~cl_ulong{900}, 70, ~cl_ulong{75}}});
  expectSameIterations<cl_ulong>("ulong", cases);
  expectSameIterations<cl_long>("long",
                                {{-300, 70, 0}, {-300, 7, 400}, {-70, cl_long{1} << 61, 50}});
}

} // namespace
} // namespace quern::tests
