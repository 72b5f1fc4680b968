// The folder of the program cache: shared by many processes, absent, read-only, oddly named,
// bounded.
#include <filesystem>
#include <memory>
#include <sched.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#include "kernels/child_process.h"
#include "kernels/kernel_fixture.h"
#include "temporary_folder.h"

namespace quern::tests {
namespace {

namespace fs = std::filesystem;

/// The exit status of a child that is not allowed what it needs.
constexpr int cannotMount = 77;

/// Whether so many programs do what they should.
bool areRight(int programs) {
  for (int i = 0; i < programs; ++i) {
    Buffer<cl_int> out(8);
    run(build("kernel void k(global int* out) { out[get_global_id(0)] = VALUE; }",
              "-DVALUE=" + std::to_string(i)),
        "k", {{8}}, out);
    if (out.read() != std::vector<cl_int>(8, i))
      return false;
  }
  return true;
}

QUERN_CHILD(buildSeveralPrograms) {
  return areRight(std::stoi(arguments[0])) ? 0 : 1;
}

using Environment = std::vector<std::pair<std::string, std::string>>;

/// One entry for each program: a launch that the machine holds up would count as long, and add a
/// specialisation.
ChildRequest buildRequest(Environment environment, int programs) {
  environment.push_back({"QUERN_CACHE", "on"});
  environment.push_back({"QUERN_VARIANTS", "off"});
  return {"buildSeveralPrograms", {std::to_string(programs)}, environment};
}

ChildResult buildWith(Environment environment, int programs = 1) {
  return runChild(buildRequest(std::move(environment), programs));
}

std::vector<std::string> namesIn(const fs::path& folder) {
  std::vector<std::string> names;
  if (fs::exists(folder))
    for (const auto& entry : fs::recursive_directory_iterator(folder))
      if (entry.is_regular_file())
        names.push_back(entry.path().filename());
  return names;
}

size_t filesIn(const fs::path& folder) {
  return namesIn(folder).size();
}

TEST(CacheFolder, isSharedByManyProcessesFromTheStart) {
  TemporaryFolder folder;
  std::vector<std::unique_ptr<Child>> children;
  for (int i = 0; i < 8; ++i)
    children.push_back(
        std::make_unique<Child>(buildRequest({{"QUERN_CACHE_DIR", folder / "cold/cache"}}, 4)));
  for (auto& child : children) {
    ChildResult result = child->wait();
    EXPECT_EQ(result.exitCode, 0) << result;
    EXPECT_EQ(result.errors, "");
  }
  // One entry for each program and nothing half-written.
  const std::vector<std::string> names = namesIn(folder / "cold/cache");
  EXPECT_EQ(names.size(), 4u) << testing::PrintToString(names);
}

TEST(CacheFolder, belongsToItsUserAlone) {
  TemporaryFolder folder;
  umask(0);
  ChildResult result = buildWith({{"QUERN_CACHE_DIR", folder / "new/cache"}});
  umask(022);
  ASSERT_EQ(result.exitCode, 0) << result;
  struct stat status;
  ASSERT_EQ(stat((folder / "new/cache").c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0700u);
  EXPECT_EQ(status.st_uid, geteuid());
  for (const auto& entry : fs::recursive_directory_iterator(folder / "new/cache")) {
    ASSERT_EQ(stat(entry.path().c_str(), &status), 0);
    EXPECT_EQ(status.st_mode & 0077, 0u) << entry.path();
  }
}

TEST(CacheFolder, thatCannotBeMadeIsNoFailure) {
  TemporaryFolder folder;
  writeFile(folder / "file", "not a folder");
  for (const std::string& path :
       {std::string("/proc/nowhere/quern"), std::string("/dev/null/cache"), folder / "file",
        folder / "file/below", std::string(5000, 'x'), "/" + std::string(300, 'y') + "/z"}) {
    ChildResult result = buildWith({{"QUERN_CACHE_DIR", path}}, 2);
    EXPECT_EQ(result.exitCode, 0) << path << ": " << result;
    EXPECT_EQ(result.errors, "");
  }
}

TEST(CacheFolder, keepsApartWhatGoesByWayOfSpirv) {
  TemporaryFolder folder;
  for (const char* spirv : {"off", "on", "on"}) {
    ChildResult result = buildWith({{"QUERN_CACHE_DIR", folder.path()}, {"QUERN_SPIRV", spirv}});
    EXPECT_EQ(result.exitCode, 0) << result;
  }
  EXPECT_EQ(filesIn(folder.path()), 2u);
}

/// Mounts a file system of `arguments[1]` KiB at `arguments[0]`, for this process only, and builds.
QUERN_CHILD(buildOnASmallDisk) {
  // Root needs no user namespace; others may not be allowed one.
  if (unshare(CLONE_NEWNS) != 0 && unshare(CLONE_NEWUSER | CLONE_NEWNS) != 0)
    return cannotMount;
  const std::string options = "size=" + arguments[1] + "k";
  if (mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0 ||
      mount("none", arguments[0].c_str(), "tmpfs", 0, options.c_str()) != 0)
    return cannotMount;
  // Once made, and once perhaps taken from the cache.
  return areRight(8) && areRight(8) ? 0 : 1;
}

TEST(CacheFolder, onAFullDiskIsNoFailure) {
  TemporaryFolder folder;
  // Room for nothing, for the folder alone, for a part of an entry, and for some entries.
  for (const char* kibibytes : {"4", "8", "16", "64"}) {
    const ChildResult result =
        runChild({"buildOnASmallDisk",
                  {folder.path(), kibibytes},
                  {{"QUERN_CACHE", "on"}, {"QUERN_CACHE_DIR", folder / "cache"}}});
    if (result.exitCode == cannotMount)
      GTEST_SKIP() << "the system lets nobody mount here";
    EXPECT_EQ(result.exitCode, 0) << kibibytes << ": " << result;
    EXPECT_EQ(result.errors, "") << kibibytes;
  }
}

TEST(CacheFolder, thatIsReadOnlyIsNoFailure) {
  TemporaryFolder folder;
  const std::string path = folder / "cache";
  ASSERT_EQ(buildWith({{"QUERN_CACHE_DIR", path}}).exitCode, 0);
  fs::permissions(path, fs::perms::owner_read | fs::perms::owner_exec);
  ChildResult result = buildWith({{"QUERN_CACHE_DIR", path}}, 3);
  EXPECT_EQ(result.exitCode, 0) << result;
  EXPECT_EQ(result.errors, "");
  fs::permissions(path, fs::perms::owner_all);
}

TEST(CacheFolder, withoutHomeOrWithAnEmptyOne) {
  for (const Environment& environment :
       {Environment{{"HOME", "-"}, {"XDG_CACHE_HOME", "-"}},
        Environment{{"HOME", ""}, {"XDG_CACHE_HOME", ""}},
        Environment{{"HOME", "/nonexistent"}, {"XDG_CACHE_HOME", "-"}},
        Environment{{"HOME", "relative"}, {"XDG_CACHE_HOME", "also/relative"}}}) {
    ChildResult result = buildWith(environment);
    EXPECT_EQ(result.exitCode, 0) << result;
    EXPECT_EQ(result.errors, "");
  }
  EXPECT_FALSE(fs::exists("relative"));
  EXPECT_FALSE(fs::exists("also"));
}

TEST(CacheFolder, followsXdgAndHome) {
  TemporaryFolder folder;
  ASSERT_EQ(
      buildWith(
          {{"QUERN_CACHE_DIR", "-"}, {"XDG_CACHE_HOME", folder / "xdg"}, {"HOME", folder / "home"}})
          .exitCode,
      0);
  EXPECT_EQ(filesIn(folder / "xdg/quern"), 1u);
  EXPECT_FALSE(fs::exists(folder / "home"));
  ASSERT_EQ(
      buildWith({{"QUERN_CACHE_DIR", "-"}, {"XDG_CACHE_HOME", "-"}, {"HOME", folder / "home"}})
          .exitCode,
      0);
  EXPECT_EQ(filesIn(folder / "home/.cache/quern"), 1u);
}

TEST(CacheFolder, mayHaveAnyName) {
  TemporaryFolder folder;
  for (const char* name :
       {"with space", "quote\"double", "quote'single", "$(touch pwned)", "a;b&c|d", "new\nline",
        "back\\slash", "\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80", "\xff\xfe", "%s%n", "--option",
        "*"}) {
    ChildResult result = buildWith({{"QUERN_CACHE_DIR", folder / name}});
    EXPECT_EQ(result.exitCode, 0) << name << ": " << result;
    EXPECT_EQ(filesIn(folder / name), 1u) << name;
  }
  EXPECT_FALSE(fs::exists("pwned"));
}

QUERN_CHILD(buildLargePrograms) {
  for (int i = 0; i < 10; ++i) {
    std::string text = "constant uint table[60000] = {" + std::to_string(i);
    unsigned state = unsigned(i);
    for (int j = 1; j < 60000; ++j)
      text += "," + std::to_string((state = state * 1664525 + 1013904223) >> 1);
    Buffer<cl_uint> out(1);
    run(build(text + "}; kernel void k(global uint* out) { out[0] = table[get_global_id(0)]; }"),
        "k", {{1}}, out);
    if (out.read()[0] != unsigned(i))
      return 1;
  }
  return 0;
}

TEST(CacheFolder, staysBelowItsSize) {
  TemporaryFolder folder;
  ChildResult result = runChild(
      {"buildLargePrograms",
       {},
       {{"QUERN_CACHE", "on"}, {"QUERN_CACHE_DIR", folder.path()}, {"QUERN_CACHE_SIZE", "1"}}});
  ASSERT_EQ(result.exitCode, 0) << result;
  size_t bytes = 0;
  for (const auto& entry : fs::recursive_directory_iterator(folder.path()))
    if (entry.is_regular_file())
      bytes += entry.file_size();
  EXPECT_GT(bytes, 0u);
  EXPECT_LE(bytes, size_t{1} << 20);
}

} // namespace
} // namespace quern::tests
