// Functions that are so large, and called so often, that they do not become parts of the kernel.
#include "kernels/kernel_fixture.h"

#include <array>

namespace quern::tests {
namespace {

/// `transform` is thousands of instructions; a kernel that calls `mix` four times would have tens
/// of thousands with everything inlined.
constexpr const char* source = R"(
  #define STEP(i) w[(i) & 7] += rotate(w[((i) + 1) & 7], (uint)((i) % 31)) ^ (w[((i) + 3) & 7] * 0x9e3779b9u);
  #define STEP8(i) STEP(i) STEP(i+1) STEP(i+2) STEP(i+3) STEP(i+4) STEP(i+5) STEP(i+6) STEP(i+7)
  #define STEP64(i) STEP8(i) STEP8(i+8) STEP8(i+16) STEP8(i+24) STEP8(i+32) STEP8(i+40) STEP8(i+48) STEP8(i+56)
  void transform(uint* w) { STEP64(0) STEP64(64) }

  typedef struct { uint w[8]; uint length; } State;

  void mix(State* s, const uint* data, uint count) {
    for (int i = 0; i < 8; i++) s->w[i] ^= data[i];
    s->length += count;
    if (s->length & 4) transform(s->w);
    else { transform(s->w); transform(s->w); }
  }

  uint withTable(State* s, uint seed) {
    uint table[1024];
    for (uint i = 0; i < 1024; i++) table[i] = seed * i;
    table[s->w[0] & 1023] = (uint)get_global_id(0);
    transform(s->w);
    uint sum = 0;
    for (uint i = 0; i < 1024; i++) sum = sum * 5 + table[i];
    return sum + (uint)get_local_id(s->length & 1) + (uint)get_local_size(0) * 1000;
  }

  kernel void k(global uint* out) {
    State s;
    uint data[8];
    uint id = (uint)get_global_id(0);
    for (int i = 0; i < 8; i++) { s.w[i] = i; data[i] = id * i; }
    s.length = 0;
    mix(&s, data, 3);
    mix(&s, s.w, 1);
    if (id % 3 == 0) mix(&s, data, 5);
    MEET
    mix(&s, data, 2);
    uint sum = withTable(&s, 3);
    MEET
    if (id % 5 != 0) sum += withTable(&s, 7);
    for (int i = 0; i < 8; i++) sum = sum * 31 + s.w[i];
    out[id] = sum + s.length;
  })";

struct State {
  std::array<cl_uint, 8> w;
  cl_uint length = 0;
};

void transform(State& s) {
  for (cl_uint i = 0; i < 128; ++i) {
    const cl_uint by = i % 31, turned = s.w[(i + 1) & 7];
    const cl_uint rotated = by == 0 ? turned : turned << by | turned >> (32 - by);
    s.w[i & 7] += rotated ^ (s.w[(i + 3) & 7] * 0x9e3779b9u);
  }
}

void mix(State& s, const std::array<cl_uint, 8> data, cl_uint count) {
  for (size_t i = 0; i < 8; ++i)
    s.w[i] ^= data[i];
  s.length += count;
  transform(s);
  if ((s.length & 4) == 0)
    transform(s);
}

cl_uint sumOfTable(State& s, cl_uint seed, cl_uint id, cl_uint localSize) {
  std::array<cl_uint, 1024> table;
  for (cl_uint i = 0; i < 1024; ++i)
    table[i] = seed * i;
  table[s.w[0] & 1023] = id;
  transform(s);
  cl_uint sum = 0;
  for (cl_uint value : table)
    sum = sum * 5 + value;
  return sum + ((s.length & 1) == 0 ? id % localSize : 0) + localSize * 1000;
}

cl_uint expected(cl_uint id, cl_uint localSize) {
  State s;
  std::array<cl_uint, 8> data;
  for (cl_uint i = 0; i < 8; ++i) {
    s.w[i] = i;
    data[i] = id * i;
  }
  mix(s, data, 3);
  mix(s, s.w, 1);
  if (id % 3 == 0)
    mix(s, data, 5);
  mix(s, data, 2);
  cl_uint sum = sumOfTable(s, 3, id, localSize);
  if (id % 5 != 0)
    sum += sumOfTable(s, 7, id, localSize);
  for (cl_uint word : s.w)
    sum = sum * 31 + word;
  return sum + s.length;
}

void expectRight(const std::string& options) {
  SCOPED_TRACE(options);
  const Program program = build(source, options);
  for (const size_t local : {1u, 7u, 16u, 64u}) {
    const size_t global = 9 * local;
    Buffer<cl_uint> out(global);
    run(program, "k", {{global}, {local}}, out);
    EXPECT_EQ(out.read(), tabulate<cl_uint>(global, [&](size_t id) {
                return expected(static_cast<cl_uint>(id), static_cast<cl_uint>(local));
              }));
  }
}

TEST(CalledFunctions, takePrivatePointersAndKnowTheWorkItem) {
  expectRight("-DMEET=");
}

TEST(CalledFunctions, takeWhatLivesAcrossBarriers) {
  expectRight("-DMEET=barrier(CLK_LOCAL_MEM_FENCE);");
}

TEST(CalledFunctions, areCalledInTheDebugMode) {
  expectRight("-DMEET=barrier(CLK_LOCAL_MEM_FENCE); -cl-opt-disable");
}

} // namespace
} // namespace quern::tests
