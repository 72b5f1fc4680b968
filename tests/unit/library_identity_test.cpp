#include "runtime/library_identity.h"

#include <filesystem>

#include <gtest/gtest.h>

#include "temporary_folder.h"

namespace quern::runtime {
namespace {

TEST(LibraryIdentity, MissingFileHasNone) {
  EXPECT_EQ(libraryIdentity("/no/such/library.so"), "");
  EXPECT_EQ(libraryIdentity(""), "");
}

TEST(LibraryIdentity, BuildIdFollowsTheContentNotThePlace) {
  const std::string self = std::filesystem::read_symlink("/proc/self/exe");
  const std::string identity = libraryIdentity(self);
  ASSERT_TRUE(identity.starts_with("build-id ")) << identity;
  const test::TemporaryFolder folder;
  std::filesystem::copy_file(self, folder / "copy");
  EXPECT_EQ(libraryIdentity(folder / "copy"), identity);
}

TEST(LibraryIdentity, OtherFilesAreKnownByWhatTheDiskSays) {
  const test::TemporaryFolder folder;
  test::writeFile(folder / "a", "not a library");
  test::writeFile(folder / "b", "not a library");
  EXPECT_TRUE(libraryIdentity(folder / "a").starts_with("file "));
  EXPECT_NE(libraryIdentity(folder / "a"), libraryIdentity(folder / "b"));
}

TEST(LibraryIdentity, DamagedHeadersDoNoHarm) {
  const std::string whole = test::readFile(std::filesystem::read_symlink("/proc/self/exe"));
  const test::TemporaryFolder folder;
  for (size_t length : {1u, 16u, 63u, 64u, 100u, 500u, 4096u}) {
    test::writeFile(folder / "cut", whole.substr(0, length));
    EXPECT_NE(libraryIdentity(folder / "cut"), "") << length;
  }
  for (size_t at = 0; at < 1200; at += 7) {
    std::string damaged = whole.substr(0, 8192);
    damaged[at] = static_cast<char>(damaged[at] ^ 0xff);
    test::writeFile(folder / "damaged", damaged);
    EXPECT_NE(libraryIdentity(folder / "damaged"), "") << at;
  }
}

} // namespace
} // namespace quern::runtime
