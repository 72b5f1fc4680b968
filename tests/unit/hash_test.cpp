#include "base/hash.h"

#include <gtest/gtest.h>

namespace quern {
namespace {

Hash128 hashOf(std::initializer_list<std::string_view> fields) {
  Hasher hasher;
  for (std::string_view field : fields)
    hasher.add(field);
  return hasher.finish();
}

TEST(Hash, FieldsAreKeptApart) {
  EXPECT_NE(hashOf({"ab", "c"}), hashOf({"a", "bc"}));
  EXPECT_NE(hashOf({"", "a"}), hashOf({"a", ""}));
  EXPECT_NE(hashOf({}), hashOf({""}));
  EXPECT_EQ(hashOf({"ab", "c"}), hashOf({"ab", "c"}));
}

TEST(Hash, HexHas32Digits) {
  EXPECT_EQ(toHex({0x0123456789abcdef, 0xf}), "0123456789abcdef000000000000000f");
}

TEST(Hash, ContentHashDependsOnEveryByte) {
  const std::string text(1000, 'x');
  for (size_t i = 0; i < text.size(); i += 37) {
    std::string other = text;
    other[i] = 'y';
    EXPECT_NE(contentHash(text), contentHash(other));
  }
}

} // namespace
} // namespace quern
