#include "runtime/program_cache.h"

#include <filesystem>
#include <thread>

#include <sys/wait.h>
#include <unistd.h>

#include <gtest/gtest.h>

#include "temporary_folder.h"

namespace quern::runtime {
namespace {

namespace fs = std::filesystem;
using test::TemporaryFolder;

constexpr uint64_t limit = 1 << 20;

ProgramCache::Entry entryOf(const std::string& text, size_t size = 100) {
  ProgramCache::Entry entry;
  entry.log = text;
  entry.binary = Bytes(size, std::byte{1});
  return entry;
}

std::string logOf(const ProgramCache& cache, const Hash128& key) {
  const auto entry = cache.find(key);
  return entry ? entry->log : "miss";
}

TEST(ProgramCache, FindsWhatWasStoredAlsoInAnotherProcess) {
  const TemporaryFolder root;
  const Hash128 key = {1, 2};
  ProgramCache cache(root / "cache", limit);
  EXPECT_EQ(logOf(cache, key), "miss");
  cache.store(key, entryOf("warnings"));
  EXPECT_EQ(logOf(cache, key), "warnings");
  EXPECT_EQ(logOf(cache, {2, 1}), "miss");
  const ProgramCache other(root / "cache", limit);
  EXPECT_EQ(logOf(other, key), "warnings");
  EXPECT_EQ(other.find(key)->binary, Bytes(100, std::byte{1}));
}

TEST(ProgramCache, EveryDamageIsAMiss) {
  const TemporaryFolder root;
  const Hash128 key = {1, 2};
  ProgramCache cache(root / "cache", limit);
  cache.store(key, entryOf("log", 20));
  const std::string path = root / "cache" + ("/" + toHex(key) + ".qce");
  const std::string whole = test::readFile(path);
  for (size_t length = 0; length < whole.size(); ++length) {
    test::writeFile(path, whole.substr(0, length));
    EXPECT_EQ(logOf(cache, key), "miss") << length;
  }
  for (size_t bit = 0; bit < whole.size() * 8; ++bit) {
    std::string damaged = whole;
    damaged[bit / 8] = static_cast<char>(damaged[bit / 8] ^ (1 << bit % 8));
    test::writeFile(path, damaged);
    EXPECT_EQ(logOf(cache, key), "miss") << bit;
  }
  test::writeFile(path, whole);
  EXPECT_EQ(logOf(cache, key), "log");
}

TEST(ProgramCache, RenamedEntryIsAMiss) {
  const TemporaryFolder root;
  ProgramCache cache(root / "cache", limit);
  cache.store({1, 2}, entryOf("log"));
  fs::rename(root / "cache" + ("/" + toHex({1, 2}) + ".qce"),
             root / "cache" + ("/" + toHex({3, 4}) + ".qce"));
  EXPECT_EQ(logOf(cache, {3, 4}), "miss");
}

TEST(ProgramCache, ChangedHeaderIsAMiss) {
  const TemporaryFolder root;
  test::writeFile(root / "a.h", "old");
  ProgramCache cache(root / "cache", limit);
  ProgramCache::Entry entry = entryOf("log");
  entry.includes = recordIncludes({{root / "a.h", contentHash(std::string_view("old"))}}, {});
  cache.store({1, 2}, entry);
  EXPECT_EQ(logOf(cache, {1, 2}), "log");
  test::writeFile(root / "a.h", "new");
  EXPECT_EQ(logOf(cache, {1, 2}), "miss");
}

TEST(ProgramCache, StaysWithinItsSize) {
  const TemporaryFolder root;
  constexpr uint64_t small = 64 * 1024;
  ProgramCache cache(root / "cache", small);
  for (uint64_t i = 0; i < 100; ++i)
    cache.store({i, i}, entryOf("log", 8 * 1024));
  // It may exceed the limit by what it adds before it looks again.
  EXPECT_LE(CacheFolder(root / "cache").usage().bytes, small + small / 8);
  EXPECT_EQ(logOf(cache, {99, 99}), "log");
  EXPECT_EQ(logOf(cache, {0, 0}), "miss");
}

TEST(ProgramCache, EntryLargerThanTheCacheIsNotKept) {
  const TemporaryFolder root;
  ProgramCache cache(root / "cache", 1000);
  cache.store({1, 1}, entryOf("log", 2000));
  EXPECT_EQ(logOf(cache, {1, 1}), "miss");
}

TEST(ProgramCache, ReadOnlyFolderStillAnswers) {
  const TemporaryFolder root;
  ProgramCache cache(root / "cache", limit);
  cache.store({1, 1}, entryOf("log"));
  fs::permissions(root / "cache", fs::perms::owner_read | fs::perms::owner_exec);
  cache.store({2, 2}, entryOf("other"));
  EXPECT_EQ(logOf(cache, {1, 1}), "log");
  fs::permissions(root / "cache", fs::perms::owner_all);
}

TEST(ProgramCache, DeletedFolderIsMadeAgain) {
  const TemporaryFolder root;
  ProgramCache cache(root / "cache", limit);
  cache.store({1, 1}, entryOf("log"));
  fs::remove_all(root / "cache");
  EXPECT_EQ(logOf(cache, {1, 1}), "miss");
  cache.store({1, 1}, entryOf("again"));
  EXPECT_EQ(logOf(cache, {1, 1}), "again");
}

/// Stores and looks up the same few keys again and again; true when every answer was a miss or
/// whole.
bool useCacheHard(const std::string& folder) {
  ProgramCache cache(folder, 40 * 1024);
  for (uint64_t i = 0; i < 200; ++i) {
    const Hash128 key = {i % 7, 0};
    const std::string text = "log " + std::to_string(i % 7);
    if (const auto entry = cache.find(key);
        entry && (entry->log != text || entry->binary.size() != 9000))
      return false;
    cache.store(key, entryOf(text, 9000));
  }
  return true;
}

TEST(ProgramCache, ManyProcessesAtOnce) {
  const TemporaryFolder root;
  std::vector<pid_t> children;
  for (int i = 0; i < 6; ++i) {
    const pid_t child = fork();
    ASSERT_GE(child, 0);
    if (child == 0)
      _exit(useCacheHard(root / "cache") ? 0 : 1);
    children.push_back(child);
  }
  for (pid_t child : children) {
    int status = 0;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  }
}

TEST(ProgramCache, ManyThreadsAtOnce) {
  const TemporaryFolder root;
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i)
    threads.emplace_back([&] { EXPECT_TRUE(useCacheHard(root / "cache")); });
  for (std::thread& thread : threads)
    thread.join();
}

} // namespace
} // namespace quern::runtime
