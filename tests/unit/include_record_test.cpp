#include "runtime/include_record.h"

#include <filesystem>

#include <gtest/gtest.h>

#include "base/hash.h"
#include "temporary_folder.h"

namespace quern::runtime {
namespace {

using test::TemporaryFolder;
using test::writeFile;

class IncludeRecordTest : public ::testing::Test {
protected:
  void SetUp() override {
    std::filesystem::create_directories(root / "first");
    std::filesystem::create_directories(root / "second/sub");
    writeFile(root / "second/sub/a.h", "content");
    record = recordIncludes({{root / "second/sub/a.h", contentHash(std::string_view("content"))}},
                            folders);
  }

  const TemporaryFolder root;
  const std::vector<std::string> folders = {root / "first", root / "second"};
  IncludeRecord record;
};

TEST_F(IncludeRecordTest, UnchangedFilesAreCurrent) {
  EXPECT_TRUE(record.isCurrent());
}

TEST_F(IncludeRecordTest, NothingIncludedIsCurrent) {
  EXPECT_TRUE(IncludeRecord().isCurrent());
}

TEST_F(IncludeRecordTest, ChangedFileIsNotCurrent) {
  writeFile(root / "second/sub/a.h", "CONTENT");
  EXPECT_FALSE(record.isCurrent());
}

TEST_F(IncludeRecordTest, MissingFileIsNotCurrent) {
  std::filesystem::remove(root / "second/sub/a.h");
  EXPECT_FALSE(record.isCurrent());
  std::filesystem::create_directory(root / "second/sub/a.h");
  EXPECT_FALSE(record.isCurrent());
}

TEST_F(IncludeRecordTest, FileThatWouldBeFoundFirstIsNotCurrent) {
  std::filesystem::create_directories(root / "first/sub");
  EXPECT_TRUE(record.isCurrent());
  writeFile(root / "first/sub/a.h", "another");
  EXPECT_FALSE(record.isCurrent());
}

TEST_F(IncludeRecordTest, ComesBackFromBytes) {
  ByteWriter out;
  put(out, record);
  const Bytes bytes = out.take();
  ByteReader in(bytes);
  const IncludeRecord copy = getIncludeRecord(in);
  EXPECT_TRUE(in.ok() && in.atEnd());
  ASSERT_EQ(copy.opened.size(), 1u);
  EXPECT_EQ(copy.opened[0].path, record.opened[0].path);
  EXPECT_EQ(copy.opened[0].contentHash, record.opened[0].contentHash);
  EXPECT_EQ(copy.absent, record.absent);
}

TEST_F(IncludeRecordTest, TruncatedBytesEndEarly) {
  ByteWriter out;
  put(out, record);
  const Bytes bytes = out.take();
  for (size_t length = 0; length < bytes.size(); ++length) {
    ByteReader in(std::span(bytes).first(length));
    const IncludeRecord copy = getIncludeRecord(in);
    EXPECT_LE(copy.opened.size(), 1u);
    EXPECT_FALSE(in.ok() && in.atEnd() && copy.absent == record.absent);
  }
}

} // namespace
} // namespace quern::runtime
