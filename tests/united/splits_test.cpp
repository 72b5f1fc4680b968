// Launches that are split: the results are those of one device, whatever the NDRange and whatever
// another launch left where.
#include "united/both_devices.h"

namespace quern::united_tests {
namespace {

class SplitLaunch : public BothDevices {};

TEST_F(SplitLaunch, OfOneDimensionWithAGuard) {
  build("kernel void add_guarded(global const float* a, global const float* b, global float* c, "
        "int n) { int i = get_global_id(0); if (i < n) c[i] = a[i] + b[i]; }");
  const size_t a = buffer<float>(10000), b = buffer<float>(10000), c = buffer<float>(10000);
  run("add_guarded", {.global = {10240}, .local = {64}},
      {memory(a), memory(b), memory(c), number(9987)});
  expectSplit("add_guarded");
  expectSame();
}

TEST_F(SplitLaunch, TellsWorkItemsOfTheWholeRange) {
  build("kernel void ids(global ulong* out) {"
        "  size_t x = get_global_id(0) - get_global_offset(0);"
        "  size_t y = get_global_id(1) - get_global_offset(1);"
        "  global ulong* own = out + (y * get_global_size(0) + x) * 12;"
        "  for (int d = 0; d < 2; ++d) {"
        "    own[6 * d] = get_global_id(d); own[6 * d + 1] = get_group_id(d);"
        "    own[6 * d + 2] = get_local_id(d); own[6 * d + 3] = get_local_size(d);"
        "    own[6 * d + 4] = get_num_groups(d); own[6 * d + 5] = get_global_size(d); } }");
  const size_t out = buffer<cl_ulong>(120 * 50 * 12);
  run("ids", {.global = {120, 50}, .local = {8, 5}, .offset = {7, 1000}}, {memory(out)});
  expectSplit("ids", 1);
  expectSame();
}

TEST_F(SplitLaunch, WithASmallerLastGroup) {
  build("kernel void ragged(global int* out) {"
        "  out[get_global_id(0)] = get_local_size(0) * 1000 + get_group_id(0); }");
  const size_t out = buffer<int>(1003);
  run("ragged", {.global = {1003}, .local = {16}}, {memory(out)});
  expectSplit("ragged");
  expectSame();
}

TEST_F(SplitLaunch, OfThreeDimensions) {
  build("kernel void box(global int* out, int w, int h) {"
        "  int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);"
        "  out[(z * h + y) * w + x] += x + 10 * y + 100 * z; }");
  const size_t out = buffer<int>(20 * 30 * 40);
  run("box", {.global = {20, 30, 40}}, {memory(out), number(20), number(30)});
  expectSplit("box", 2);
  expectSame();
}

TEST_F(SplitLaunch, AlongAnInnerDimensionWhereRowsAreThere) {
  build("kernel void turned(global int* out, int w) {"
        "  out[get_global_id(0) * w + get_global_id(1)] = get_global_id(0); }");
  const size_t out = buffer<int>(64 * 48);
  run("turned", {.global = {64, 48}}, {memory(out), number(48)});
  expectSplit("turned", 0);
  expectSame();
}

TEST_F(SplitLaunch, BringsTheRowsOfNeighbours) {
  build("kernel void stencil(global const float* in, global float* out, int w, int h) {"
        "  int x = get_global_id(0), y = get_global_id(1);"
        "  if (x < 1 || y < 1 || x >= w - 1 || y >= h - 1) return;"
        "  out[y * w + x] = 0.25f * (in[y * w + x - 1] + in[y * w + x + 1] + in[(y - 1) * w + x] +"
        "                            in[(y + 1) * w + x]); }");
  const size_t a = buffer<float>(200 * 150), b = buffer<float>(200 * 150);
  for (int step = 0; step < 10; ++step)
    run("stencil", {.global = {208, 160}, .local = {16, 16}},
        {memory(step % 2 ? b : a), memory(step % 2 ? a : b), number(200), number(150)});
  expectSplit("stencil", 1);
  expectSame();
}

TEST_F(SplitLaunch, ReducesEachGroup) {
  build("kernel void sum_of_group(global const int* in, global int* out, local int* part) {"
        "  int i = get_local_id(0); part[i] = in[get_global_id(0)];"
        "  for (int step = get_local_size(0) / 2; step > 0; step /= 2) {"
        "    barrier(CLK_LOCAL_MEM_FENCE); if (i < step) part[i] += part[i + step]; }"
        "  if (i == 0) out[get_group_id(0)] = part[0]; }");
  const size_t in = buffer<int>(64 * 100), out = buffer<int>(100);
  run("sum_of_group", {.global = {6400}, .local = {64}},
      {memory(in), memory(out), local(64 * sizeof(int))});
  expectSplit("sum_of_group");
  expectSame();
}

TEST_F(SplitLaunch, MultipliesMatrices) {
  build(
      "kernel void product(global const float* a, global const float* b, global float* c, int n) {"
      "  int column = get_global_id(0), row = get_global_id(1); float sum = 0;"
      "  for (int k = 0; k < n; ++k) sum += a[row * n + k] * b[k * n + column];"
      "  c[row * n + column] = sum; }"
      "kernel void tiled(global const float* a, global const float* b, global float* c, int n) {"
      "  local float x[8][8], y[8][8]; int i = get_local_id(0), j = get_local_id(1);"
      "  int column = get_global_id(0), row = get_global_id(1); float sum = 0;"
      "  for (int t = 0; t < n; t += 8) {"
      "    x[j][i] = a[row * n + t + i]; y[j][i] = b[(t + j) * n + column];"
      "    barrier(CLK_LOCAL_MEM_FENCE);"
      "    for (int k = 0; k < 8; ++k) sum += x[j][k] * y[k][i];"
      "    barrier(CLK_LOCAL_MEM_FENCE); }"
      "  c[row * n + column] = sum; }");
  const size_t a = buffer<float>(96 * 96), b = buffer<float>(96 * 96), c = buffer<float>(96 * 96);
  run("product", {.global = {96, 96}}, {memory(a), memory(b), memory(c), number(96)});
  expectSplit("product", 1);
  run("tiled", {.global = {96, 96}, .local = {8, 8}},
      {memory(c), memory(b), memory(a), number(96)});
  expectSplit("tiled", 1);
  expectSame();
}

TEST_F(SplitLaunch, ChangesABufferInPlace) {
  build(
      "kernel void square(global int* data) { data[get_global_id(0)] *= data[get_global_id(0)]; }");
  const size_t data = buffer<int>(5000);
  run("square", {.global = {5000}}, {memory(data)});
  expectSplit("square");
  expectSame();
}

TEST_F(SplitLaunch, ReadsWhatAnotherSplitLeft) {
  build(
      "kernel void fill_rows(global int* out, int w) {"
      "  out[get_global_id(1) * w + get_global_id(0)] = 3 * get_global_id(1) + get_global_id(0); }"
      "kernel void transpose(global const int* in, global int* out, int w, int h) {"
      "  out[get_global_id(1) * h + get_global_id(0)] = in[get_global_id(0) * w + "
      "get_global_id(1)]; }"
      "kernel void last_of_all(global const int* in, global int* out, int n) {"
      "  int sum = 0; for (int i = 0; i < n; ++i) sum += in[i]; out[get_global_id(0)] = sum; }");
  const size_t a = buffer<int>(64 * 40), b = buffer<int>(64 * 40), c = buffer<int>(256);
  run("fill_rows", {.global = {64, 40}}, {memory(a), number(64)});
  run("transpose", {.global = {40, 64}}, {memory(a), memory(b), number(64), number(40)});
  run("last_of_all", {.global = {256}}, {memory(b), memory(c), number(64 * 40)});
  for (const char* kernel : {"fill_rows", "transpose"})
    expectSplit(kernel, 1);
  expectSplit("last_of_all");
  expectSame();
}

TEST_F(SplitLaunch, UsesPartsOfOneBuffer) {
  build("kernel void from_to(global const int* in, global int* out) {"
        "  out[get_global_id(0)] = in[get_global_id(0)] + 1; }");
  const size_t whole = buffer<int>(4096);
  const size_t low = subBuffer(whole, 0, 8192), high = subBuffer(whole, 8192, 8192);
  run("from_to", {.global = {2048}}, {memory(low), memory(high)});
  expectSplit("from_to");
  expectSame();
}

TEST_F(SplitLaunch, FollowsConstantData) {
  build("constant int table[4] = {5, 7, 11, 13};"
        "kernel void look_up(constant int* factors, global int* out) {"
        "  int i = get_global_id(0); out[i] = table[i & 3] * factors[i % 10]; }");
  const size_t factors = buffer<int>(10), out = buffer<int>(999);
  run("look_up", {.global = {999}}, {memory(factors), memory(out)});
  expectSplit("look_up");
  expectSame();
}

TEST_F(SplitLaunch, PassesStructuresAndVectors) {
  build("typedef struct { int width; int shift; } Shape;"
        "kernel void vectors(global const float4* in, global float4* out, int width) {"
        "  int2 p = (int2)(get_global_id(0), get_global_id(1));"
        "  out[p.y * width + p.x] = in[p.y * width + p.x] * 2.0f; }");
  const size_t in = buffer<float>(4 * 32 * 20), out = buffer<float>(4 * 32 * 20);
  run("vectors", {.global = {32, 20}}, {memory(in), memory(out), number(32)});
  expectSplit("vectors", 1);
  expectSame();
}

} // namespace
} // namespace quern::united_tests
