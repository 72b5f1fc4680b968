#include "devices/cpu/checks/zeroed_pages.h"

#include <gtest/gtest.h>

namespace {

using quern::cpu::ZeroedPages;

TEST(ZeroedPages, KeepWhatIsWrittenWhereTheyAreLargeEnough) {
  ZeroedPages pages;
  pages.reserve(10000);
  EXPECT_EQ(pages.data()[9999], std::byte{0});
  pages.data()[9999] = std::byte{7};
  pages.reserve(5000);
  EXPECT_EQ(pages.data()[9999], std::byte{7});
}

TEST(ZeroedPages, AreZerosWhereTheyGrow) {
  ZeroedPages pages;
  pages.reserve(100);
  pages.data()[0] = std::byte{7};
  pages.reserve(10000);
  EXPECT_EQ(pages.data()[0], std::byte{0});
}

TEST(ZeroedPages, AreZerosOnceTheyAreCleared) {
  ZeroedPages pages;
  pages.clear();
  pages.reserve(10000);
  pages.data()[0] = pages.data()[9999] = std::byte{7};
  pages.clear();
  EXPECT_EQ(pages.data()[0], std::byte{0});
  EXPECT_EQ(pages.data()[9999], std::byte{0});
}

} // namespace
