// Launches that must stay in one piece, and why.
#include "united/both_devices.h"

namespace quern::united_tests {
namespace {

class WholeLaunch : public BothDevices {};

TEST_F(WholeLaunch, CountsByAtomicOperations) {
  build("kernel void histogram(global const uint* in, global uint* counts) {"
        "  atomic_inc(&counts[in[get_global_id(0)] & 15]); }");
  const size_t in = buffer<unsigned>(10000), counts = buffer(std::vector<unsigned>(16));
  run("histogram", {.global = {10000}}, {memory(in), memory(counts)});
  expectWhole("histogram", "atomic operations");
  expectSame();
}

TEST_F(WholeLaunch, ScattersByWhatItReads) {
  build("kernel void scatter(global const int* places, global int* out) {"
        "  out[places[get_global_id(0)]] = get_global_id(0); }");
  std::vector<int> places(1000);
  for (size_t i = 0; i < places.size(); ++i)
    places[i] = static_cast<int>(i * 7 % places.size());
  const size_t in = buffer(places), out = buffer<int>(1000);
  run("scatter", {.global = {1000}}, {memory(in), memory(out)});
  expectWhole("scatter", "argument 1 ('out')");
  expectSame();
}

TEST_F(WholeLaunch, ReadsWhatOthersMayWrite) {
  build(
      "kernel void shift(global int* data) { data[get_global_id(0)] = data[get_global_id(0) + 1]; }"
      "kernel void strided(global int* out, int n) {"
      "  for (int i = get_global_id(0); i < n; i += get_global_size(0)) out[i] = i; }");
  const size_t data = buffer<int>(256);
  run("strided", {.global = {64}}, {memory(data), number(256)});
  expectWhole("strided", "argument 0 ('out')");
  expectSame();
}

TEST_F(WholeLaunch, KeepsVariablesOfTheProgram) {
  build("global int sum; global int steps = 3;"
        "kernel void remember(global const int* in) { if (get_global_id(0) == 5) sum += in[5] * "
        "steps; }"
        "kernel void recall(global int* out) { out[get_global_id(0)] = sum; }");
  const size_t in = buffer<int>(64), out = buffer<int>(64);
  for (int i = 0; i < 3; ++i)
    run("remember", {.global = {64}}, {memory(in)});
  run("recall", {.global = {64}}, {memory(out)});
  expectWhole("remember", "variables of the program");
  expectWhole("recall", "variables of the program");
  expectSame();
}

TEST_F(WholeLaunch, WaitsByVolatileAccesses) {
  build("kernel void watch(volatile global int* flag, global int* out) {"
        "  out[get_global_id(0)] = flag[0]; }");
  const size_t flag = buffer<int>(1), out = buffer<int>(64);
  run("watch", {.global = {64}}, {memory(flag), memory(out)});
  expectWhole("watch", "volatile");
  expectSame();
}

TEST_F(WholeLaunch, HasFewerGroupsThanDevices) {
  build("kernel void alone(global int* out) { out[get_global_id(0)] = get_local_size(0); }");
  const size_t out = buffer<int>(64);
  run("alone", {.global = {64}, .local = {64}}, {memory(out)});
  expectWhole("alone", "fewer work-groups");
  expectSame();
}

TEST_F(WholeLaunch, FollowsWhereMemoryIs) {
  build("kernel void split_part(global int* data) { data[get_global_id(0)] += 1; }"
        "kernel void whole_part(global int* data) { atomic_add(&data[get_global_id(0) / 2], 5); }");
  const size_t data = buffer<int>(10000);
  for (int i = 0; i < 4; ++i) {
    run("split_part", {.global = {10000}}, {memory(data)});
    run("whole_part", {.global = {10000}}, {memory(data)});
  }
  expectSplit("split_part");
  expectSame();
}

} // namespace
} // namespace quern::united_tests
