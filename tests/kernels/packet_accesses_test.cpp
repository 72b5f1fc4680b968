// What a packet of work-items reads and writes together: structures and vectors, strides and rows,
// compared with the host; and, with pages around buffers that nobody may touch, that no work-item
// that is off touches anything.
#include <sys/mman.h>
#include <unistd.h>

#include <memory>

#include "kernels/packet_fixture.h"

namespace quern::tests {
namespace {

// Each member's number in one structure times a weight; then all members change.
TEST(PacketAccesses, structuresOfEverySize) {
  for (int members : {2, 3, 4, 5, 6, 8, 16, 17}) {
    SCOPED_TRACE(members);
    const std::string count = std::to_string(members);
    expectItems("#define M " + count + R"(
      typedef struct { int m[M]; } S;
      kernel void k(global const int* in, global int* out, int n) {
        int g = get_global_id(0); global const S* s = (global const S*)in; uint sum = 0;
        for (int i = 0; i < n; ++i) {
          S one = s[g + i];
          __attribute__((opencl_unroll_hint)) for (int j = 0; j < M; ++j) sum = sum * 3 + one.m[j];
          sum += s[g].m[1] ^ s[i].m[M - 1];
        }
        out[g] = sum;
      })",
                4, [&](const auto& in, int g, int n) {
                  cl_uint sum = 0;
                  for (int i = 0; i < n; ++i) {
                    for (int j = 0; j < members; ++j)
                      sum = sum * 3 + in[(g + i) * members + j];
                    sum += in[g * members + 1] ^ in[i * members + members - 1];
                  }
                  return cl_int(sum);
                });
  }
}

// Vectors that nothing is computed from: chosen among, from a table, exchanged, and kept in a loop
// and in an array.
TEST(PacketAccesses, vectorsThatOnlyMove) {
  for (const std::string type :
       {"int2", "short2", "uchar4", "short4", "char2", "uchar8", "float2"}) {
    SCOPED_TRACE(type);
    const size_t perInt = type == "char2" ? 2 : 1,
                 ints = type == "short2" || type == "uchar4" ? 1 : 2;
    expectItems("typedef " + type + R"( V;
      kernel void k(global const int* in, global int* out, int n) {
        local V all[256], others[256];
        int g = get_global_id(0), l = get_local_id(0), size = get_local_size(0);
        global const V* v = (global const V*)in;
        V one = g % 3 == 0 ? v[g] : v[in[g] & 511];
        if (g % 5 == 1) one = (V)(0);
        if (g % 7 == 2) one = v[2 * g + n];
        for (int i = 0; i < (in[g] & 3); ++i) one = v[g + i];
        V kept[4];
        for (int i = 0; i < 4; ++i) kept[(i + n) & 3] = v[g + i];
        if (in[g] & 64) one = kept[in[g] & 3];
        if (in[g] & 128) kept[1] = kept[2] + kept[2] - kept[2];
        if (in[g] & 512) one = kept[in[g] >> 2 & 3];
        all[l] = one;
        barrier(CLK_LOCAL_MEM_FENCE);
        others[size - 1 - l] = all[l];
        barrier(CLK_LOCAL_MEM_FENCE);
        V mine = others[size - 1 - l];
        out[g] = )" +
                    (perInt == 2 ? "(uchar)mine.x | (uchar)mine.y << 8"
                     : ints == 1 ? "as_int(mine)"
                                 : "as_int2(mine).x ^ as_int2(mine).y * 3") +
                    R"(;
      })",
                4, [&](const auto& in, int g, int n) {
                  const auto read = [&](size_t place) {
                    const auto* bytes = reinterpret_cast<const unsigned char*>(in.data());
                    if (perInt == 2)
                      return cl_int(bytes[2 * place] | bytes[2 * place + 1] << 8);
                    return ints == 1
                               ? in[place]
                               : cl_int(cl_uint(in[2 * place]) ^ cl_uint(in[2 * place + 1]) * 3);
                  };
                  cl_int one = read(g % 3 == 0 ? g : in[g] & 511);
                  if (g % 5 == 1)
                    one = 0;
                  if (g % 7 == 2)
                    one = read(2 * g + n);
                  for (int i = 0; i < (in[g] & 3); ++i)
                    one = read(g + i);
                  if (in[g] & 64)
                    one = read(g + (in[g] & 3));
                  if (in[g] & 512) {
                    const int kept = in[g] >> 2 & 3;
                    one = read(g + (kept == 1 && (in[g] & 128) ? 2 : kept));
                  }
                  return one;
                });
  }
}

// Local memory holds a structure for each work-item, whose members are written in any order and
// only in part.
TEST(PacketAccesses, structuresWrittenInPart) {
  for (int members : {2, 3, 4, 11, 16}) {
    SCOPED_TRACE(members);
    expectItems("#define M " + std::to_string(members) + R"(
      typedef struct { int m[M]; } S;
      kernel void k(global const int* in, global int* out, int n) {
        local S all[256];
        int g = get_global_id(0), l = get_local_id(0);
        for (int i = 0; i < M; ++i) all[l].m[i] = i;
        for (int i = 0; i < n; ++i) {
          int a = in[g + i], b = in[g * 2 + i];
          all[l].m[1] += a;
          all[l].m[0] ^= b;
          if (a & 1) { all[l].m[0] -= i; all[l].m[1] = all[l].m[1] * 3; }
          if (i == 2) all[l].m[M - 1] += b;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        uint sum = 0;
        for (int i = 0; i < M; ++i) sum = sum * 5 + all[l].m[i];
        out[g] = sum;
      })",
                5, [&](const auto& in, int g, int n) {
                  std::vector<cl_uint> all(members);
                  for (int i = 0; i < members; ++i)
                    all[i] = i;
                  for (int i = 0; i < n; ++i) {
                    const cl_uint a = in[g + i], b = in[g * 2 + i];
                    all[1] += a;
                    all[0] ^= b;
                    if (a & 1) {
                      all[0] -= i;
                      all[1] *= 3;
                    }
                    if (i == 2)
                      all[members - 1] += b;
                  }
                  cl_uint sum = 0;
                  for (cl_uint value : all)
                    sum = sum * 5 + value;
                  return cl_int(sum);
                });
  }
}

// Vectors of every width, at neighbouring places and at places from a table.
TEST(PacketAccesses, vectorsOfEveryWidth) {
  for (int width : {2, 3, 4, 8, 16}) {
    SCOPED_TRACE(width);
    const std::string w = std::to_string(width);
    expectItems("#define W " + w + "\n#define V int" + w + "\n#define LOAD vload" + w + R"(
      kernel void k(global const int* in, global int* out, int n) {
        int g = get_global_id(0); V sum = 0;
        global const V* all = (global const V*)in;
        for (int i = 0; i < n; ++i) {
          V a = all[(g + i) & 127], b = LOAD(g, in + i), c = all[in[g + i] & 127];
          sum = sum * 3 + (a > b ? a - c : b ^ c);
          if (in[g + i] & 2) sum += all[in[g * 2 + i] & 63];
          if (any(sum == c)) sum -= (V)(i);
        }
        uint result = 0;
        int elements[16]; 
        *(V*)elements = sum;
        for (int i = 0; i < W; ++i) result = result * 7 + elements[i];
        out[g] = result;
      })",
                5, [&](const auto& in, int g, int n) {
                  const int step = width == 3 ? 4 : width;
                  std::vector<cl_uint> sum(width);
                  for (int i = 0; i < n; ++i) {
                    bool anyEqual = false;
                    for (int j = 0; j < width; ++j) {
                      const cl_int a = in[((g + i) & 127) * step + j], b = in[g * width + i + j];
                      const cl_int c = in[(in[g + i] & 127) * step + j];
                      sum[j] = sum[j] * 3 + cl_uint(a > b ? a - c : b ^ c);
                      if (in[g + i] & 2)
                        sum[j] += in[(in[g * 2 + i] & 63) * step + j];
                      anyEqual = anyEqual || sum[j] == cl_uint(c);
                    }
                    for (cl_uint& part : sum)
                      part -= anyEqual ? i : 0;
                  }
                  cl_uint result = 0;
                  for (cl_uint part : sum)
                    result = result * 7 + part;
                  return cl_int(result);
                });
  }
}

// Bytes and shorts as parts of wider numbers, and the other way round.
TEST(PacketAccesses, smallVectorsAndTheirBits) {
  expectItems(R"(kernel void k(global const int* in, global int* out, int n) {
      int g = get_global_id(0); uint sum = 0;
      global const uchar4* bytes = (global const uchar4*)in;
      for (int i = 0; i < n; ++i) {
        uchar4 a = bytes[g + i], b = as_uchar4(in[g * 2 + i]);
        ushort2 c = as_ushort2(a + b);
        char8 d = as_char8((long)in[g + i] << 20);
        sum = sum * 3 + as_uint(a * b) + c.x * c.y + as_uint((char4)(d.s1, d.s3, d.s5, d.s7));
        uchar4 top = max(a, b);
        sum += (uint)dot(convert_float4(top >> (uchar4)(4)), (float4)(1, 2, 3, 4));
      }
      out[g] = sum;
    })",
              6, [](const auto& in, int g, int n) {
                cl_uint sum = 0;
                for (int i = 0; i < n; ++i) {
                  cl_uchar a[4], b[4], both[4], product[4], d[8];
                  memcpy(a, &in[g + i], 4);
                  memcpy(b, &in[g * 2 + i], 4);
                  const cl_ulong wide = cl_ulong(in[g + i]) << 20;
                  memcpy(d, &wide, 8);
                  cl_uint tops = 0;
                  for (int j = 0; j < 4; ++j) {
                    both[j] = a[j] + b[j];
                    product[j] = a[j] * b[j];
                    tops += (std::max(a[j], b[j]) >> 4) * (j + 1);
                  }
                  cl_ushort c[2];
                  memcpy(c, both, 4);
                  cl_uint bits, odd = d[1] | d[3] << 8 | d[5] << 16 | cl_uint(d[7]) << 24;
                  memcpy(&bits, product, 4);
                  sum = sum * 3 + bits + cl_uint(c[0]) * c[1] + odd;
                  sum += tops;
                }
                return cl_int(sum);
              });
}

TEST(PacketAccesses, downwards) {
  expectItems(R"(kernel void k(global const int* in, global int* out, int n) {
      local int turned[256];
      int g = get_global_id(0), l = get_local_id(0), s = get_local_size(0); uint sum = 0;
      for (int i = 0; i < n; ++i) {
        sum += in[1000 - g + i] * 3u;
        if (in[g + i] & 1) sum ^= in[500 - g];
      }
      for (int i = 0; i < 2; ++i) turned[s - 1 - l] = sum + i;
      barrier(CLK_LOCAL_MEM_FENCE);
      out[g] = turned[s - 1 - l];
    })",
              6, [](const auto& in, int g, int n) {
                cl_uint sum = 0;
                for (int i = 0; i < n; ++i) {
                  sum += in[1000 - g + i] * 3u;
                  if (in[g + i] & 1)
                    sum ^= in[500 - g];
                }
                return cl_int(sum + 1);
              });
}

// Each work-item walks along a row, of lengths around those that are read at once.
TEST(PacketAccesses, rows) {
  const std::string source = R"(kernel void k(global const int* in, global int* out, int n) {
      int g = get_global_id(0); uint sum = 0;
      for (int i = 0; i < n; ++i) sum = sum * 3 + in[g * n + i] * in[i];
      for (uint i = 0; i < 16; ++i) sum = sum * 5 + in[g * 16 + i];
      for (long i = 0; i < g % 11; ++i) sum ^= in[g * 7l + i] << i;
      for (int i = n - 1; i >= 0; --i) sum = sum * 7 + in[g * 3 + i];
      out[g] = sum;
    })";
  expectItems(source, {0, 1, 7, 8, 9, 17}, [](const auto& in, int g, int n) {
    cl_uint sum = 0;
    for (int i = 0; i < n; ++i)
      sum = sum * 3 + cl_uint(in[g * n + i]) * in[i];
    for (int i = 0; i < 16; ++i)
      sum = sum * 5 + in[g * 16 + i];
    for (int i = 0; i < g % 11; ++i)
      sum ^= cl_uint(in[g * 7 + i]) << i;
    for (int i = n - 1; i >= 0; --i)
      sum = sum * 7 + in[g * 3 + i];
    return cl_int(sum);
  });
}

// Counters of type int that begin at the id and grow by the number of work-items.
TEST(PacketAccesses, stridesOfTheWholeGrid) {
  expectItems(R"(kernel void k(global const int* in, global int* out, int n) {
      int size = get_global_size(0), g = get_global_id(0); uint sum = 0;
      for (int i = g; i < n; i += size) sum = sum * 3 + in[i] + in[i + 1];
      for (uint i = get_global_id(0); i < (uint)n; i += get_global_size(0)) sum = sum * 5 + in[i];
      for (size_t i = get_global_id(0); i < n; i += get_global_size(0)) sum = sum * 7 + in[i];
      for (int i = n - g; i > 0; i -= size) sum = sum * 11 + in[i];
      out[g] = sum;
    })",
              1000, [](const auto& in, int g, int n) {
                const int size = packetItems;
                cl_uint sum = 0;
                for (int i = g; i < n; i += size)
                  sum = sum * 3 + in[i] + in[i + 1];
                for (int i = g; i < n; i += size)
                  sum = sum * 5 + in[i];
                for (int i = g; i < n; i += size)
                  sum = sum * 7 + in[i];
                for (int i = n - g; i > 0; i -= size)
                  sum = sum * 11 + in[i];
                return cl_int(sum);
              });
}

/// Memory that ends where a page begins that nobody may touch, and begins behind such a page.
class Fenced {
public:
  explicit Fenced(size_t bytes, bool atEnd) : page_(sysconf(_SC_PAGESIZE)) {
    const size_t pages = (bytes + page_ - 1) / page_;
    size_ = (pages + 2) * page_;
    start_ =
        static_cast<char*>(mmap(nullptr, size_, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    mprotect(start_ + page_, pages * page_, PROT_READ | PROT_WRITE);
    data_ = atEnd ? start_ + page_ + pages * page_ - bytes : start_ + page_;
  }
  ~Fenced() { munmap(start_, size_); }
  Fenced(const Fenced&) = delete;
  Fenced& operator=(const Fenced&) = delete;
  cl_int* data() { return reinterpret_cast<cl_int*>(data_); }

private:
  size_t page_, size_ = 0;
  char *start_ = nullptr, *data_ = nullptr;
};

/// Runs `k(in, out, count)`, whose buffers hold `count` times `perItem` elements and lie at the
/// edge of their pages, on more work-items than `count`.
void expectNoTouch(const std::string& source, size_t perItem) {
  Program program = build(source);
  for (size_t count : {1, 5, 16, 33, 61})
    for (bool atEnd : {false, true}) {
      SCOPED_TRACE(testing::Message() << count << (atEnd ? " at the end" : " at the start"));
      const size_t bytes = count * perItem * sizeof(cl_int);
      Fenced in(bytes, atEnd), out(bytes, atEnd);
      for (size_t i = 0; i < count * perItem; ++i) {
        in.data()[i] = cl_int(i * 7 + 1);
        out.data()[i] = -1;
      }
      const cl_context context = Device::get().context;
      cl_int code = 0;
      cl_mem buffers[2];
      for (auto [buffer, memory] : {std::pair(&buffers[0], &in), {&buffers[1], &out}}) {
        *buffer = clCreateBuffer(context, CL_MEM_USE_HOST_PTR, bytes, memory->data(), &code);
        check(code, "clCreateBuffer");
      }
      run(program, "k", {{128}, {64}}, buffers[0], buffers[1], cl_int(count));
      check(clFinish(Device::get().queue), "clFinish");
      cl_event none = nullptr;
      void* mapped = clEnqueueMapBuffer(Device::get().queue, buffers[1], CL_TRUE, CL_MAP_READ, 0,
                                        bytes, 0, nullptr, none ? &none : nullptr, &code);
      check(code, "clEnqueueMapBuffer");
      for (size_t i = 0; i < count * perItem; ++i)
        EXPECT_EQ(static_cast<cl_int*>(mapped)[i], in.data()[i] * 3) << i;
      check(clEnqueueUnmapMemObject(Device::get().queue, buffers[1], mapped, 0, nullptr, nullptr),
            "clEnqueueUnmapMemObject");
      check(clFinish(Device::get().queue), "clFinish");
      for (cl_mem buffer : buffers)
        clReleaseMemObject(buffer);
    }
}

TEST(PacketAccesses, workItemsThatAreOffTouchNothing) {
  expectNoTouch(R"(kernel void k(global const int* in, global int* out, int count) {
      int g = get_global_id(0);
      if (g < count) for (int i = 0; i < 3; ++i) out[g] = in[g] * (i + 1);
    })",
                1);
  expectNoTouch(R"(kernel void k(global const int* in, global int* out, int count) {
      int g = get_global_id(0);
      if (g < count) for (int i = 0; i < 3; ++i) out[count - 1 - g] = in[count - 1 - g] * (i + 1);
    })",
                1);
}

TEST(PacketAccesses, structuresAndVectorsOfWorkItemsThatAreOff) {
  for (int width : {2, 3, 4, 8, 16})
    expectNoTouch("#define W " + std::to_string(width) + "\n#define V int" + std::to_string(width) +
                      "\n#define LOAD vload" + std::to_string(width) + "\n#define STORE vstore" +
                      std::to_string(width) +
                      R"(
      kernel void k(global const int* in, global int* out, int count) {
        int g = get_global_id(0);
        if (g < count)
          for (int i = 0; i < 3; ++i) STORE(LOAD(g, in) * (V)(i + 1), g, out);
      })",
                  width);
  for (int width : {2, 4, 8, 16})
    expectNoTouch("#define W " + std::to_string(width) + "\n#define V int" + std::to_string(width) +
                      "\n#define LOAD vload" + std::to_string(width) + "\n#define STORE vstore" +
                      std::to_string(width) +
                      R"(
      kernel void k(global const int* in, global int* out, int count) {
        int g = get_global_id(0), place = (g * 37) % count;
        int other = g >= count ? -100000 - g : count - 1 - g;
        for (int i = 0; i < 3; ++i)
          if (g < count) STORE(LOAD(other, in) * (V)(i + 1), other, out);
      })",
                  width);
}

// Where some work-items of a packet read bytes, the others' may be read with them: not beyond the
// page.
TEST(PacketAccesses, bytesOfSomeWorkItemsAtTheEndOfAPage) {
  Program program = build(R"(
      kernel void k(global const uchar* in, global const ushort* wide, global const int* wanted,
                    global int* out, int count) {
        int g = get_global_id(0), sum = -1;
        if (g < count)
          for (int i = 0; i < 2; ++i)
            if (wanted[g] & (1 << i)) {
              int x = in[g] + i, y = wide[count - 1 - g] - i;
              for (int j = 0; j < 3; ++j) { x = x * 5 + (y >> j); y ^= x * 3; }
              sum += x - y;
            }
        out[g] = sum;
      })");
  for (const size_t count : {1u, 5u, 16u, 61u, 4099u, 4126u})
    for (const bool atEnd : {false, true}) {
      SCOPED_TRACE(testing::Message() << count << (atEnd ? " at the end" : " at the start"));
      Fenced in(count, atEnd), wide(2 * count, atEnd);
      auto* bytes = reinterpret_cast<cl_uchar*>(in.data());
      auto* words = reinterpret_cast<cl_ushort*>(wide.data());
      for (size_t i = 0; i < count; ++i) {
        bytes[i] = cl_uchar(i * 7 + 1);
        words[i] = cl_ushort(i * 977 + 5);
      }
      const size_t items = (count + 127) / 64 * 64;
      const auto wanted =
          tabulate<cl_int>(items, [](size_t i) { return cl_int(i * 2654435761u >> 13 & 3); });
      cl_int code = 0;
      cl_mem buffers[2];
      buffers[0] = clCreateBuffer(Device::get().context, CL_MEM_USE_HOST_PTR, count, bytes, &code);
      check(code, "clCreateBuffer");
      buffers[1] =
          clCreateBuffer(Device::get().context, CL_MEM_USE_HOST_PTR, 2 * count, words, &code);
      check(code, "clCreateBuffer");
      Buffer<cl_int> which(wanted), out(items);
      run(program, "k", {{items}, {64}}, buffers[0], buffers[1], which, out, cl_int(count));
      EXPECT_EQ(out.read(), tabulate<cl_int>(items, [&](size_t g) {
                  cl_int sum = -1;
                  for (int i = 0; i < 2 && g < count; ++i)
                    if (wanted[g] & (1 << i)) {
                      cl_int x = bytes[g] + i, y = words[count - 1 - g] - i;
                      for (int j = 0; j < 3; ++j) {
                        x = x * 5 + (y >> j);
                        y ^= x * 3;
                      }
                      sum += x - y;
                    }
                  return sum;
                }));
      for (cl_mem buffer : buffers)
        clReleaseMemObject(buffer);
    }
}

// Only one member of the last structure is there.
TEST(PacketAccesses, gapsBehindTheLastMember) {
  Program program = build(R"(kernel void k(global const int* in, global int* out, int step) {
      int g = get_global_id(0); int sum = 0;
      for (int i = 0; i < 3; ++i) sum += in[g * STEP] + i;
      out[g] = sum;
    })",
                          "-DSTEP=3");
  constexpr size_t count = 64;
  const size_t bytes = ((count - 1) * 3 + 1) * sizeof(cl_int);
  Fenced in(bytes, true);
  for (size_t i = 0; i < count; ++i)
    in.data()[i * 3] = cl_int(i * i);
  cl_int code = 0;
  cl_mem buffer =
      clCreateBuffer(Device::get().context, CL_MEM_USE_HOST_PTR, bytes, in.data(), &code);
  check(code, "clCreateBuffer");
  Buffer<cl_int> out(count, -1);
  run(program, "k", {{count}, {count}}, buffer, out, cl_int(3));
  EXPECT_EQ(out.read(), tabulate<cl_int>(count, [](size_t i) { return cl_int(i * i * 3 + 3); }));
  clReleaseMemObject(buffer);
}

} // namespace
} // namespace quern::tests
