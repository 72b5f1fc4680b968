#include "base/parse_number.h"

#include <cstdint>
#include <gtest/gtest.h>

namespace quern {
namespace {

TEST(ParseNumber, takesWhatIsANumberAsAWhole) {
  uint8_t small = 0;
  EXPECT_TRUE(parseNumber("255", small));
  EXPECT_EQ(small, 255);
  int signedNumber = 0;
  EXPECT_TRUE(parseNumber("-12", signedNumber));
  EXPECT_EQ(signedNumber, -12);
}

TEST(ParseNumber, refusesAnythingElse) {
  uint8_t number = 0;
  for (const char* text : {"", " 1", "1 ", "1x", "+1", "-1", "0x1", "256", "99999999999999999999"})
    EXPECT_FALSE(parseNumber(text, number)) << text;
}

} // namespace
} // namespace quern
