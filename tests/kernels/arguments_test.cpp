// Kernel arguments of every kind, passed by value and through pointers.
#include "kernels/kernel_fixture.h"

#include <numeric>

namespace quern::tests {
namespace {

/// Passes `value` of OpenCL C type `type` by value between two other arguments and through a
/// buffer, and adds up its bytes' bits by a weight that depends on their place.
template <typename T> void expectByteExact(const std::string& type, size_t usedBytes) {
  SCOPED_TRACE(type);
  T value;
  auto* bytes = reinterpret_cast<unsigned char*>(&value);
  for (size_t b = 0; b < sizeof(T); ++b)
    bytes[b] = static_cast<unsigned char>(b * 7 + 1) & 0x3f;
  Program program = build(R"(
    uint weigh(T value) {
      union { T value; uchar bytes[sizeof(T)]; } u;
      u.value = value;
      uint sum = 0;
      for (uint b = 0; b < USED; ++b)
        sum += u.bytes[b] * (b + 1);
      return sum;
    }
    kernel void k(char before, T value, ushort after, global T* array, global uint* out, global T* copies) {
      size_t g = get_global_id(0);
      out[3 * g] = weigh(value);
      out[3 * g + 1] = weigh(array[g]);
      out[3 * g + 2] = before * 1000 + after;
      copies[g] = g == 1 ? value : array[0];
    })",
                          "-DT=" + type + " -DUSED=" + std::to_string(usedBytes));
  Buffer<T> array(std::vector<T>(4, value)), copies(4);
  Buffer<cl_uint> out(12);
  run(program, "k", {{4}, {1}}, cl_char{3}, value, cl_ushort{77}, array, out, copies);
  cl_uint weight = 0;
  for (size_t b = 0; b < usedBytes; ++b)
    weight += bytes[b] * cl_uint(b + 1);
  EXPECT_EQ(out.read(),
            tabulate<cl_uint>(12, [&](size_t i) { return i % 3 == 2 ? 3077 : weight; }));
  for (const T& element : copies.read())
    EXPECT_EQ(std::memcmp(&element, &value, usedBytes), 0);
}

template <typename T> void expectAllOf(const std::string& type) {
  expectByteExact<T>(type, sizeof(T));
}

TEST(Arguments, scalars) {
  expectAllOf<cl_char>("char");
  expectAllOf<cl_ushort>("ushort");
  expectAllOf<cl_int>("int");
  expectAllOf<cl_ulong>("ulong");
  expectAllOf<cl_float>("float");
  expectAllOf<cl_double>("double");
}

TEST(Arguments, smallVectors) {
  expectAllOf<cl_char2>("char2");
  expectAllOf<cl_uchar4>("uchar4");
  expectAllOf<cl_short2>("short2");
  expectAllOf<cl_int2>("int2");
  expectAllOf<cl_float2>("float2");
  expectAllOf<cl_float4>("float4");
  expectAllOf<cl_ulong2>("ulong2");
}

TEST(Arguments, wideVectors) {
  expectAllOf<cl_char16>("char16");
  expectAllOf<cl_ushort8>("ushort8");
  expectAllOf<cl_short16>("short16");
  expectAllOf<cl_float8>("float8");
  expectAllOf<cl_int16>("int16");
  expectAllOf<cl_double4>("double4");
  expectAllOf<cl_double8>("double8");
  expectAllOf<cl_long16>("long16");
}

TEST(Arguments, threeComponentVectors) {
  expectByteExact<cl_char4>("char3", 3);
  expectByteExact<cl_short4>("ushort3", 6);
  expectByteExact<cl_int4>("int3", 12);
  expectByteExact<cl_float4>("float3", 12);
  expectByteExact<cl_double4>("double3", 24);
}

struct Inner {
  cl_char tag;
  cl_double value;
};
struct Outer {
  cl_uchar first;
  cl_float4 vector;
  Inner inner[3];
  cl_short tail[5];
  cl_long end;
};

constexpr const char* structSource = R"(
  typedef struct { char tag; double value; } Inner;
  typedef struct { uchar first; float4 vector; Inner inner[3]; short tail[5]; long end; } Outer;
  long total(Outer o) {
    long sum = o.first + (long)(o.vector.x + o.vector.y * 2 + o.vector.z * 3 + o.vector.w * 4);
    for (int i = 0; i < 3; ++i)
      sum += o.inner[i].tag * 10 + (long)(o.inner[i].value * 100);
    for (int i = 0; i < 5; ++i)
      sum += o.tail[i] * 1000;
    return sum + o.end;
  }
  kernel void byValue(short before, Outer o, char after, global long* out) {
    out[get_global_id(0)] = total(o) + before + after;
  }
  kernel void throughPointers(global Outer* o, constant Outer* c, global long* out) {
    size_t g = get_global_id(0);
    o[g].inner[1].value += 1;
    o[g].tail[4] = c->tail[0];
    out[g] = total(o[g]) + total(*c) + (long)sizeof(Outer);
  })";

Outer makeOuter(int seed) {
  Outer o = {};
  o.first = cl_uchar(seed);
  o.vector = {{1.f * seed, 2.f, 3.f, 4.f}};
  for (int i = 0; i < 3; ++i)
    o.inner[i] = {cl_char(i + seed), i * 0.25};
  std::iota(std::begin(o.tail), std::end(o.tail), cl_short(seed));
  o.end = -5000000000;
  return o;
}

cl_long total(const Outer& o) {
  cl_long sum =
      o.first + cl_long(o.vector.s[0] + o.vector.s[1] * 2 + o.vector.s[2] * 3 + o.vector.s[3] * 4);
  for (const Inner& inner : o.inner)
    sum += inner.tag * 10 + cl_long(inner.value * 100);
  for (cl_short value : o.tail)
    sum += value * 1000;
  return sum + o.end;
}

TEST(Arguments, structuresByValue) {
  Outer o = makeOuter(9);
  Buffer<cl_long> out(8);
  run(build(structSource), "byValue", {{8}, {4}}, cl_short{-300}, o, cl_char{-7}, out);
  EXPECT_EQ(out.read(), std::vector<cl_long>(8, total(o) - 307));
}

TEST(Arguments, structuresThroughPointers) {
  std::vector<Outer> outers;
  for (int i = 0; i < 6; ++i)
    outers.push_back(makeOuter(i));
  Outer constant = makeOuter(50);
  Buffer<Outer> buffer(outers), single(std::vector<Outer>{constant});
  Buffer<cl_long> out(6);
  run(build(structSource), "throughPointers", {{6}, {2}}, buffer, single, out);
  EXPECT_EQ(out.read(), tabulate<cl_long>(6, [&](size_t g) {
              Outer o = outers[g];
              o.inner[1].value += 1;
              o.tail[4] = constant.tail[0];
              return total(o) + total(constant) + cl_long(sizeof(Outer));
            }));
}

#pragma pack(push, 1)
struct Packed {
  cl_char a;
  cl_int b;
  cl_short c;
  cl_double d;
};
#pragma pack(pop)

TEST(Arguments, packedAndAlignedStructures) {
  struct Aligned {
    cl_int a;
    alignas(32) cl_char b;
  };
  Program program = build(R"(
    typedef struct __attribute__((packed)) { char a; int b; short c; double d; } Packed;
    typedef struct { int a; char b __attribute__((aligned(32))); } Aligned;
    kernel void k(Packed p, Aligned l, global Packed* array, global int* out) {
      int g = get_global_id(0);
      out[g] = p.a + p.b + p.c + (int)p.d + l.a + l.b + array[g].b + (int)sizeof(Packed) * 100 + (int)sizeof(Aligned);
    })");
  static_assert(sizeof(Packed) == 15);
  Buffer<Packed> array(tabulate<Packed>(4, [](size_t i) { return Packed{1, cl_int(i), 2, 3}; }));
  Buffer<cl_int> out(4);
  run(program, "k", {{4}}, Packed{1, 20000, 300, 4.5}, Aligned{7, 9}, array, out);
  EXPECT_EQ(out.read(), tabulate<cl_int>(4, [](size_t g) {
              return 1 + 20000 + 300 + 4 + 7 + 9 + int(g) + 1500 + int(sizeof(Aligned));
            }));
}

TEST(Arguments, unions) {
  union Bits {
    cl_float f;
    cl_uint u;
    cl_uchar b[4];
  };
  Program program = build(R"(
    typedef union { float f; uint u; uchar b[4]; } Bits;
    kernel void k(Bits bits, global Bits* array, global uint* out) {
      out[0] = bits.u;
      out[1] = bits.b[3];
      array[0].f = bits.f * 2;
      out[2] = array[0].u;
    })");
  Bits bits;
  bits.f = 1.5f;
  Buffer<Bits> array(1);
  Buffer<cl_uint> out(3);
  run(program, "k", {{1}}, bits, array, out);
  EXPECT_EQ(out.read(), (std::vector<cl_uint>{0x3fc00000, 0x3f, 0x40400000}));
}

TEST(Arguments, nullBuffers) {
  Program program = build(R"(kernel void k(global int* a, constant int* b, global int* out) {
    out[0] = (a == 0) + 2 * (b == 0);
  })");
  Buffer<cl_int> out(1);
  run(program, "k", {{1}}, cl_mem{nullptr}, cl_mem{nullptr}, out);
  EXPECT_EQ(out.read()[0], 3);
  Kernel kernel(program, "k");
  check(clSetKernelArg(kernel.handle(), 0, sizeof(cl_mem), nullptr), "clSetKernelArg");
  cl_mem handle = out.handle();
  kernel.set(1, out);
  check(clSetKernelArg(kernel.handle(), 2, sizeof(cl_mem), &handle), "clSetKernelArg");
  kernel.enqueue({{1}});
  EXPECT_EQ(out.read()[0], 1);
}

TEST(Arguments, manyOfThem) {
  constexpr int count = 120;
  std::string source = "kernel void k(global ulong* out", sum;
  for (int i = 0; i < count; ++i) {
    const char* types[] = {"char", "int", "ulong", "float4", "short3", "uchar"};
    source += std::string(", ") + types[i % 6] + " a" + std::to_string(i);
    sum += " + (ulong)a" + std::to_string(i) +
           (i % 6 == 3   ? ".w"
            : i % 6 == 4 ? ".z"
                         : "") +
           " * " + std::to_string(i + 1);
  }
  Program program = build(source + ") { out[0] = 0" + sum + "; }");
  Buffer<cl_ulong> out(1);
  Kernel kernel(program, "k");
  kernel.set(0, out);
  cl_ulong expected = 0;
  for (int i = 0; i < count; ++i) {
    cl_uint index = cl_uint(i + 1), value = index % 50;
    switch (i % 6) {
    case 0:
      kernel.set(index, cl_char(value));
      break;
    case 1:
      kernel.set(index, cl_int(value));
      break;
    case 2:
      kernel.set(index, cl_ulong(value));
      break;
    case 3:
      kernel.set(index, cl_float4{{0, 0, 0, float(value)}});
      break;
    case 4:
      kernel.set(index, cl_short4{{0, 0, cl_short(value), 0}});
      break;
    default:
      kernel.set(index, cl_uchar(value));
    }
    expected += value * index;
  }
  kernel.enqueue({{1}});
  EXPECT_EQ(out.read()[0], expected);
}

TEST(Arguments, areASnapshotTakenAtEnqueue) {
  Program program = build(R"(
    typedef struct { int v[8]; } Block;
    kernel void k(global int* out, int at, Block b) { out[at] = b.v[at % 8] + at; })");
  struct Block {
    cl_int v[8];
  };
  constexpr int count = 200;
  Buffer<cl_int> out(count);
  Kernel kernel(program, "k");
  kernel.set(0, out);
  for (cl_int i = 0; i < count; ++i) {
    Block block;
    std::fill(std::begin(block.v), std::end(block.v), i * 100);
    kernel.set(1, i);
    kernel.set(2, block);
    kernel.enqueue({{1}, {1}});
  }
  EXPECT_EQ(out.read(), tabulate<cl_int>(count, [](size_t i) { return i * 101; }));
}

TEST(Arguments, sameBufferTwiceAndOverlappingSubBuffers) {
  Program program = build(R"(kernel void k(global int* a, global int* b, global const int* c) {
    int g = get_global_id(0);
    a[g] = g;
    b[g] += 100;
    a[g] += c[g];
  })");
  Buffer<cl_int> buffer(64, 1);
  run(program, "k", {{64}, {16}}, buffer, buffer, buffer);
  EXPECT_EQ(buffer.read(), tabulate<cl_int>(64, [](size_t g) { return 2 * (g + 100); }));
}

} // namespace
} // namespace quern::tests
