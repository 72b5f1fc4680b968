// Conditions that keep the first or the last work-items of a row from doing anything: in the middle
// of a kernel, where packets of such work-items are left out, and with every kind of number.
#include "kernels/packet_fixture.h"

namespace quern::tests {
namespace {

struct Condition {
  const char* type;
  const char* text;
  bool (*holds)(size_t item, cl_int n, size_t size);
};

using uint = cl_uint;
using ulong = cl_ulong;

// l is the work-item's number in its row, s their number.
#define CONDITION(type, text)                                                                      \
  Condition {                                                                                      \
    #type, #text, [](size_t item, cl_int number, size_t size) -> bool {                            \
      [[maybe_unused]] const type l = static_cast<type>(item), n = static_cast<type>(number),      \
                                  s = static_cast<type>(size);                                     \
      return text;                                                                                 \
    }                                                                                              \
  }

const Condition conditions[] = {
    CONDITION(uint, l < n),
    CONDITION(uint, n > l),
    CONDITION(int, l <= n),
    CONDITION(int, l > n),
    CONDITION(int, n <= l),
    CONDITION(ulong, l >= n),
    CONDITION(ulong, l <= n),
    CONDITION(uint, l == n),
    CONDITION(ulong, l - 3 == n),
    CONDITION(int, l != n),
    CONDITION(uint, l + n < s),
    CONDITION(ulong, l + n < s),
    CONDITION(uint, l + n > 20),
    CONDITION(int, n - l > 3),
    CONDITION(uint, n - l > 3),
    CONDITION(ulong, n - l <= 3),
    CONDITION(uint, s - 1 - l < n),
    CONDITION(int, s - 1 - l >= n),
    CONDITION(uint, l - 3 < n),
    CONDITION(int, l < n && l != 5),
    CONDITION(int, l >= 2 && l < n),
    CONDITION(int, n != 16 && l < n),
    CONDITION(int, !(n == 16 || l >= n)),
    CONDITION(int, (l < n) || (l > 7)),
    CONDITION(int, !(l < n || l > 40)),
    CONDITION(int, (l & 1) && l < n),
    CONDITION(ulong, l * 2 < n),
};

std::string kernelOf(const Condition& condition, size_t number) {
  return std::string("kernel void k") + std::to_string(number) +
         "(global int* out, int number) {\n"
         "  size_t g = get_global_id(1) * get_global_size(0) + get_global_id(0);\n"
         "  " +
         condition.type + " l = get_local_id(0), n = number, s = get_local_size(0);\n" +
         "  out[g] += 1;\n"
         "  barrier(CLK_GLOBAL_MEM_FENCE);\n"
         "  for (int i = 0; i < 2; ++i) {\n"
         "    if (" +
         condition.text +
         ") out[g] += 10;\n"
         "    barrier(CLK_GLOBAL_MEM_FENCE);\n"
         "  }\n"
         "  if (!(" +
         condition.text +
         ")) return;\n"
         "  if (number != 7) out[g] += 100;\n"
         "}\n";
}

Program buildConditions() {
  std::string source;
  for (size_t i = 0; i < std::size(conditions); ++i)
    source += kernelOf(conditions[i], i);
  return build(source, openClC3);
}

void expectActiveRanges(Program& program, const std::vector<size_t>& global,
                        const std::vector<size_t>& local, size_t row) {
  const size_t items = row * (global.size() > 1 ? global[1] : 1);
  for (size_t i = 0; i < std::size(conditions); ++i)
    for (cl_int n : {-3, 0, 1, 4, 7, 16, 17, 29, 100, 1000}) {
      SCOPED_TRACE(std::string(conditions[i].text) + " for " + conditions[i].type +
                   " n = " + std::to_string(n));
      Buffer<cl_int> out(items, 0);
      run(program, ("k" + std::to_string(i)).c_str(), {global, local}, out, n);
      const std::vector<cl_int> expected = tabulate<cl_int>(items, [&](size_t item) {
        const size_t group = item % row / local[0];
        const size_t size = std::min(local[0], row - group * local[0]);
        const bool holds = conditions[i].holds(item % row % local[0], n, size);
        return 1 + (holds ? n == 7 ? 20 : 120 : 0);
      });
      EXPECT_EQ(out.read(), expected);
    }
}

TEST(PacketActiveRanges, rows) {
  std::optional<Program> program;
  for (size_t local : {1, 7, 16, 29, 64, 100}) {
    SCOPED_TRACE(local);
    if (!program || specialises())
      program = buildConditions();
    expectActiveRanges(*program, {100}, {local}, 100);
  }
}

TEST(PacketActiveRanges, planes) {
  Program program = buildConditions();
  expectActiveRanges(program, {48, 3}, {48, 3}, 48);
  expectActiveRanges(program, {40, 4}, {20, 2}, 40);
}

// The condition differs from row to row, and what the group has in common is made by all.
TEST(PacketActiveRanges, triangle) {
  Program program = build(R"(kernel void k(global int* out, local int* tile) {
      size_t x = get_local_id(0), y = get_local_id(1);
      tile[y * 40 + x] = 1;
      barrier(CLK_LOCAL_MEM_FENCE);
      int step = 40;
      for (int rest = 40; rest > 1; ) {
        rest = (rest + 1) / 2;
        step -= rest;
        if (x < y * 2 && x >= rest) tile[y * 40 + x] += step;
        barrier(CLK_LOCAL_MEM_FENCE);
      }
      out[y * 40 + x] = tile[y * 40 + x] * 100 + step;
    })");
  Buffer<cl_int> out(160, 0);
  run(program, "k", {{40, 4}, {40, 4}}, out, LocalBytes{160 * sizeof(cl_int)});
  EXPECT_EQ(out.read(), tabulate<cl_int>(160, [](size_t item) {
              const int x = int(item) % 40, y = int(item) / 40;
              int step = 40, sum = 1;
              for (int rest = 40; rest > 1;) {
                rest = (rest + 1) / 2;
                step -= rest;
                if (x < y * 2 && x >= rest)
                  sum += step;
              }
              return sum * 100 + step;
            }));
}

} // namespace
} // namespace quern::tests
