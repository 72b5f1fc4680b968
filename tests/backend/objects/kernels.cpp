// Kernels as the compiler would make them, written by hand against the ABI, to test the device
// without the compiler.
#include <cstring>

#include "abi/cpu_kernel.h"

namespace {

using quern::abi::GroupScratch;
using quern::abi::LaunchInfo;

struct Item {
  uint64_t id[3];
};

/// Calls `function` with every work-item of the groups.
template <typename Function>
void forEachItem(const LaunchInfo& launch, uint64_t groupXBegin, uint64_t groupXEnd,
                 uint64_t groupY, uint64_t groupZ, Function function) {
  const uint64_t group[2] = {groupY, groupZ};
  for (uint64_t groupX = groupXBegin; groupX < groupXEnd; ++groupX) {
    uint64_t first[3] = {groupX * launch.localSize[0], group[0] * launch.localSize[1],
                         group[1] * launch.localSize[2]};
    uint64_t last[3];
    for (int i = 0; i < 3; ++i) {
      last[i] = first[i] + launch.localSize[i];
      if (last[i] > launch.globalSize[i])
        last[i] = launch.globalSize[i];
    }
    for (uint64_t z = first[2]; z < last[2]; ++z)
      for (uint64_t y = first[1]; y < last[1]; ++y)
        for (uint64_t x = first[0]; x < last[0]; ++x)
          function(Item{{x + launch.globalOffset[0], y + launch.globalOffset[1],
                         z + launch.globalOffset[2]}});
  }
}

template <typename T> T argument(const void* arguments, uint64_t offset) {
  T value;
  __builtin_memcpy(&value, static_cast<const char*>(arguments) + offset, sizeof(value));
  return value;
}

} // namespace

#define KERNEL(name)                                                                               \
  extern "C" void name(const void* arguments, const LaunchInfo* launch,                            \
                       const GroupScratch* scratch, uint64_t groupXBegin, uint64_t groupXEnd,      \
                       uint64_t groupY, uint64_t groupZ)

KERNEL(nothing) {}

/// (global uint* out): counts how often each work-item of a 3D range has run.
KERNEL(count_items) {
  auto* const out = argument<uint32_t*>(arguments, 0);
  forEachItem(*launch, groupXBegin, groupXEnd, groupY, groupZ, [&](const Item& item) {
    const uint64_t x = item.id[0] - launch->globalOffset[0];
    const uint64_t y = item.id[1] - launch->globalOffset[1];
    const uint64_t z = item.id[2] - launch->globalOffset[2];
    const uint64_t index = (z * launch->globalSize[1] + y) * launch->globalSize[0] + x;
    __atomic_fetch_add(&out[index], 1, __ATOMIC_RELAXED);
  });
}

/// (global uint* out): as count_items, and counts every time as a thousand.
KERNEL(count_thousands) {
  auto* const out = argument<uint32_t*>(arguments, 0);
  forEachItem(*launch, groupXBegin, groupXEnd, groupY, groupZ, [&](const Item& item) {
    __atomic_fetch_add(&out[item.id[0] - launch->globalOffset[0]], 1000, __ATOMIC_RELAXED);
  });
}

/// (global uint* out): counts calls in out[0] and work-groups in out[1], and takes its time.
KERNEL(count_calls) {
  auto* const out = argument<uint32_t*>(arguments, 0);
  __atomic_fetch_add(&out[0], 1, __ATOMIC_RELAXED);
  for (uint64_t i = groupXBegin; i < groupXEnd; ++i)
    for (int turn = 0; turn < 100; ++turn)
      __atomic_fetch_add(&out[1], turn == 0, __ATOMIC_RELAXED);
}

/// (global uint* flags, global uint* out): says in flags[0] that it runs, waits for flags[1], then
/// counts as count_items does.
KERNEL(count_when_told) {
  auto* const flags = argument<uint32_t*>(arguments, 0);
  auto* const out = argument<uint32_t*>(arguments, 8);
  __atomic_store_n(&flags[0], 1, __ATOMIC_RELEASE);
  while (__atomic_load_n(&flags[1], __ATOMIC_ACQUIRE) == 0) {
  }
  forEachItem(*launch, groupXBegin, groupXEnd, groupY, groupZ,
              [&](const Item& item) { __atomic_fetch_add(&out[item.id[0]], 1, __ATOMIC_RELAXED); });
}

/// (global uint* flags, global uint* out): the same without waiting, as a thousand. Writes its
/// context, whose size it says in flags[2].
KERNEL(count_thousands_behind) {
  auto* const flags = argument<uint32_t*>(arguments, 0);
  auto* const out = argument<uint32_t*>(arguments, 8);
  std::memset(scratch->context, 0xbb, scratch->contextBytes);
  __atomic_store_n(&flags[2], static_cast<uint32_t>(scratch->contextBytes), __ATOMIC_RELAXED);
  forEachItem(*launch, groupXBegin, groupXEnd, groupY, groupZ, [&](const Item& item) {
    __atomic_fetch_add(&out[item.id[0]], 1000, __ATOMIC_RELAXED);
  });
}

/// (global ulong* out, uint rounds): work that takes time, more for higher groups.
KERNEL(uneven) {
  auto* const out = argument<uint64_t*>(arguments, 0);
  const auto rounds = argument<uint32_t>(arguments, 8);
  for (uint64_t group = groupXBegin; group < groupXEnd; ++group) {
    uint64_t value = group;
    for (uint64_t i = 0; i < rounds * group; ++i)
      value = value * 6364136223846793005u + 1442695040888963407u;
    out[group] = value;
  }
}

/// (global uint* out, uint rounds): as count_items in one dimension, each group after so much work.
KERNEL(count_slowly) {
  auto* const out = argument<uint32_t*>(arguments, 0);
  const auto rounds = argument<uint32_t>(arguments, 8);
  for (uint64_t group = groupXBegin; group < groupXEnd; ++group) {
    for (uint32_t i = 0; i < rounds; ++i)
      __asm__ volatile("");
    __atomic_fetch_add(&out[group], 1, __ATOMIC_RELAXED);
  }
}

/// (global ulong* out, local char* a, local char* b): writes its local memory and tells where it
/// is.
KERNEL(local_arguments) {
  auto* const out = argument<uint64_t*>(arguments, 0);
  const auto a = argument<uint64_t>(arguments, 8);
  const auto b = argument<uint64_t>(arguments, 16);
  std::memset(scratch->local, 0xaa, scratch->localBytes);
  std::memset(scratch->context, 0xbb, scratch->contextBytes);
  out[0] = a;
  out[1] = b;
  out[2] = scratch->localBytes;
  out[3] = scratch->contextBytes;
  out[4] = reinterpret_cast<uint64_t>(scratch->local);
  out[5] = reinterpret_cast<uint64_t>(scratch->context);
  const int onStack = 0;
  const auto* address = reinterpret_cast<const std::byte*>(&onStack);
  out[6] = address >= scratch->stackLow && address < scratch->stackHigh;
}

namespace {
volatile uint32_t counter = 7;          // .data
volatile uint32_t zeros[1000];          // .bss
const char* const names[] = {"a", "b"}; // pointers to constants need relocations
} // namespace

uint32_t common __attribute__((weak));

extern "C" __attribute__((noinline)) uint64_t helper(const uint64_t* values, uint64_t count) {
  uint64_t sum = 0;
  for (uint64_t i = 0; i < count; ++i)
    sum += values[i];
  return sum;
}

/// (global ulong* out, float x): variables, constants, calls within the object and into the host.
KERNEL(relocated) {
  auto* const out = argument<uint64_t*>(arguments, 0);
  counter = counter + 1;
  zeros[999] = zeros[999] + 2;
  common += 1;
  uint64_t values[64];
  std::memset(values, 1, argument<uint32_t>(arguments, 8));
  out[0] = counter;
  out[1] = zeros[999];
  out[2] = static_cast<uint64_t>(names[1][0]);
  out[3] = helper(values, argument<uint32_t>(arguments, 8) / 8);
  out[4] = common;
}

/// (global uint* out): the floating-point environment that it runs in.
KERNEL(float_state) {
  auto* const out = argument<uint32_t*>(arguments, 0);
  out[0] = __builtin_ia32_stmxcsr();
  __builtin_ia32_ldmxcsr(out[0] | 0x3f); // leave exceptions behind
}

/// (constant char* format, uint value): prints one record with an integer for each work-group.
KERNEL(print_groups) {
  for (uint64_t group = groupXBegin; group < groupXEnd; ++group) {
    struct __attribute__((packed)) {
      uint64_t format;
      uint32_t bytes, count;
      uint8_t kind, elementBytes, elementCount;
      uint32_t value;
    } record = {argument<uint64_t>(arguments, 0),
                23,
                1,
                0,
                4,
                1,
                argument<uint32_t>(arguments, 8) + static_cast<uint32_t>(group)};
    launch->print(launch->printState, reinterpret_cast<const std::byte*>(&record), sizeof(record));
  }
}
