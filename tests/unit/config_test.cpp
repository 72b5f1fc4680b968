#include "base/config.h"

#include <cstdlib>
#include <filesystem>
#include <string>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

#include <gtest/gtest.h>

#include "temporary_folder.h"

namespace quern {
namespace {

namespace fs = std::filesystem;

constexpr int readsNothing = 3, readsEnvironment = 4;

/// Runs a program with QUERN_CACHE_DIR set and gives what it ends with.
int exitStatusOf(const fs::path& program, std::vector<std::string> arguments) {
  const pid_t child = fork();
  if (child == 0) {
    setenv("QUERN_CACHE_DIR", "/elsewhere", 1);
    setenv("LD_LIBRARY_PATH", "", 1);
    std::vector<char*> pointers = {const_cast<char*>(program.c_str())};
    for (std::string& argument : arguments)
      pointers.push_back(argument.data());
    pointers.push_back(nullptr);
    execv(program.c_str(), pointers.data());
    _exit(127);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

const std::vector<std::string> saysWhatItReads = {
    "--gtest_also_run_disabled_tests", "--gtest_filter=ConfigTest.DISABLED_saysWhatItReads"};

/// Not a test: what the copy of this program does for the one below.
TEST(ConfigTest, DISABLED_saysWhatItReads) {
  _exit(config().get(Option::CacheDir).empty() ? readsNothing : readsEnvironment);
}

TEST(ConfigTest, readsTheEnvironment) {
  EXPECT_EQ(exitStatusOf("/proc/self/exe", saysWhatItReads), readsEnvironment);
}

TEST(ConfigTest, programsWithOtherRightsDoNotReadTheEnvironment) {
  if (geteuid() != 0)
    GTEST_SKIP() << "only root can give a program the rights of somebody else";
  struct statvfs system = {};
  if (statvfs(fs::temp_directory_path().c_str(), &system) != 0 || (system.f_flag & ST_NOSUID))
    GTEST_SKIP() << "files for temporary data cannot give rights";
  constexpr uid_t nobody = 65534;
  const test::TemporaryFolder folder;
  const fs::path copy = folder / "copy";
  fs::copy_file("/proc/self/exe", copy);
  ASSERT_EQ(chmod(folder.path().c_str(), 0755), 0);
  ASSERT_EQ(chown(copy.c_str(), nobody, nobody), 0);
  ASSERT_EQ(chmod(copy.c_str(), 04755), 0);
  EXPECT_EQ(exitStatusOf(copy, saysWhatItReads), readsNothing);
}

} // namespace
} // namespace quern
