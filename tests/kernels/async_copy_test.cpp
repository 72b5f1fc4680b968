#include "kernels/kernel_fixture.h"

namespace quern::tests {
namespace {

void expectCopies(const std::string& type, size_t elementBytes, size_t copiedBytes) {
  SCOPED_TRACE(type);
  constexpr size_t count = 37, groups = 5;
  Program program = build(R"(
    kernel void k(global const T* in, global T* out, local T* l) {
      size_t group = get_group_id(0);
      event_t e = async_work_group_copy(l, in + group * COUNT, COUNT, 0);
      wait_group_events(1, &e);
      event_t twice[2];
      twice[0] = async_work_group_copy(out + group * COUNT, (const local T*)l + 1, COUNT - 1, 0);
      twice[1] = async_work_group_copy(out + group * COUNT + COUNT - 1, (const local T*)l, 1, 0);
      wait_group_events(2, twice);
    })",
                          "-DT=" + type + " -DCOUNT=" + std::to_string(count));
  std::vector<cl_uchar> in =
      tabulate<cl_uchar>(count * groups * elementBytes, [](size_t i) { return i * 37 + i / 256; });
  Buffer<cl_uchar> bufferIn(in), out(in.size());
  forEachLocalSize({1, 3, 16, 64}, [&](size_t local) {
    run(program, "k", {{local * groups}, {local}}, bufferIn, out, LocalBytes{count * elementBytes});
    std::vector<cl_uchar> result = out.read();
    for (size_t element = 0; element < count * groups; ++element) {
      size_t from = element % count == count - 1 ? element - (count - 1) : element + 1;
      for (size_t b = 0; b < copiedBytes; ++b)
        ASSERT_EQ(result[element * elementBytes + b], in[from * elementBytes + b])
            << "element " << element;
    }
  });
}

TEST(AsyncCopies, contiguousCopies) {
  expectCopies("char", 1, 1);
  expectCopies("short3", 8, 6);
  expectCopies("int", 4, 4);
  expectCopies("float4", 16, 16);
  expectCopies("ulong2", 16, 16);
  expectCopies("double8", 64, 64);
}

TEST(AsyncCopies, stridedCopies) {
  Program program = build(R"(
    kernel void k(global const float2* in, global float2* out, local float2* l, ulong stride) {
      size_t group = get_group_id(0);
      event_t e = async_work_group_strided_copy(l, in + group * 20 * stride, 20, stride, 0);
      wait_group_events(1, &e);
      e = async_work_group_strided_copy(out + group * 20 * stride, (const local float2*)l, 20, stride, 0);
      wait_group_events(1, &e);
    })");
  for (cl_ulong stride : {1, 2, 5}) {
    SCOPED_TRACE(stride);
    std::vector<cl_float> in =
        tabulate<cl_float>(4 * 20 * stride * 2, [](size_t i) { return i + 1; });
    Buffer<cl_float> bufferIn(in), out(in.size());
    run(program, "k", {{4 * 8}, {8}}, bufferIn, out, LocalBytes{20 * 8}, stride);
    EXPECT_EQ(out.read(), tabulate<cl_float>(in.size(), [&](size_t i) {
                return i / 2 % stride == 0 ? in[i] : 0;
              }));
  }
}

TEST(AsyncCopies, severalUnderOneEvent) {
  Program program = build(R"(
    kernel void k(global const int* a, global const int* b, global int* out) {
      local int la[32], lb[32];
      event_t e = async_work_group_copy(la, a, 32, 0);
      e = async_work_group_copy(lb, b, 32, e);
      prefetch(a, 32);
      wait_group_events(1, &e);
      out[get_global_id(0)] = la[get_local_id(0)] - lb[31 - get_local_id(0)];
    })");
  Buffer<cl_int> a(tabulate<cl_int>(32, [](size_t i) { return i * 10; })),
      b(tabulate<cl_int>(32, [](size_t i) { return i; })), out(96);
  run(program, "k", {{96}, {32}}, a, b, out);
  EXPECT_EQ(out.read(), tabulate<cl_int>(96, [](size_t g) { return g % 32 * 10 - (31 - g % 32); }));
}

TEST(AsyncCopies, inALoopWithTwoBuffers) {
  Program program = build(R"(
    kernel void k(global const int* in, global int* out, int tiles) {
      local int l[2][16];
      event_t e[2];
      int i = get_local_id(0), sum = 0;
      e[0] = async_work_group_copy(l[0], in, 16, 0);
      for (int t = 0; t < tiles; ++t) {
        if (t + 1 < tiles)
          e[(t + 1) & 1] = async_work_group_copy(l[(t + 1) & 1], in + (t + 1) * 16, 16, 0);
        wait_group_events(1, &e[t & 1]);
        sum = sum * 3 + l[t & 1][15 - i];
        barrier(CLK_LOCAL_MEM_FENCE);
      }
      out[get_global_id(0)] = sum;
    })");
  Buffer<cl_int> in(tabulate<cl_int>(16 * 7, [](size_t i) { return i * i % 91; })), out(32);
  run(program, "k", {{32}, {16}}, in, out, cl_int{7});
  EXPECT_EQ(out.read(), tabulate<cl_int>(32, [](size_t g) {
              int sum = 0;
              for (size_t t = 0; t < 7; ++t) {
                size_t at = t * 16 + 15 - g % 16;
                sum = sum * 3 + int(at * at % 91);
              }
              return sum;
            }));
}

} // namespace
} // namespace quern::tests
