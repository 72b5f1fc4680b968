#include "runtime/cache_folder.h"

#include <filesystem>

#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <gtest/gtest.h>

#include "temporary_folder.h"

namespace quern::runtime {
namespace {

namespace fs = std::filesystem;
using test::TemporaryFolder;

Bytes bytesOf(size_t size) {
  return Bytes(size, std::byte{7});
}

/// Sets the time of last use, so that no test depends on how fast it runs.
void setLastUse(const CacheFolder& folder, const std::string& name, int64_t seconds) {
  const timespec times[2] = {{seconds, 0}, {seconds, 0}};
  ASSERT_EQ(utimensat(AT_FDCWD, (folder.path() + "/" + name + ".qce").c_str(), times, 0), 0);
}

TEST(CacheFolder, MakesItsFolderForItsOwnerOnly) {
  const TemporaryFolder root;
  const CacheFolder folder(root / "a/b/c");
  EXPECT_TRUE(folder.write("x", bytesOf(3)));
  EXPECT_EQ(folder.read("x"), bytesOf(3));
  struct stat info;
  ASSERT_EQ(stat(folder.path().c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777, 0700u);
}

TEST(CacheFolder, OddNamesOfFoldersWork) {
  const TemporaryFolder root;
  for (const char* name :
       {"with space", "quote\"s'", "new\nline", "caf\xc3\xa9", "a\\b", "%s$HOME"}) {
    const CacheFolder folder(root / name);
    EXPECT_TRUE(folder.write("x", bytesOf(3))) << name;
    EXPECT_EQ(folder.read("x"), bytesOf(3)) << name;
  }
}

TEST(CacheFolder, ReplacesAFileWhole) {
  const TemporaryFolder root;
  const CacheFolder folder(root / "cache");
  EXPECT_TRUE(folder.write("x", bytesOf(3000)));
  EXPECT_TRUE(folder.write("x", bytesOf(5)));
  EXPECT_EQ(folder.read("x"), bytesOf(5));
  EXPECT_EQ(folder.usage().files, 1u);
}

TEST(CacheFolder, NoPathHoldsNothing) {
  const CacheFolder folder("");
  EXPECT_FALSE(folder.write("x", bytesOf(1)));
  EXPECT_FALSE(folder.read("x"));
  EXPECT_EQ(folder.usage().files, 0u);
  folder.trim(0);
}

TEST(CacheFolder, AFileInTheWayHoldsNothing) {
  const TemporaryFolder root;
  test::writeFile(root / "cache", "a file");
  const CacheFolder folder(root / "cache"), below(root / "cache/below");
  EXPECT_FALSE(folder.write("x", bytesOf(1)));
  EXPECT_FALSE(below.write("x", bytesOf(1)));
  EXPECT_FALSE(folder.read("x"));
}

TEST(CacheFolder, AFolderThatCannotBeMadeHoldsNothing) {
  const CacheFolder folder("/proc/quern-cache");
  EXPECT_FALSE(folder.write("x", bytesOf(1)));
}

/// What happens when the disk is full: a limit on file sizes makes writing fail half-way as well.
TEST(CacheFolder, FailedWriteLeavesNothingBehind) {
  const TemporaryFolder root;
  const CacheFolder folder(root / "cache");
  ASSERT_TRUE(folder.write("x", bytesOf(3)));
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    signal(SIGXFSZ, SIG_IGN);
    const rlimit fewBytes = {1000, 1000};
    setrlimit(RLIMIT_FSIZE, &fewBytes);
    _exit(folder.write("x", bytesOf(5000)) ? 1 : 0);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  EXPECT_EQ(folder.read("x"), bytesOf(3));
  EXPECT_EQ(folder.usage().files, 1u);
}

TEST(CacheFolder, WritableByOthersIsNotTrusted) {
  const TemporaryFolder root;
  const CacheFolder folder(root / "cache");
  ASSERT_TRUE(folder.write("x", bytesOf(3)));
  fs::permissions(folder.path(), fs::perms::others_write, fs::perm_options::add);
  EXPECT_FALSE(folder.read("x"));
  EXPECT_FALSE(folder.write("y", bytesOf(3)));
  fs::permissions(folder.path(), fs::perms::others_write, fs::perm_options::remove);
  EXPECT_TRUE(folder.read("x"));
  fs::permissions(folder.path() + "/x.qce", fs::perms::group_write, fs::perm_options::add);
  EXPECT_FALSE(folder.read("x"));
}

TEST(CacheFolder, FilesOfOthersAreNotTrusted) {
  if (geteuid() != 0)
    GTEST_SKIP() << "only root can give files away";
  const TemporaryFolder root;
  const CacheFolder folder(root / "cache");
  ASSERT_TRUE(folder.write("x", bytesOf(3)));
  ASSERT_EQ(chown((folder.path() + "/x.qce").c_str(), 12345, 12345), 0);
  EXPECT_FALSE(folder.read("x"));
}

TEST(CacheFolder, LinksAreNotFollowed) {
  const TemporaryFolder root;
  const CacheFolder folder(root / "cache");
  ASSERT_TRUE(folder.write("x", bytesOf(3)));
  fs::create_symlink(folder.path() + "/x.qce", folder.path() + "/y.qce");
  EXPECT_FALSE(folder.read("y"));
}

TEST(CacheFolder, TrimDeletesTheLeastRecentlyUsedFirst) {
  const TemporaryFolder root;
  const CacheFolder folder(root / "cache");
  for (const char* name : {"a", "b", "c", "d"})
    ASSERT_TRUE(folder.write(name, bytesOf(100)));
  setLastUse(folder, "a", 1000);
  setLastUse(folder, "b", 2000);
  setLastUse(folder, "c", 3000);
  setLastUse(folder, "d", 4000);
  EXPECT_TRUE(folder.read("a")); // Now the most recently used one.
  folder.trim(250);
  EXPECT_TRUE(folder.read("a"));
  EXPECT_FALSE(folder.read("b"));
  EXPECT_FALSE(folder.read("c"));
  EXPECT_TRUE(folder.read("d"));
}

TEST(CacheFolder, TrimAndClearLeaveOtherFilesAlone) {
  const TemporaryFolder root;
  const CacheFolder folder(root / "cache");
  ASSERT_TRUE(folder.write("a", bytesOf(100)));
  test::writeFile(folder.path() + "/notes.txt", "mine");
  folder.trim(0);
  EXPECT_EQ(folder.usage().files, 0u);
  ASSERT_TRUE(folder.write("b", bytesOf(50)));
  const CacheFolder::Usage cleared = folder.clear();
  EXPECT_EQ(cleared.files, 1u);
  EXPECT_EQ(cleared.bytes, 50u);
  EXPECT_TRUE(fs::exists(folder.path() + "/notes.txt"));
}

TEST(CacheFolder, LeftoversOfKilledProcessesAreTrimmed) {
  const TemporaryFolder root;
  const CacheFolder folder(root / "cache");
  ASSERT_TRUE(folder.write("a", bytesOf(1)));
  test::writeFile(folder.path() + "/1-2-3-4.qct", "half a file");
  folder.trim(0);
  EXPECT_FALSE(fs::exists(folder.path() + "/1-2-3-4.qct"));
}

} // namespace
} // namespace quern::runtime
