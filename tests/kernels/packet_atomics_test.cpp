// Atomic operations of work-items that run in packets: to one place for all, to places that differ,
// with and without their results, and loops in which work-items wait.
#include <algorithm>
#include <cstring>

#include "kernels/packet_fixture.h"

namespace quern::tests {
namespace {

constexpr size_t counters = 8;

/// Runs `k(in, counters, out, n)` on `packetItems` work-items.
struct Outcome {
  std::vector<cl_int> counters, out;
};
Outcome runAtomics(const std::string& source, size_t local, cl_int n, cl_int initial) {
  Program program = build(source, openClC3);
  Buffer<cl_int> in(noise(4096, 1 << 20)), count(counters, initial), out(packetItems, -1);
  run(program, "k", {{packetItems}, {local}}, in, count, out, n);
  return {count.read(), out.read()};
}

// Every work-item gets a number of its own, whatever the order.
TEST(PacketAtomics, numbersFromOneCounter) {
  for (size_t local : {7, 64, 203}) {
    SCOPED_TRACE(local);
    const Outcome outcome = runAtomics(R"(
      kernel void k(global const int* in, global int* c, global int* out, int n) {
        int g = get_global_id(0), last = -1;
        for (int i = 0; i < n; ++i)
          if (in[g + i] & 1) last = atomic_add(&c[0], 3);
        out[g] = last;
        atomic_sub(&c[1], in[g]);
        if (g % 3) atomic_inc(&c[2]);
      })",
                                       local, 4, 0);
    const std::vector<cl_int> in = noise(4096, 1 << 20);
    std::vector<cl_int> last;
    cl_int times = 0, sum = 0;
    for (int g = 0; g < int(packetItems); ++g) {
      bool counted = false;
      for (int i = 0; i < 4; ++i) {
        times += in[g + i] & 1;
        counted = counted || (in[g + i] & 1);
      }
      sum -= in[g];
      EXPECT_EQ(outcome.out[g] >= 0, counted) << g;
      if (counted) {
        EXPECT_EQ(outcome.out[g] % 3, 0);
        last.push_back(outcome.out[g]);
      }
    }
    EXPECT_EQ(outcome.counters[0], times * 3);
    EXPECT_EQ(outcome.counters[1], sum);
    EXPECT_EQ(outcome.counters[2], cl_int(packetItems - (packetItems + 2) / 3));
    std::ranges::sort(last);
    EXPECT_EQ(std::ranges::adjacent_find(last), last.end()) << "a number was given twice";
  }
}

// Each result is what some order of the work-items makes of the operands before.
TEST(PacketAtomics, everyOperationOnOnePlace) {
  const Outcome outcome = runAtomics(R"(
      kernel void k(global const int* in, global int* c, global int* out, int n) {
        int g = get_global_id(0);
        for (int i = 0; i < n; ++i) {
          int x = in[g] - 500000;
          atomic_and(&c[0], x | 0xffff);
          atomic_or(&c[1], x & 0xff00ff);
          atomic_xor(&c[2], x);
          atomic_min(&c[3], x);
          int before = atomic_max(&c[4], x);
          atomic_min((global uint*)&c[5], (uint)x);
          atomic_max((global uint*)&c[6], (uint)x);
          out[g] = before;
        }
      })",
                                     64, 1, 77);
  const std::vector<cl_int> in = noise(4096, 1 << 20);
  std::vector<cl_int> wanted(counters, 77);
  for (size_t g = 0; g < packetItems; ++g) {
    const cl_int x = in[g] - 500000;
    wanted[0] &= x | 0xffff;
    wanted[1] |= x & 0xff00ff;
    wanted[2] ^= x;
    wanted[3] = std::min(wanted[3], x);
    wanted[4] = std::max(wanted[4], x);
    wanted[5] = cl_int(std::min(cl_uint(wanted[5]), cl_uint(x)));
    wanted[6] = cl_int(std::max(cl_uint(wanted[6]), cl_uint(x)));
  }
  EXPECT_EQ(outcome.counters, wanted);
  for (size_t g = 0; g < packetItems; ++g)
    EXPECT_TRUE(outcome.out[g] >= 77 && outcome.out[g] <= wanted[4]) << g;
}

TEST(PacketAtomics, histograms) {
  const Outcome outcome = runAtomics(R"(
      kernel void k(global const int* in, global int* c, global int* out, int n) {
        int g = get_global_id(0);
        local int own[8];
        for (int i = get_local_id(0); i < 8; i += get_local_size(0)) own[i] = 0;
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int i = 0; i < n; ++i) if (in[g + i] % 5) atomic_add(&own[in[g + i] & 7], i + 1);
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int i = get_local_id(0); i < 8; i += get_local_size(0)) atomic_add(&c[i], own[i]);
        out[g] = -1;
      })",
                                     29, 6, 5);
  const std::vector<cl_int> in = noise(4096, 1 << 20);
  std::vector<cl_int> wanted(counters, 5);
  for (size_t g = 0; g < packetItems; ++g)
    for (int i = 0; i < 6; ++i)
      if (in[g + i] % 5)
        wanted[in[g + i] & 7] += i + 1;
  EXPECT_EQ(outcome.counters, wanted);
}

// Locks: with work-items of a packet side by side, the one that has the lock would wait for those
// that want it.
TEST(PacketAtomics, locks) {
  for (const char* lock : {"while (atomic_cmpxchg(&c[0], 0, 1) != 0);",
                           "do { } while (atomic_xchg(&c[0], 1) != 0);", "acquire(&c[0]);"}) {
    SCOPED_TRACE(lock);
    const Outcome outcome = runAtomics(R"(
      void acquire(volatile global int* c) { while (atomic_xchg(c, 1)) ; }
      kernel void k(global const int* in, volatile global int* c, global int* out, int n) {
        int g = get_global_id(0);
        for (int i = 0; i < n; ++i) {
          )" + std::string(lock) + R"(
          c[1] = c[1] * 3 + 1; c[2] += in[g + i];
          mem_fence(CLK_GLOBAL_MEM_FENCE);
          atomic_xchg(&c[0], 0);
        }
        out[g] = -1;
      })",
                                       29, 3, 0);
    const std::vector<cl_int> in = noise(4096, 1 << 20);
    cl_uint steps = 0, sum = 0;
    for (size_t g = 0; g < packetItems; ++g)
      for (int i = 0; i < 3; ++i) {
        steps = steps * 3 + 1;
        sum += in[g + i];
      }
    EXPECT_EQ(outcome.counters[0], 0);
    EXPECT_EQ(cl_uint(outcome.counters[1]), steps);
    EXPECT_EQ(cl_uint(outcome.counters[2]), sum);
  }
}

// A work-item writes the number that it was given, in a table.
TEST(PacketAtomics, volatileAndOrderedAccesses) {
  const Outcome outcome = runAtomics(R"(
      kernel void k(global const int* in, volatile global int* c, global int* out, int n) {
        int g = get_global_id(0);
        for (int i = 0; i < n; ++i) {
          atomic_fetch_add_explicit((global atomic_int*)&c[in[g] & 3], in[g + i] & 15,
                                    memory_order_acq_rel, memory_scope_device);
          int seen = atomic_load_explicit((global atomic_int*)&c[in[g] & 3], memory_order_acquire,
                                          memory_scope_device);
          out[g] = seen > 0;
        }
        c[4] = n;
      })",
                                     64, 5, 1);
  const std::vector<cl_int> in = noise(4096, 1 << 20);
  std::vector<cl_int> wanted(counters, 1);
  for (size_t g = 0; g < packetItems; ++g)
    for (int i = 0; i < 5; ++i)
      wanted[in[g] & 3] += in[g + i] & 15;
  wanted[4] = 5;
  EXPECT_EQ(outcome.counters, wanted);
  EXPECT_EQ(outcome.out, std::vector<cl_int>(packetItems, 1));
}

// Threads of a warp count without atomic operations: each writes its tag until it is there.
TEST(PacketAtomics, tagsInVolatileLocalMemory) {
  // Where threads of a warp advance independently one may write between the two accesses of
  // another.
  QUERN_NEEDS("CL_DEVICE_TYPE CL_DEVICE_TYPE_CPU");
  constexpr size_t local = 32, groups = 5;
  Program program = build(R"(
      kernel void k(global const int* in, global uint* out) {
        volatile local uint h[8];
        const uint l = get_local_id(0), tag = l << 27;
        if (l < 8) h[l] = 0;
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int i = 0; i < 20; ++i) {
          const int bin = in[get_global_id(0) * 20 + i] & 7;
          uint count;
          do {
            count = tag | ((h[bin] & 0x07ffffff) + 1);
            h[bin] = count;
          } while (h[bin] != count);
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        if (l < 8) out[get_group_id(0) * 8 + l] = h[l] & 0x07ffffff;
      })",
                          openClC3);
  const std::vector<cl_int> in = noise(local * groups * 20, 1 << 20);
  Buffer<cl_int> input(in);
  Buffer<cl_uint> out(groups * 8);
  run(program, "k", {{local * groups}, {local}}, input, out);
  std::vector<cl_uint> wanted(groups * 8);
  for (size_t i = 0; i < in.size(); ++i)
    ++wanted[i / (local * 20) * 8 + static_cast<size_t>(in[i] & 7)];
  EXPECT_EQ(out.read(), wanted);
}

/// What `count(in, counters)` leaves, run by `items` work-items in groups of `local`, in `counters`
/// that begin as `initial`.
template <typename T>
std::vector<T> countIn(const std::string& source, const std::vector<cl_int>& in, size_t items,
                       size_t local, std::vector<T> initial) {
  Program program = build(source, openClC3);
  Buffer<cl_int> input(in);
  Buffer<T> counters(std::move(initial));
  run(program, "count", {{items}, {local}}, input, counters);
  return counters.read();
}

constexpr size_t manyItems = 20000; ///< enough for threads to count for themselves

// Counters that lie in what a thread has of its own, behind it, and before the first one.
TEST(PacketAtomics, largeHistograms) {
  const std::vector<cl_int> in = noise(manyItems, 9000);
  for (const char* qualifier : {"restrict", ""}) {
    SCOPED_TRACE(qualifier);
    for (size_t local : {50, 64, 203}) {
      SCOPED_TRACE(local);
      const auto counters =
          countIn<cl_uint>("kernel void count(global const int* " + std::string(qualifier) +
                               " in, global uint* " + qualifier + R"( c) {
          int g = get_global_id(0);
          c += 1000;
          if (g % 7 != 3) atomic_add(&c[in[g] - 1000], g & 15);
        })",
                           in, manyItems, local, std::vector<cl_uint>(9000, 3));
      std::vector<cl_uint> wanted(9000, 3);
      for (size_t g = 0; g < manyItems; ++g)
        if (g % 7 != 3)
          wanted[in[g]] += g & 15;
      EXPECT_EQ(counters, wanted);
    }
  }
}

// Loops inside, and three histograms in one array.
TEST(PacketAtomics, histogramsOfChannels) {
  const std::vector<cl_int> in = noise(manyItems, 1 << 24);
  const auto counters = countIn<cl_uint>(
      R"(kernel void count(global const int* restrict in, global uint* restrict c) {
          for (size_t i = get_global_id(0); i < 20000; i += get_global_size(0)) {
            atomic_inc(&c[in[i] & 255]);
            atomic_inc(&c[256 + (in[i] >> 8 & 255)]);
            if (in[i] & 1) atomic_inc(&c[512 + (in[i] >> 16)]);
          }
        })",
      in, 128, 32, std::vector<cl_uint>(768, 0));
  std::vector<cl_uint> wanted(768, 0);
  for (cl_int value : in) {
    ++wanted[value & 255];
    ++wanted[256 + (value >> 8 & 255)];
    if (value & 1)
      ++wanted[512 + (value >> 16)];
  }
  EXPECT_EQ(counters, wanted);
}

// Each operation on a table and on one place; what nothing happens to stays.
TEST(PacketAtomics, everyOperationOfManyItems) {
  const std::vector<cl_int> in = noise(manyItems, 1 << 30);
  struct Operation {
    const char* name;
    cl_int (*apply)(cl_int, cl_int);
  };
  const Operation operations[] = {
      {"atomic_add", [](cl_int a, cl_int b) { return cl_int(cl_uint(a) + cl_uint(b)); }},
      {"atomic_sub", [](cl_int a, cl_int b) { return cl_int(cl_uint(a) - cl_uint(b)); }},
      {"atomic_and", [](cl_int a, cl_int b) { return a & (b | 0x3ffffff0); }},
      {"atomic_or", [](cl_int a, cl_int b) { return a | (b & 0x1111); }},
      {"atomic_xor", [](cl_int a, cl_int b) { return a ^ b; }},
      {"atomic_min", [](cl_int a, cl_int b) { return std::min(a, b); }},
      {"atomic_max", [](cl_int a, cl_int b) { return std::max(a, b); }}};
  for (const Operation& operation : operations)
    for (const char* place : {"1 + (in[g] & 63)", "5"}) {
      SCOPED_TRACE(std::string(operation.name) + " " + place);
      const std::string name = operation.name;
      const std::string operand = name == "atomic_and"  ? "in[g] | 0x3ffffff0"
                                  : name == "atomic_or" ? "in[g] & 0x1111"
                                  : name == "atomic_min" || name == "atomic_max"
                                      ? "in[g] - (1 << 29)"
                                      : "in[g]";
      const auto counters = countIn<cl_int>(
          "kernel void count(global const int* restrict in, global int* restrict c) {\n"
          "  int g = get_global_id(0); " +
              name + "(&c[" + place + "], " + operand + "); }",
          in, manyItems, 100, std::vector<cl_int>(70, 77));
      std::vector<cl_int> wanted(70, 77);
      for (cl_int value : in) {
        cl_int& counter = wanted[place[0] == '5' ? 5 : 1 + (value & 63)];
        counter = operation.apply(
            counter, name == "atomic_min" || name == "atomic_max" ? value - (1 << 29) : value);
      }
      EXPECT_EQ(counters, wanted);
    }
}

// Two arrays at once, of numbers of different sizes; a third one is read.
TEST(PacketAtomics, twoHistograms) {
  const std::vector<cl_int> in = noise(manyItems, 5000);
  const auto counters = countIn<cl_ulong>(R"(
      #pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
      kernel void count(global const int* restrict in, global ulong* restrict c) {
        int g = get_global_id(0);
        atom_add(&c[in[g]], (ulong)in[g] << 30);
        global uint* small = (global uint*)(c + 5000);
        atomic_inc(&small[in[g] % 1000]);
      })",
                                          in, manyItems, 64, std::vector<cl_ulong>(5500, 1));
  std::vector<cl_ulong> wanted(5500, 1);
  std::vector<cl_uint> small(1000);
  std::memcpy(small.data(), wanted.data() + 5000, 1000 * sizeof(cl_uint));
  for (cl_int value : in) {
    wanted[value] += cl_ulong(value) << 30;
    ++small[value % 1000];
  }
  std::memcpy(wanted.data() + 5000, small.data(), 1000 * sizeof(cl_uint));
  EXPECT_EQ(counters, wanted);
}

// A work-item sees what it added itself, and what its group added before a barrier.
TEST(PacketAtomics, countersThatAreReadAgain) {
  for (const char* qualifier : {"restrict", ""}) {
    SCOPED_TRACE(qualifier);
    Program program = build("kernel void k(global const int* " + std::string(qualifier) +
                                " in, global int* " + qualifier + " c, global int* " + qualifier +
                                R"( out, int n) {
        int g = get_global_id(0);
        for (int i = 0; i < n; ++i) atomic_add(&c[g], in[g] & 7);
        int own = c[g];
        barrier(CLK_GLOBAL_MEM_FENCE);
        size_t other = get_group_id(0) * get_local_size(0) + (get_local_id(0) + 1) % get_local_size(0);
        out[g] = own * 1000 + atomic_add(&c[other], 0);
      })",
                            openClC3);
    const std::vector<cl_int> in = noise(manyItems, 1 << 20);
    Buffer<cl_int> input(in), counters(manyItems, 0), out(manyItems, -1);
    run(program, "k", {{manyItems}, {50}}, input, counters, out, cl_int(3));
    const std::vector<cl_int> result = out.read();
    for (size_t g = 0; g < manyItems; ++g) {
      const size_t other = g / 50 * 50 + (g % 50 + 1) % 50;
      ASSERT_EQ(result[g], 3 * (in[g] & 7) * 1000 + 3 * (in[other] & 7)) << g;
    }
  }
}

} // namespace
} // namespace quern::tests
