// What the host makes of footprints: the bytes that a range of work-groups reads and writes.
#include "device/footprint.h"

#include <cstring>

#include <gtest/gtest.h>

#include "device/device.h"

namespace quern::device {
namespace {

/// A kernel of two buffers and an `int`, which is `n` in the launch.
struct Kernel {
  explicit Kernel(const char* footprint) {
    for (const auto& [kind, bytes] :
         {std::pair{abi::ArgumentKind::Global, 8u}, std::pair{abi::ArgumentKind::Global, 8u},
          std::pair{abi::ArgumentKind::Value, 4u}}) {
      description.arguments.push_back(
          {.kind = kind, .offset = description.argumentBlockBytes, .bytes = bytes});
      description.argumentBlockBytes += 8;
    }
    std::optional<abi::Footprint> parsed = abi::parseFootprint(footprint);
    EXPECT_TRUE(parsed) << footprint;
    if (parsed)
      description.footprint = *std::move(parsed);
    EXPECT_TRUE(abi::isConsistent(description.footprint, description)) << footprint;
  }

  std::vector<ArgumentBytes> bytes(const NdRange& range, const GroupRange& groups,
                                   int32_t n = 0) const {
    LaunchKernel launch = {.range = range, .groups = groups};
    Bytes block(description.argumentBlockBytes);
    std::memcpy(block.data() + description.arguments[2].offset, &n, sizeof(n));
    launch.arguments.assign(block);
    return bytesOf(description, launch, groups);
  }

  abi::KernelDescription description;
};

constexpr NdRange line = {.global = {1000, 1, 1}, .local = {64, 1, 1}};
constexpr GroupRange all = {};

void expectBytes(const std::vector<ArgumentBytes>& found, int64_t begin, int64_t end) {
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].begin, begin);
  EXPECT_EQ(found[0].end, end);
}

TEST(Footprints, AreThoseOfTheGroupsThatRun) {
  const Kernel kernel("none; write 1 4 first.0 item.0 add const.4 mul");
  expectBytes(kernel.bytes(line, all), 0, 4000);
  expectBytes(kernel.bytes(line, {.end = {8, 1, 1}}), 0, 8 * 64 * 4);
  // The last group is smaller.
  expectBytes(kernel.bytes(line, {.begin = {8, 0, 0}}), 8 * 64 * 4, 4000);
  expectBytes(kernel.bytes(line, {.begin = {15, 0, 0}}), 15 * 64 * 4, 4000);
  NdRange moved = line;
  moved.offset[0] = 10;
  expectBytes(kernel.bytes(moved, {.end = {1, 1, 1}}), 40, 40 + 64 * 4);
}

TEST(Footprints, KnowTheSizeOfEachGroup) {
  const Kernel kernel("none; write 1 4 group.0 size.0 mul item.0 add const.4 mul");
  expectBytes(kernel.bytes(line, {.begin = {8, 0, 0}, .end = {15, 1, 1}}), 8 * 64 * 4, 15 * 64 * 4);
}

TEST(Footprints, EndAtGuards) {
  const Kernel kernel("none; write 1 4 first.0 item.0 add arg.2/32 const.-1/32 add/32 at-most "
                      "const.4 mul");
  expectBytes(kernel.bytes(line, all, 900), 0, 3600);
  EXPECT_TRUE(kernel.bytes(line, {.begin = {8, 0, 0}}, 512).empty()) << "no work-item passes it";
}

TEST(Footprints, LeaveOutWhatNoWorkItemDoes) {
  const Kernel kernel("none; write 0 8 first.0 item.0 add const.0 at-most drop const.16");
  expectBytes(kernel.bytes(line, {.end = {8, 1, 1}}), 16, 24);
  EXPECT_TRUE(kernel.bytes(line, {.begin = {8, 0, 0}}).empty());
}

TEST(Footprints, CountLoops) {
  const Kernel kernel("none; read 0 4 first.0 item.0 add arg.2/32 mul const.1 arg.2/32 const.-1/32 "
                      "add/32 up-to/32 mul add const.4 mul");
  expectBytes(kernel.bytes(line, {.begin = {1, 0, 0}, .end = {2, 1, 1}}, 10), 64 * 40, 128 * 40);
}

TEST(Footprints, AreAllWhereNumbersMayWrap) {
  const Kernel kernel("none; read 0 4 first.0 item.0 add arg.2/32 mul/32 const.4 mul");
  const std::vector<ArgumentBytes> bytes = kernel.bytes(line, all, INT32_MAX);
  ASSERT_EQ(bytes.size(), 1u);
  EXPECT_EQ(bytes[0].begin, INT32_MIN * int64_t{4});
  EXPECT_TRUE(Kernel("none; read 0 4 any").bytes(line, all)[0].isAny());
}

/// Each operation on ranges, against all numbers of the ranges.
TEST(Footprints, BoundEachOperation) {
  using Operation = int64_t (*)(int64_t, int64_t);
  const std::pair<const char*, Operation> operations[] = {
      {"add", [](int64_t a, int64_t b) { return a + b; }},
      {"sub", [](int64_t a, int64_t b) { return a - b; }},
      {"mul", [](int64_t a, int64_t b) { return a * b; }},
      {"sdiv", [](int64_t a, int64_t b) { return b == 0 ? 0 : a / b; }},
      {"srem", [](int64_t a, int64_t b) { return b == 0 ? 0 : a % b; }},
      {"udiv",
       [](int64_t a, int64_t b) {
         return b == 0 ? 0
                       : static_cast<int64_t>(static_cast<uint64_t>(a) / static_cast<uint64_t>(b));
       }},
      {"urem",
       [](int64_t a, int64_t b) {
         return b == 0 ? 0
                       : static_cast<int64_t>(static_cast<uint64_t>(a) % static_cast<uint64_t>(b));
       }},
      {"and", [](int64_t a, int64_t b) { return a & b; }},
      {"smin", [](int64_t a, int64_t b) { return std::min(a, b); }},
      {"smax", [](int64_t a, int64_t b) { return std::max(a, b); }},
      {"umin",
       [](int64_t a, int64_t b) {
         return static_cast<int64_t>(std::min(static_cast<uint64_t>(a), static_cast<uint64_t>(b)));
       }},
      {"umax",
       [](int64_t a, int64_t b) {
         return static_cast<int64_t>(std::max(static_cast<uint64_t>(a), static_cast<uint64_t>(b)));
       }},
      {"either", [](int64_t a, int64_t) { return a; }},
  };
  for (const auto& [name, operation] : operations)
    for (int64_t a = -6; a <= 6; a += 3)
      for (int64_t b = -6; b <= 6; b += 3) {
        // Items 0 to 3 of two dimensions, moved.
        const std::string text = "none; read 0 1 item.0 const." + std::to_string(a) +
                                 " add item.1 const." + std::to_string(b) + " add " + name;
        const NdRange range = {.workDim = 2, .global = {4, 4, 1}, .local = {4, 4, 1}};
        const std::vector<ArgumentBytes> bytes = Kernel(text.c_str()).bytes(range, all);
        ASSERT_EQ(bytes.size(), 1u);
        if (bytes[0].isAny())
          continue;
        for (int64_t x = a; x < a + 4; ++x)
          for (int64_t y = b; y < b + 4; ++y) {
            EXPECT_LE(bytes[0].begin, operation(x, y)) << text << ": " << x << ", " << y;
            EXPECT_GT(bytes[0].end, operation(x, y)) << text << ": " << x << ", " << y;
          }
      }
}

TEST(Footprints, ComeBackFromTheirText) {
  for (const char* text :
       {"none", "atomic; update 0 1 any", "unknown",
        "pointer; read 2 4 arg.2/32 const.-4/32 add/32",
        "none; write 1 16 first.2 item.2 add trunc/32 zext.32 const.16 mul; read 0 0"}) {
    const std::optional<abi::Footprint> parsed = abi::parseFootprint(text);
    ASSERT_TRUE(parsed) << text;
    EXPECT_EQ(abi::print(*parsed), text);
  }
  for (const char* text : {"", "nothing", "none; reads 0 4 any", "none; read x 4 any",
                           "none; read 0 4 first", "none; read 0 4 add.1", "none; read 0 4 what"})
    EXPECT_FALSE(abi::parseFootprint(text)) << text;
}

TEST(Footprints, AreRefusedWhereTheyMakeNoSense) {
  const Kernel kernel("none");
  for (const char* text :
       {"none; read 9 4 any", "none; read 0 4 add", "none; read 0 4 any any", "none; read 0 4 drop",
        "none; read 0 4", "none; read 2 4 any", "none; read 0 4 first.3", "none; read 0 4 arg.0/32",
        "none; read 0 4 arg.2", "none; read 0 4 arg.2/7", "none; read 0 4 any zext.65",
        "none; read 0 4 any/65", "none; read 0 4 any/0", "none; read 0 4 arg.196610/32"}) {
    const std::optional<abi::Footprint> parsed = abi::parseFootprint(text);
    ASSERT_TRUE(parsed) << text;
    EXPECT_FALSE(abi::isConsistent(*parsed, kernel.description)) << text;
  }
  abi::Footprint deep = *abi::parseFootprint("none; read 0 4");
  deep.accesses[0].offset.assign(abi::footprintStack + 1, {});
  EXPECT_FALSE(abi::isConsistent(deep, kernel.description));
  deep.tie = abi::FootprintTie::Count;
  deep.accesses.clear();
  EXPECT_FALSE(abi::isConsistent(deep, kernel.description));
}

} // namespace
} // namespace quern::device
