// The atomic functions of OpenCL C 1.x: 32-bit and 64-bit, on global and local memory, with their
// results.
#include "kernels/kernel_fixture.h"

#include <algorithm>

namespace quern::tests {
namespace {

constexpr size_t items = 512;

/// One operation: its name without prefix, the operand as an OpenCL C expression of `g`, and the
/// initial value.
struct Operation {
  const char* name;
  const char* operand;
  int initial;
};

const std::vector<Operation> operations = {
    {"add", "g", 5},
    {"sub", "g", 5},
    {"min", "(g * 7) % 600 - 20", 400},
    {"max", "(g * 7) % 600", -4},
    {"and", "~(1 << (g % 30))", -1},
    {"or", "1 << (g % 31)", 0},
    {"xor", "g * 12345", 99},
    {"inc", "", 7},
    {"dec", "", 7},
};

template <typename T> T apply(const std::string& name, T value, T operand) {
  using U = std::make_unsigned_t<T>;
  if (name == "add" || name == "inc")
    return T(U(value) + U(operand));
  if (name == "sub" || name == "dec")
    return T(U(value) - U(operand));
  if (name == "min")
    return std::min(value, operand);
  if (name == "max")
    return std::max(value, operand);
  if (name == "and")
    return value & operand;
  return name == "or" ? value | operand : value ^ operand;
}

template <typename T> T operandOf(const std::string& name, size_t item) {
  T g = T(item);
  if (name == "inc" || name == "dec")
    return 1;
  if (name == "min")
    return T((g * 7) % 600 - 20);
  if (name == "max")
    return T((g * 7) % 600);
  if (name == "and")
    return T(~(T(1) << (g % 30)));
  if (name == "or")
    return T(T(1) << (g % 31));
  return name == "xor" ? T(g * 12345) : g;
}

/// All items apply the operation to one location in global memory, and the items of each group to
/// one in local memory. Old values must be a chain: each is either the initial value or the result
/// of exactly one other item's operation.
template <typename T>
void expectOperation(const std::string& type, const std::string& prefix,
                     const Operation& operation) {
  SCOPED_TRACE(prefix + operation.name + " of " + type);
  std::string comma = operation.operand[0] ? std::string(", (T)(") + operation.operand + ")" : "";
  std::string call = prefix + operation.name;
  std::string source = R"(
    #pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
    #pragma OPENCL EXTENSION cl_khr_int64_extended_atomics : enable
    kernel void k(global T* shared, global T* old, global T* groups, T initial) {
      local T l;
      T g = (T)get_global_id(0);
      old[get_global_id(0)] = )" +
                       call + "(shared" + comma + R"();
      if (get_local_id(0) == 0)
        l = initial;
      barrier(CLK_LOCAL_MEM_FENCE);
      )" + call + "(&l" +
                       comma + R"();
      barrier(CLK_LOCAL_MEM_FENCE);
      if (get_local_id(0) == 0)
        groups[get_group_id(0)] = l;
    })";
  // The literals of the operands are int; 64-bit operations need them as T.
  Program program = build(source, "-DT=" + type);
  const T initial = T(operation.initial);
  forEachLocalSize({16, 128}, [&](size_t local) {
    Buffer<T> shared(1, initial), old(items), groups(items / local);
    run(program, "k", {{items}, {local}}, shared, old, groups, initial);
    std::vector<T> results = old.read(), after;
    T expected = initial;
    for (size_t g = 0; g < items; ++g) {
      expected = apply(operation.name, expected, operandOf<T>(operation.name, g));
      after.push_back(apply(operation.name, results[g], operandOf<T>(operation.name, g)));
    }
    T final = shared.read()[0];
    EXPECT_EQ(final, expected);
    results.push_back(final);
    after.push_back(initial);
    std::sort(results.begin(), results.end());
    std::sort(after.begin(), after.end());
    EXPECT_EQ(results, after);
    EXPECT_EQ(groups.read(), tabulate<T>(items / local, [&](size_t group) {
                T value = initial;
                for (size_t g = group * local; g < (group + 1) * local; ++g)
                  value = apply(operation.name, value, operandOf<T>(operation.name, g));
                return value;
              }));
  });
}

TEST(Atomics, operationsOn32Bits) {
  for (const Operation& operation : operations) {
    expectOperation<cl_int>("int", "atomic_", operation);
    expectOperation<cl_uint>("uint", "atomic_", operation);
  }
}

TEST(Atomics, oldNamesOn32Bits) {
  for (const Operation& operation : operations)
    expectOperation<cl_int>("int", "atom_", operation);
}

TEST(Atomics, operationsOn64Bits) {
  QUERN_NEEDS("cl_khr_int64_base_atomics", "cl_khr_int64_extended_atomics");
  for (const Operation& operation : operations) {
    expectOperation<cl_long>("long", "atom_", operation);
    expectOperation<cl_ulong>("ulong", "atom_", operation);
  }
}

TEST(Atomics, exchangeHandsEachValueOnOnce) {
  for (const char* type : {"int", "uint", "float"}) {
    SCOPED_TRACE(type);
    Program program = build(R"(kernel void k(global T* shared, global T* old, global T* localOld) {
      local T l;
      size_t g = get_global_id(0);
      old[g] = atomic_xchg(shared, (T)(g + 1));
      if (get_local_id(0) == 0)
        l = (T)-1;
      barrier(CLK_LOCAL_MEM_FENCE);
      localOld[g] = atomic_xchg(&l, (T)get_local_id(0));
      barrier(CLK_LOCAL_MEM_FENCE);
      if (get_local_id(0) == 0)
        localOld[get_global_size(0) + get_group_id(0)] = l;
    })",
                            std::string("-DT=") + type);
    auto check = [&]<typename T>(T) {
      Buffer<T> shared(1), old(items), localOld(items + items / 64);
      run(program, "k", {{items}, {64}}, shared, old, localOld);
      std::vector<T> seen = old.read();
      seen.push_back(shared.read()[0]);
      std::sort(seen.begin(), seen.end());
      EXPECT_EQ(seen, tabulate<T>(items + 1, [](size_t i) { return i; }));
      std::vector<T> all = localOld.read();
      for (size_t group = 0; group < items / 64; ++group) {
        std::vector<T> own(all.begin() + group * 64, all.begin() + (group + 1) * 64);
        own.push_back(all[items + group]);
        own.erase(std::find(own.begin(), own.end(), T(-1)));
        std::sort(own.begin(), own.end());
        EXPECT_EQ(own, tabulate<T>(64, [](size_t i) { return i; }));
      }
    };
    if (type[0] == 'f')
      check(cl_float{});
    else if (type[0] == 'u')
      check(cl_uint{});
    else
      check(cl_int{});
  }
}

TEST(Atomics, compareExchangeBuildsOtherOperations) {
  Program program = build(R"(
    kernel void k(volatile global uint* sum, volatile global float* real, volatile global int* winner, global int* won) {
      int g = get_global_id(0);
      uint old = atomic_add(sum, 0), assumed;
      do {
        assumed = old;
        old = atomic_cmpxchg(sum, assumed, assumed * 2 % 10007 + assumed % 3);
      } while (old != assumed);
      union { uint u; float f; } a, b;
      do {
        a.u = atomic_add((volatile global uint*)real, 0);
        b.f = a.f + 0.5f;
      } while (atomic_cmpxchg((volatile global uint*)real, a.u, b.u) != a.u);
      won[g] = atomic_cmpxchg(winner, -1, g) == -1;
    })");
  Buffer<cl_uint> sum(1, 1);
  Buffer<cl_float> real(1, 0.f);
  Buffer<cl_int> winner(1, -1), won(items);
  run(program, "k", {{items}, {32}}, sum, real, winner, won);
  cl_uint expected = 1;
  for (size_t g = 0; g < items; ++g)
    expected = expected * 2 % 10007 + expected % 3;
  EXPECT_EQ(sum.read()[0], expected);
  EXPECT_EQ(real.read()[0], items * 0.5f);
  std::vector<cl_int> flags = won.read();
  EXPECT_EQ(std::count(flags.begin(), flags.end(), 1), 1);
  EXPECT_EQ(flags[winner.read()[0]], 1);
}

TEST(Atomics, compareExchange64Bits) {
  QUERN_NEEDS("cl_khr_int64_base_atomics");
  Program program = build(R"(
    #pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
    kernel void k(volatile global ulong* value, volatile global long* last) {
      ulong old = atom_add(value, 0), assumed;
      do {
        assumed = old;
        old = atom_cmpxchg(value, assumed, assumed + 0x100000001UL);
      } while (old != assumed);
      atom_xchg(last, (long)get_global_id(0) - 10000000000L);
    })");
  Buffer<cl_ulong> value(1, cl_ulong{3});
  Buffer<cl_long> last(1);
  run(program, "k", {{items}, {32}}, value, last);
  EXPECT_EQ(value.read()[0], 3 + items * 0x100000001ull);
  EXPECT_LT(last.read()[0], 0);
}

// A lock that one item of each group takes: groups run on several threads.
TEST(Atomics, spinLockBetweenGroups) {
  Program program = build(R"(kernel void k(volatile global int* lock, volatile global int* data) {
    if (get_local_id(0) == 0) {
      while (atomic_cmpxchg(lock, 0, 1) != 0) {
      }
      data[0] += 1;
      data[1] = data[0] * 2;
      mem_fence(CLK_GLOBAL_MEM_FENCE);
      atomic_xchg(lock, 0);
    }
  })");
  Buffer<cl_int> lock(1), data(2);
  run(program, "k", {{4000}, {8}}, lock, data);
  EXPECT_EQ(data.read(), (std::vector<cl_int>{500, 1000}));
}

// Every item of a group takes the lock inside a loop that all leave in their own time.
TEST(Atomics, spinLockInsideAGroup) {
  Program program = build(R"(kernel void k(global int* out) {
    local int lock, count;
    if (get_local_id(0) == 0)
      lock = count = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    bool done = false;
    while (!done) {
      if (atomic_cmpxchg(&lock, 0, 1) == 0) {
        *(volatile local int*)&count += 1;
        mem_fence(CLK_LOCAL_MEM_FENCE);
        done = true;
        atomic_xchg(&lock, 0);
      }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = count;
  })");
  Buffer<cl_int> out(256);
  run(program, "k", {{256}, {64}}, out);
  EXPECT_EQ(out.read(), std::vector<cl_int>(256, 64));
}

} // namespace
} // namespace quern::tests
