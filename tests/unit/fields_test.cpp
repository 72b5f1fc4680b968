#include "base/fields.h"

#include <gtest/gtest.h>

namespace quern {

struct Inner {
  int64_t number = 0;
  bool flag = false;
  bool operator==(const Inner&) const = default;
};

struct Outer {
  enum class Kind : uint16_t { A, B = 700 };
  Kind kind = Kind::A;
  std::string text;
  Bytes blob;
  std::vector<Inner> inners;
  std::array<uint32_t, 3> sizes = {};
  std::vector<std::pair<std::string, std::string>> pairs;
  bool operator==(const Outer&) const = default;
};

template <typename Archive, MaybeConst<Inner> T> void fields(Archive& archive, T& v) {
  archive(v.number, v.flag);
}

template <typename Archive, MaybeConst<Outer> T> void fields(Archive& archive, T& v) {
  archive(v.kind, v.text, v.blob, v.inners, v.sizes, v.pairs);
}

namespace {

const Outer outer = {.kind = Outer::Kind::B,
                     .text = "a text",
                     .blob = {std::byte{1}, std::byte{255}},
                     .inners = {{.number = -5, .flag = true}, {.number = 7}},
                     .sizes = {1, 2, 3},
                     .pairs = {{"name", "value"}, {"", ""}}};

Bytes written() {
  FieldWriter out;
  out(outer);
  return out.take();
}

TEST(Fields, ComeBackWhole) {
  const Bytes bytes = written();
  FieldReader in(bytes);
  Outer read;
  in(read);
  EXPECT_TRUE(in.isComplete());
  EXPECT_EQ(read, outer);
}

TEST(Fields, AShorterOrLongerInputIsNotComplete) {
  const Bytes bytes = written();
  for (size_t length = 0; length < bytes.size(); ++length) {
    FieldReader in(std::span(bytes).first(length));
    Outer read;
    in(read);
    EXPECT_FALSE(in.isComplete()) << length;
  }
  Bytes longer = bytes;
  longer.push_back({});
  FieldReader in(longer);
  Outer read;
  in(read);
  EXPECT_FALSE(in.isComplete());
}

/// A count of 2^64 - 1 before nothing: the reader must not believe it.
TEST(Fields, AHostileCountTakesNoMemory) {
  const Bytes bytes(8, std::byte{255});
  FieldReader in(bytes);
  std::vector<Inner> read;
  in(read);
  EXPECT_FALSE(in.isComplete());
  EXPECT_LE(read.size(), 1u);
}

/// A bool of any other value than 0 and 1 would be undefined behaviour.
TEST(Fields, AnyByteIsABool) {
  const Bytes bytes(1, std::byte{200});
  FieldReader in(bytes);
  bool value = false;
  in(value);
  EXPECT_TRUE(in.isComplete());
  EXPECT_EQ(static_cast<int>(value), 1);
}

} // namespace
} // namespace quern
