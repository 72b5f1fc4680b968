// Which memory has an address, asked as kernels with checks ask.
#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include <gtest/gtest.h>

#include "abi/checked_launch.h"
#include "devices/cpu/checks/check_functions.h"
#include "devices/cpu/checks/group_progress.h"
#include "devices/cpu/known_memory.h"

namespace {

namespace cpu = quern::cpu;

uint64_t ask(std::string_view symbol, uint64_t address) {
  return reinterpret_cast<uint64_t (*)(uint64_t)>(cpu::checkFunction(symbol))(address);
}

/// A buffer, and next to it the local memory and the context of the thread's work-groups.
class Extents : public testing::Test {
protected:
  static constexpr uint64_t bytes = 64;

  Extents() {
    cpu::KnownMemory::get().add(buffer, bytes);
    scratch_.scratch.local = memory_.data() + bytes;
    scratch_.scratch.localBytes = bytes;
    scratch_.scratch.context = memory_.data() + 2 * bytes;
    scratch_.scratch.contextBytes = bytes;
    static_cast<void>(cpu::CheckedThread(scratch_)); // forgets what was asked before
    cpu::GroupProgress::ofThread().use(&scratch_);
  }
  ~Extents() override {
    cpu::GroupProgress::ofThread().use(nullptr);
    cpu::KnownMemory::get().remove(buffer);
  }

private:
  std::array<std::byte, 5 * bytes> memory_ = {};

protected:
  quern::abi::CheckedScratch scratch_ = {};
  const uint64_t buffer = reinterpret_cast<uint64_t>(memory_.data());
  const uint64_t local = buffer + bytes;
  const uint64_t context = local + bytes;
  const uint64_t other = context + 2 * bytes; ///< of the process
};

TEST_F(Extents, haveTheirBytes) {
  for (const uint64_t begin : {buffer, local, context}) {
    for (const uint64_t offset : {uint64_t{0}, bytes - 1}) {
      EXPECT_EQ(ask(quern::abi::checkBeginSymbol, begin + offset), begin) << offset;
      EXPECT_EQ(ask(quern::abi::checkBytesSymbol, begin + offset), bytes) << offset;
    }
  }
}

TEST_F(Extents, haveTheirEndWhereNothingElseBegins) {
  EXPECT_EQ(ask(quern::abi::checkBeginSymbol, context + bytes), context);
  cpu::GroupProgress::ofThread().use(nullptr);
  EXPECT_EQ(ask(quern::abi::checkBeginSymbol, buffer + bytes), buffer);
}

TEST_F(Extents, thatWereLookedUpAreKeptForTheKernel) {
  const quern::abi::LookedUpMemory& last = scratch_.lookedUp;
  EXPECT_EQ(last.length, 0u);
  ask(quern::abi::checkBeginSymbol, buffer + 1);
  EXPECT_EQ(last.first, buffer);
  EXPECT_EQ(last.length, bytes);
  EXPECT_EQ(last.begin, buffer);
  EXPECT_EQ(last.bytes, bytes);
  cpu::GroupProgress::ofThread().use(&scratch_);
  EXPECT_EQ(last.length, 0u);
}

TEST_F(Extents, ofTheProcessEndWhereOthersBegin) {
  EXPECT_EQ(ask(quern::abi::checkBeginSymbol, other), 0u);
  EXPECT_EQ(ask(quern::abi::checkBytesSymbol, other), UINT64_MAX);
  const quern::abi::LookedUpMemory& last = scratch_.lookedUp;
  EXPECT_EQ(last.first, context + bytes);
  EXPECT_GT(last.length, other - last.first);
  EXPECT_EQ(last.begin, 0u);
  EXPECT_EQ(last.bytes, UINT64_MAX);
  EXPECT_EQ(ask(quern::abi::checkBeginSymbol, buffer), buffer);
}

TEST_F(Extents, areNoneAtNull) {
  EXPECT_EQ(ask(quern::abi::checkBytesSymbol, 0), 0u);
  EXPECT_EQ(ask(quern::abi::checkBytesSymbol, 8), 0u);
}

} // namespace
