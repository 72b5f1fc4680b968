// Functions that depend on the work-group and on address spaces: asynchronous copies, and the casts
// of generic pointers.
#include "builtin.h"
#include "stubs.h"

#include <cstring>
#include <gtest/gtest.h>

namespace quern::builtins {
namespace {

constexpr int copiesOfEachType = 6 * 2;

int sizeOf(const Type& type) {
  constexpr int sizes[] = {0, 1, 1, 1, 2, 2, 4, 4, 8, 8, 2, 4, 8};
  return sizes[static_cast<int>(type.base)] * (type.width == 3 ? 4 : type.width);
}

// Runs a copy of `count` vectors with a stride on both sides (1 for contiguous) and checks every
// byte of the target.
void checkCopy(const Builtin& builtin, std::uint64_t count, std::uint64_t stride, bool isStrided) {
  const int size = sizeOf(builtin.parameters[0]);
  alignas(128) unsigned char source[8192], target[8192];
  for (int i = 0; i < 8192; ++i)
    source[i] = static_cast<unsigned char>(i * 7 + i / 256 + 1);
  std::uint64_t event = 0, result = 0;
  void* arguments[5] = {target, source, &count, isStrided ? &stride : &event, &event};
  bool gathers = builtin.parameters[0].space == Space::Local;
  for (std::size_t id : {1, 0}) {
    localId = id;
    std::memset(target, 0, sizeof target);
    builtin.call(&result, arguments);
    // Another work-item than the first leaves the copy to it.
    for (std::uint64_t i = 0; i < count; ++i) {
      const unsigned char *to = target + (gathers ? i : i * stride) * size,
                          *from = source + (gathers ? i * stride : i) * size;
      for (int byte = 0; byte < (builtin.parameters[0].width == 3 ? size / 4 * 3 : size); ++byte)
        ASSERT_EQ(to[byte], id == 0 ? from[byte] : 0) << describe(builtin) << ", vector " << i;
    }
    ASSERT_EQ(target[(gathers ? count : (count - 1) * stride + 1) * size], 0)
        << describe(builtin) << " wrote too much";
  }
}

TEST(Group, AsynchronousCopies) {
  int count = 0;
  for (const Builtin* builtin : overloads("async_work_group_copy")) {
    ++count;
    for (std::uint64_t vectors : {1, 2, 7, 31})
      checkCopy(*builtin, vectors, 1, false);
  }
  EXPECT_EQ(count, 11 * copiesOfEachType);
}

TEST(Group, StridedCopies) {
  int count = 0;
  for (const Builtin* builtin : overloads("async_work_group_strided_copy")) {
    ++count;
    for (std::uint64_t stride : {1, 2, 5})
      checkCopy(*builtin, 9, stride, true);
  }
  EXPECT_EQ(count, 11 * copiesOfEachType);
}

TEST(Group, WaitingIsABarrier) {
  auto found = overloads("wait_group_events");
  EXPECT_EQ(found.size(), 2u);
  for (const Builtin* builtin : found) {
    barrierCount = 0;
    std::int32_t count = 1;
    std::uint64_t event = 0;
    void* arguments[] = {&count, &event};
    builtin->call(nullptr, arguments);
    EXPECT_EQ(barrierCount, 1);
  }
}

TEST(Group, PrefetchAndFencesReturn) {
  std::uint64_t count = 4;
  alignas(128) char memory[1024];
  void* arguments[] = {memory, &count};
  EXPECT_EQ(overloads("prefetch").size(), 66u);
  for (const Builtin* builtin : overloads("prefetch"))
    builtin->call(nullptr, arguments);
  std::uint32_t flags = 3;
  std::int32_t order = 5, scope = 2;
  void* fenceArguments[] = {&flags, &order, &scope};
  for (std::string_view name :
       {"mem_fence", "read_mem_fence", "write_mem_fence", "atomic_work_item_fence"})
    for (const Builtin* builtin : overloads(name))
      builtin->call(nullptr, fenceArguments);
}

extern "C" {
void* __to_global(void*);
void* __to_local(void*);
void* __to_private(void*);
}

TEST(Group, AddressSpaces) {
  int global, local, priv;
  localMemory = &local;
  privateMemory = &priv;
  EXPECT_EQ(__to_global(&global), &global);
  EXPECT_EQ(__to_global(&local), nullptr);
  EXPECT_EQ(__to_global(&priv), nullptr);
  EXPECT_EQ(__to_local(&local), &local);
  EXPECT_EQ(__to_local(&global), nullptr);
  EXPECT_EQ(__to_private(&priv), &priv);
  EXPECT_EQ(__to_private(&local), nullptr);

  constexpr std::uint32_t localFence = 1, globalFence = 2;
  EXPECT_EQ(overloads("get_fence").size(), 2u);
  for (const Builtin* builtin : overloads("get_fence"))
    for (auto [pointer, fence] : {std::pair{&global, globalFence}, std::pair{&local, localFence}}) {
      std::uint32_t result = 0;
      void* arguments[] = {pointer};
      builtin->call(&result, arguments);
      EXPECT_EQ(result, fence) << describe(*builtin);
    }
}

} // namespace
} // namespace quern::builtins
