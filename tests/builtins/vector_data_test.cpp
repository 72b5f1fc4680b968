// vload, vstore and shuffles of every type, width and address space.
#include "elementwise.h"

#include <algorithm>

namespace quern::builtins {
namespace {

constexpr int spacesOfLoads = 5, spacesOfStores = 4;

template <typename T> bool sameBytes(const T& a, const T& b) {
  return std::equal(reinterpret_cast<const std::byte*>(&a),
                    reinterpret_cast<const std::byte*>(&a + 1),
                    reinterpret_cast<const std::byte*>(&b));
}

template <typename T> T patterned(std::uint64_t index) {
  std::uint64_t bits = (index + 1) * 0x9e3779b97f4a7c15u;
  T value;
  std::copy_n(reinterpret_cast<std::byte*>(&bits), sizeof(T), reinterpret_cast<std::byte*>(&value));
  return value;
}

TEST(VectorData, LoadsReadWholeVectorsAtElementAlignment) {
  forEachTypeAndHalf([](auto zero) {
    using T = decltype(zero);
    alignas(128) T memory[160];
    for (int i = 0; i < 160; ++i)
      memory[i] = patterned<T>(i);
    for (int width : {2, 3, 4, 8, 16}) {
      int count = 0;
      for (const Builtin* builtin : overloads("vload" + std::to_string(width))) {
        if (builtin->result.base != baseOf<T>())
          continue;
        ++count;
        for (std::uint64_t offset = 0; offset < 8; ++offset)
          for (int start = 0; start < 3; ++start) {
            Slot result;
            void* arguments[] = {&offset, memory + start};
            builtin->call(&result, arguments);
            for (int lane = 0; lane < width; ++lane)
              ASSERT_TRUE(sameBytes(result.as<T>()[lane], memory[start + offset * width + lane]))
                  << describe(*builtin);
          }
      }
      EXPECT_EQ(count, spacesOfLoads) << "vload" << width;
    }
  });
}

TEST(VectorData, StoresWriteNothingElse) {
  forEachTypeAndHalf([](auto zero) {
    using T = decltype(zero);
    for (int width : {2, 3, 4, 8, 16}) {
      int count = 0;
      for (const Builtin* builtin : overloads("vstore" + std::to_string(width))) {
        if (builtin->parameters[0].base != baseOf<T>())
          continue;
        ++count;
        for (std::uint64_t offset = 0; offset < 3; ++offset) {
          alignas(128) T memory[80];
          Slot data;
          for (int i = 0; i < 80; ++i)
            memory[i] = patterned<T>(i);
          for (int lane = 0; lane < width; ++lane)
            data.as<T>()[lane] = patterned<T>(1000 + lane);
          void* arguments[] = {&data, &offset, memory + 1};
          builtin->call(nullptr, arguments);
          for (int i = 0; i < 80; ++i) {
            int lane = i - 1 - static_cast<int>(offset) * width;
            bool written = lane >= 0 && lane < width;
            ASSERT_TRUE(sameBytes(memory[i], written ? data.as<T>()[lane] : patterned<T>(i)))
                << describe(*builtin) << ", element " << i;
          }
        }
      }
      EXPECT_EQ(count, spacesOfStores) << "vstore" << width;
    }
  });
}

template <typename T> void checkShuffles(std::string_view name, int sources) {
  using Mask = std::conditional_t<
      sizeof(T) == 1, std::uint8_t,
      std::conditional_t<sizeof(T) == 2, std::uint16_t,
                         std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>>>;
  int count = 0;
  std::mt19937_64 random;
  for (const Builtin* builtin : overloads(name)) {
    if (builtin->result.base != baseOf<T>())
      continue;
    ++count;
    const int from = builtin->parameters[0].width, to = builtin->result.width;
    for (int call = 0; call < 300; ++call) {
      Slot slots[2], mask, result;
      for (int i = 0; i < from; ++i) {
        slots[0].as<T>()[i] = patterned<T>(i);
        slots[1].as<T>()[i] = patterned<T>(100 + i);
      }
      for (int i = 0; i < to; ++i)
        mask.as<Mask>()[i] = static_cast<Mask>(random());
      void* arguments[] = {&slots[0], sources == 2 ? &slots[1] : &mask, &mask};
      builtin->call(&result, arguments);
      for (int i = 0; i < to; ++i) {
        int index = static_cast<int>(mask.as<Mask>()[i] % static_cast<unsigned>(from * sources));
        ASSERT_TRUE(sameBytes(result.as<T>()[i], slots[index / from].as<T>()[index % from]))
            << describe(*builtin);
      }
    }
  }
  EXPECT_EQ(count, 4 * 4);
}

TEST(VectorData, Shuffle) {
  forEachTypeAndHalf([](auto zero) {
    checkShuffles<decltype(zero)>("shuffle", 1);
    checkShuffles<decltype(zero)>("shuffle2", 2);
  });
}

} // namespace
} // namespace quern::builtins
