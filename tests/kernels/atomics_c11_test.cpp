// The atomic types and functions of OpenCL C 2.0 and 3.0, with memory orders and scopes.
#include "kernels/kernel_fixture.h"

#include <algorithm>

namespace quern::tests {
namespace {

class AtomicsC11 : public testing::Test {
protected:
  static constexpr size_t items = 512;

  void SetUp() override {
    QUERN_NEEDS("CL_DEVICE_ATOMIC_MEMORY_CAPABILITIES CL_DEVICE_ATOMIC_ORDER_ACQ_REL",
                "CL_DEVICE_ATOMIC_MEMORY_CAPABILITIES CL_DEVICE_ATOMIC_ORDER_SEQ_CST",
                "CL_DEVICE_ATOMIC_MEMORY_CAPABILITIES CL_DEVICE_ATOMIC_SCOPE_DEVICE",
                "OpenCL C 3.0.0");
  }
};

TEST_F(AtomicsC11, fetchOperations) {
  Program program = build(R"(
    kernel void k(global atomic_int* i, global atomic_uint* u, global int* old) {
      local atomic_int l;
      int g = get_global_id(0);
      old[g] = atomic_fetch_add_explicit(&i[0], g, memory_order_relaxed, memory_scope_device);
      atomic_fetch_sub_explicit(&i[1], g, memory_order_acquire, memory_scope_device);
      atomic_fetch_or_explicit(&u[0], 1u << (g % 31), memory_order_release, memory_scope_device);
      atomic_fetch_xor_explicit(&u[1], (uint)g * 12345u, memory_order_acq_rel, memory_scope_device);
      atomic_fetch_and_explicit(&u[2], ~(1u << (g % 30)), memory_order_seq_cst, memory_scope_device);
      atomic_fetch_min(&i[2], g * 7 % 600 - 20);
      atomic_fetch_max(&u[3], (uint)(g * 7 % 600));
      atomic_fetch_min_explicit(&u[4], (uint)(g + 3), memory_order_relaxed, memory_scope_device);
      atomic_fetch_max_explicit(&i[3], -g, memory_order_relaxed, memory_scope_device);
      if (get_local_id(0) == 0)
        atomic_init(&l, 100);
      work_group_barrier(CLK_LOCAL_MEM_FENCE);
      atomic_fetch_add_explicit(&l, 1, memory_order_relaxed, memory_scope_work_group);
      work_group_barrier(CLK_LOCAL_MEM_FENCE);
      if (get_local_id(0) == 0)
        atomic_fetch_add(&i[4], atomic_load(&l));
    })",
                          openClC3);
  Buffer<cl_int> i(std::vector<cl_int>{0, 0, 1000, -1000, 0}), old(items);
  Buffer<cl_uint> u(std::vector<cl_uint>{0, 0, ~0u, 0, 1000});
  run(program, "k", {{items}, {64}}, i, u, old);
  cl_int sum = items * (items - 1) / 2, low = 1000;
  cl_uint bits = 0, parity = 0, mask = ~0u, high = 0;
  for (cl_int g = 0; g < cl_int(items); ++g) {
    bits |= 1u << (g % 31), parity ^= cl_uint(g) * 12345u, mask &= ~(1u << (g % 30));
    low = std::min(low, g * 7 % 600 - 20), high = std::max(high, cl_uint(g * 7 % 600));
  }
  EXPECT_EQ(i.read(), (std::vector<cl_int>{sum, -sum, low, 0, cl_int(164 * items / 64)}));
  EXPECT_EQ(u.read(), (std::vector<cl_uint>{bits, parity, mask, high, 3}));
  std::vector<cl_int> seen = old.read(), after;
  for (cl_int g = 0; g < cl_int(items); ++g)
    after.push_back(seen[g] + g);
  seen.push_back(sum);
  after.push_back(0);
  std::sort(seen.begin(), seen.end());
  std::sort(after.begin(), after.end());
  EXPECT_EQ(seen, after);
}

TEST_F(AtomicsC11, fetchOperationsOn64Bits) {
  QUERN_NEEDS("cl_khr_int64_base_atomics", "cl_khr_int64_extended_atomics");
  Program program = build(R"(
    #pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
    #pragma OPENCL EXTENSION cl_khr_int64_extended_atomics : enable
    kernel void k(global atomic_long* i, global atomic_ulong* u) {
      long g = get_global_id(0);
      atomic_fetch_add(&i[0], g << 32);
      atomic_fetch_min_explicit(&i[1], -g * 10000000000L, memory_order_relaxed, memory_scope_device);
      atomic_fetch_max(&u[0], (ulong)g << 40);
      atomic_fetch_xor(&u[1], (ulong)g * 0x123456789UL);
      ulong expected = atomic_load(&u[2]);
      while (!atomic_compare_exchange_weak(&u[2], &expected, expected + 0x100000001UL)) {
      }
      atomic_exchange(&i[2], -5000000000L);
    })",
                          openClC3);
  Buffer<cl_long> i(3);
  Buffer<cl_ulong> u(3);
  run(program, "k", {{items}, {64}}, i, u);
  cl_ulong parity = 0;
  for (cl_ulong g = 0; g < items; ++g)
    parity ^= g * 0x123456789;
  EXPECT_EQ(i.read(), (std::vector<cl_long>{cl_long(items * (items - 1) / 2) << 32,
                                            -10000000000 * 511, -5000000000}));
  EXPECT_EQ(u.read(), (std::vector<cl_ulong>{cl_ulong{511} << 40, parity, items * 0x100000001}));
}

TEST_F(AtomicsC11, loadStoreExchangeAndFloats) {
  Program program = build(R"(
    kernel void k(global atomic_int* i, global atomic_float* f, global int* out) {
      int g = get_global_id(0);
      atomic_store(&i[g], g * 3);
      int a = atomic_load(&i[g]);
      int b = atomic_exchange_explicit(&i[g], 7, memory_order_acq_rel, memory_scope_work_group);
      atomic_store_explicit(&i[g], atomic_load_explicit(&i[g], memory_order_acquire, memory_scope_device) + 1,
                            memory_order_release, memory_scope_device);
      atomic_store(&f[g], g * 0.5f);
      float c = atomic_exchange(&f[g], 2.5f) + atomic_load(&f[g]);
      out[g] = a + b + (int)(c * 2);
    })",
                          openClC3);
  Buffer<cl_int> i(64), out(64);
  Buffer<cl_float> f(64);
  run(program, "k", {{64}, {16}}, i, f, out);
  EXPECT_EQ(i.read(), std::vector<cl_int>(64, 8));
  EXPECT_EQ(f.read(), std::vector<cl_float>(64, 2.5f));
  EXPECT_EQ(out.read(), tabulate<cl_int>(64, [](size_t g) { return 7 * g + 5; }));
}

/// The functions of cl_ext_float_atomics, on whole numbers that each type holds.
class FloatAtomics : public AtomicsC11,
                     public testing::WithParamInterface<std::tuple<std::string, std::string>> {
protected:
  void SetUp() override {
    AtomicsC11::SetUp();
    QUERN_NEEDS("cl_ext_float_atomics", "cl_khr_fp16", "cl_khr_fp64");
  }
};

TEST_P(FloatAtomics, doWhatTheirNamesSay) {
  const auto& [type, space] = GetParam();
  constexpr size_t count = 256, groupItems = 64;
  const bool isLocal = space == "local";
  const std::string source = R"(
    kernel void k(global atomic_T* g, global atomic_int* exchanged, global float* results) {
      local atomic_T l[7];
      int i = get_local_id(0);
      volatile SPACE atomic_T* p = OBJECTS;
      if (i < 7 && IS_LOCAL)
        atomic_store_explicit(&p[i], (T)0, memory_order_relaxed, memory_scope_work_group);
      work_group_barrier(CLK_LOCAL_MEM_FENCE);
      T old = atomic_fetch_add(&p[0], (T)(i & 3));
      old += atomic_fetch_sub_explicit(&p[1], (T)(i & 3), memory_order_relaxed);
      old += atomic_fetch_min_explicit(&p[2], (T)(5 - i), memory_order_acq_rel,
                                       memory_scope_device);
      atomic_fetch_max_explicit(&p[3], (T)(i + 3), memory_order_relaxed, memory_scope_work_group);
      atomic_fetch_add(exchanged, (int)atomic_exchange(&p[4], (T)(i + 1)));
      if (i == 7)
        atomic_store(&p[5], (T)2.5f);
      if (i == 9 && old != (T)-1)
        atomic_fetch_add_explicit(&p[6], (T)0.25f, memory_order_seq_cst, memory_scope_device);
      work_group_barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
      if (i == 0)
        for (int n = 0; n < 7; ++n)
          results[get_group_id(0) * 7 + n] = (float)atomic_load(&p[n]);
    })";
  const std::string options =
      std::string(openClC3) + " -D T=" + type + " -D atomic_T=atomic_" + type +
      " -D SPACE=" + space +
      (isLocal ? " -D IS_LOCAL=1 -D OBJECTS=l" : " -D IS_LOCAL=0 -D OBJECTS=g");
  Program program = build(source, options);
  Buffer<cl_double> objects(std::vector<cl_double>(7, 0));
  Buffer<cl_int> exchanged(std::vector<cl_int>{0});
  constexpr size_t groups = count / groupItems;
  // In global memory the groups follow each other: each sees what those before it have left.
  Buffer<cl_float> results(groups * 7);
  for (size_t group = 0; group < (isLocal ? 1 : groups); ++group)
    run(program, "k", {{isLocal ? count : groupItems}, {groupItems}}, objects, exchanged, results);
  const std::vector<cl_float> found = results.read();
  const size_t runs = isLocal ? 1 : groups;
  cl_int left = 0;
  for (size_t group = 0; group < (isLocal ? groups : 1); ++group) {
    const auto at = [&](size_t n) { return found[group * 7 + n]; };
    EXPECT_EQ(at(0), 96 * runs);
    EXPECT_EQ(at(1), -96.0f * runs);
    EXPECT_EQ(at(2), 5 - 63);
    EXPECT_EQ(at(3), 66);
    EXPECT_EQ(at(5), 2.5f);
    EXPECT_EQ(at(6), 0.25f * runs);
    left += cl_int(at(4));
  }
  // All that was put there has been found, but for what is left.
  EXPECT_EQ(exchanged.read()[0], cl_int(groups * 64 * 65 / 2) - left);
}

INSTANTIATE_TEST_SUITE_P(All, FloatAtomics,
                         testing::Combine(testing::Values("half", "float", "double"),
                                          testing::Values("global", "local", "generic")),
                         [](const auto& info) {
                           return std::string(std::get<0>(info.param)) + "_" +
                                  std::get<1>(info.param);
                         });

TEST_F(AtomicsC11, loadsOfEachOrderAndScope) {
  QUERN_NEEDS("CL_DEVICE_ATOMIC_MEMORY_CAPABILITIES CL_DEVICE_ATOMIC_SCOPE_ALL_DEVICES");
  Program program = build(R"(
    kernel void k(global atomic_int* i, global int* out) {
      out[0] = atomic_load_explicit(&i[0], memory_order_relaxed, memory_scope_all_svm_devices);
      out[1] = atomic_load_explicit(&i[1], memory_order_seq_cst, memory_scope_all_svm_devices);
      out[2] = atomic_load_explicit(&i[2], memory_order_acquire, memory_scope_work_group);
      out[3] = atomic_load_explicit(&i[3], memory_order_seq_cst);
      out[4] = atomic_load_explicit(&i[4], memory_order_acquire, memory_scope_sub_group);
    })",
                          openClC3);
  const std::vector<cl_int> values = {3, 1, 4, 1, 5};
  Buffer<cl_int> i(values), out(values.size());
  run(program, "k", {{1}}, i, out);
  EXPECT_EQ(out.read(), values);
}

TEST_F(AtomicsC11, compareExchange) {
  Program program = build(R"(
    kernel void k(global atomic_int* sum, global atomic_int* own, global int* out) {
      int g = get_global_id(0);
      int expected = atomic_load_explicit(sum, memory_order_relaxed, memory_scope_device);
      while (!atomic_compare_exchange_strong_explicit(sum, &expected, expected + 3, memory_order_acq_rel,
                                                      memory_order_acquire, memory_scope_device)) {
      }
      int right = g, wrong = -1;
      int a = atomic_compare_exchange_strong(&own[g], &right, 1000 + g);
      int b = atomic_compare_exchange_strong(&own[g], &wrong, 5);
      global int* inGlobal = out + get_global_size(0) + g;
      *inGlobal = 1000 + g;
      bool c = false;
      for (int t = 0; t < 100 && !c; ++t)
        c = atomic_compare_exchange_weak_explicit(&own[g], inGlobal, 2000 + g, memory_order_seq_cst,
                                                  memory_order_relaxed, memory_scope_device);
      out[g] = a * 100000 + b * 200000 + (wrong - g) + c * 400000;
    })",
                          openClC3);
  Buffer<cl_int> sum(1), own(tabulate<cl_int>(items, [](size_t g) { return g; })), out(2 * items);
  run(program, "k", {{items}, {32}}, sum, own, out);
  EXPECT_EQ(sum.read()[0], cl_int(3 * items));
  EXPECT_EQ(own.read(), tabulate<cl_int>(items, [](size_t g) { return 2000 + g; }));
  std::vector<cl_int> results = out.read();
  results.resize(items);
  EXPECT_EQ(results, std::vector<cl_int>(items, 501000));
}

TEST_F(AtomicsC11, flags) {
  Program program = build(R"(
    kernel void k(global atomic_flag* flag, global int* out, global atomic_flag* lock, global int* count) {
      int g = get_global_id(0);
      out[g] = !atomic_flag_test_and_set_explicit(flag, memory_order_acq_rel, memory_scope_device);
      if (get_local_id(0) == 0) {
        while (atomic_flag_test_and_set(lock)) {
        }
        *count += 1;
        atomic_flag_clear(lock);
      }
    })",
                          openClC3);
  Buffer<cl_int> flag(1), out(items), lock(1), count(1);
  run(program, "k", {{items}, {8}}, flag, out, lock, count);
  std::vector<cl_int> won = out.read();
  EXPECT_EQ(std::count(won.begin(), won.end(), 1), 1);
  EXPECT_EQ(count.read()[0], cl_int(items / 8));
}

// Message passing: whoever sees the flag must see the data that was written before it.
TEST_F(AtomicsC11, releaseAndAcquireOrderOtherMemory) {
  Program program = build(R"(
    kernel void k(global int* data, global atomic_int* ready, global int* wrong, int useFence) {
      size_t group = get_group_id(0), pair = group / 2;
      if (get_local_id(0) != 0)
        return;
      if (group % 2 == 0) {
        data[pair] = 42;
        if (useFence) {
          atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_release, memory_scope_device);
          atomic_store_explicit(&ready[pair], 1, memory_order_relaxed, memory_scope_device);
        } else {
          atomic_store_explicit(&ready[pair], 1, memory_order_release, memory_scope_device);
        }
      } else {
        int seen;
        if (useFence) {
          seen = atomic_load_explicit(&ready[pair], memory_order_relaxed, memory_scope_device);
          atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_acquire, memory_scope_device);
        } else {
          seen = atomic_load_explicit(&ready[pair], memory_order_acquire, memory_scope_device);
        }
        wrong[pair] = seen && data[pair] != 42;
      }
    })",
                          openClC3);
  constexpr size_t pairs = 4000;
  for (cl_int useFence : {0, 1}) {
    Buffer<cl_int> data(pairs), ready(pairs), wrong(pairs);
    run(program, "k", {{pairs * 4}, {2}}, data, ready, wrong, useFence);
    EXPECT_EQ(wrong.read(), std::vector<cl_int>(pairs, 0));
  }
}

/// Message passing between scopes that include each other without being the same, which OpenCL 3.1
/// allows.
void expectMessages(const std::string& writer, const std::string& reader, bool withinGroup) {
  Program program = build(R"(
    kernel void k(global int* data, global atomic_int* ready, global int* wrong) {
    #ifdef WITHIN_GROUP
      size_t pair = get_global_id(0) / 2, side = get_global_id(0) % 2;
    #else
      if (get_local_id(0) != 0)
        return;
      size_t pair = get_group_id(0) / 2, side = get_group_id(0) % 2;
    #endif
      if (side == 0) {
        data[pair] = 42;
        atomic_store_explicit(&ready[pair], 1, memory_order_release, WRITER);
        data[pair + PAIRS] = 43;
        atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_release, WRITER);
        atomic_fetch_add_explicit(&ready[pair], 1, memory_order_relaxed, WRITER);
      } else {
        int seen = atomic_load_explicit(&ready[pair], memory_order_acquire, READER);
        int first = data[pair];
        int second = atomic_fetch_or_explicit(&ready[pair], 0, memory_order_relaxed, READER);
        atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_acquire, READER);
        wrong[pair] = (seen && first != 42) || (second == 2 && data[pair + PAIRS] != 43);
      }
    })",
                          "-cl-std=CL3.1 -DPAIRS=2000 -DWRITER=" + writer + " -DREADER=" + reader +
                              (withinGroup ? " -DWITHIN_GROUP" : ""));
  constexpr size_t pairs = 2000;
  Buffer<cl_int> data(2 * pairs), ready(pairs), wrong(pairs);
  run(program, "k", {{withinGroup ? pairs * 2 : pairs * 4}, {2}}, data, ready, wrong);
  EXPECT_EQ(wrong.read(), std::vector<cl_int>(pairs, 0)) << writer << " and " << reader;
}

TEST_F(AtomicsC11, scopesThatIncludeEachOtherNeedNotBeTheSame) {
  QUERN_NEEDS("OpenCL C 3.1.0",
              "CL_DEVICE_ATOMIC_MEMORY_CAPABILITIES CL_DEVICE_ATOMIC_SCOPE_ALL_DEVICES");
  const char* scopes[] = {"memory_scope_work_group", "memory_scope_device",
                          "memory_scope_all_svm_devices"};
  for (const char* writer : scopes)
    for (const char* reader : scopes) {
      expectMessages(writer, reader, true);
      if (writer != scopes[0] && reader != scopes[0])
        expectMessages(writer, reader, false);
    }
}

TEST_F(AtomicsC11, throughGenericPointers) {
  Program program = build(R"(
    #ifdef __opencl_c_generic_address_space
    int bump(atomic_int* counter) { return atomic_fetch_add(counter, 2); }
    #else
    #define bump(counter) atomic_fetch_add(counter, 2)
    #endif
    kernel void k(global atomic_int* g, global int* out) {
      local atomic_int l;
      if (get_local_id(0) == 0)
        atomic_init(&l, 0);
      work_group_barrier(CLK_LOCAL_MEM_FENCE);
      bump(g);
      bump(&l);
      work_group_barrier(CLK_LOCAL_MEM_FENCE, memory_scope_work_group);
      out[get_global_id(0)] = atomic_load(&l);
    })",
                          openClC3);
  Buffer<cl_int> g(1), out(items);
  run(program, "k", {{items}, {16}}, g, out);
  EXPECT_EQ(g.read()[0], cl_int(2 * items));
  EXPECT_EQ(out.read(), std::vector<cl_int>(items, 32));
}

TEST_F(AtomicsC11, pointersAndSizes) {
  Program program = build(R"(
    kernel void k(global atomic_int* i, global atomic_size_t* s, global atomic_ptrdiff_t* p, global int* out) {
      atomic_fetch_add(s, (size_t)3);
      atomic_fetch_sub(p, (ptrdiff_t)2);
      if (get_global_id(0) == 0)
        out[0] = (int)(sizeof(atomic_int) + sizeof(atomic_long) * 10 + sizeof(atomic_flag) * 100);
    })",
                          openClC3);
  Buffer<cl_int> i(1), out(1);
  Buffer<cl_ulong> s(1);
  Buffer<cl_long> p(1);
  run(program, "k", {{64}, {16}}, i, s, p, out);
  EXPECT_EQ(s.read()[0], 192u);
  EXPECT_EQ(p.read()[0], -128);
  EXPECT_EQ(out.read()[0], 484);
}

} // namespace
} // namespace quern::tests
