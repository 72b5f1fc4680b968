// Copies of all sizes within the host's memory.
#include <numeric>

#include "backend_test.h"
#include "devices/cpu/machine.h"
#include "devices/cpu/streaming_copy.h"

namespace quern::test {
namespace {

// Lines at the edges are written in part, and nothing beside them.
TEST(StreamingCopyTest, copiesWhatItIsToldFromAndToAnyAddress) {
  constexpr size_t room = 512, line = 64;
  alignas(line) std::array<std::byte, room> source, target;
  for (size_t i = 0; i < room; ++i)
    source[i] = std::byte(i * 7 + i / 256);
  for (size_t from : {0u, 1u, 48u})
    for (size_t to = 0; to < line; ++to)
      for (size_t bytes : {0u, 1u, 15u, 63u, 64u, 65u, 127u, 200u, 320u}) {
        target.fill(std::byte(0xee));
        cpu::copyStreaming(target.data() + to, source.data() + from, bytes);
        for (size_t i = 0; i < room; ++i)
          ASSERT_EQ(target[i], i >= to && i < to + bytes ? source[from + i - to] : std::byte(0xee))
              << bytes << " bytes from " << from << " to " << to << ", at " << i;
      }
}

class TransferTest : public DeviceTest {};

TEST_F(TransferTest, whatIsLargerThanTheCachesIsCopied) {
  const uint64_t bytes = cpu::machine().topology.lastLevelCacheBytes + 12;
  if (bytes > 256 << 20)
    GTEST_SKIP() << "this machine's caches are too large for a test";
  std::vector<uint32_t> input(bytes / 4);
  std::iota(input.begin(), input.end(), 1u);
  const auto buffer = allocateWith(input);
  EXPECT_TRUE(values<uint32_t>(buffer) == input);
}

} // namespace
} // namespace quern::test
