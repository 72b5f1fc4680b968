// Program binaries and cache entries that are truncated, changed, foreign or garbage.
#include <cstdio>
#include <filesystem>
#include <functional>

#include "kernels/child_process.h"
#include "kernels/kernel_fixture.h"
#include "temporary_folder.h"

namespace quern::tests {
namespace {

using Bytes = std::vector<unsigned char>;

constexpr const char* storedSource = R"(
  constant int table[3] = {5, 6, 7};
  kernel void k(global int* out) { out[get_global_id(0)] = table[get_global_id(0) % 3]; })";

/// The code that creating a program from `binary` gives, or building it where creating succeeds. A
/// binary that is refused must be refused with the status of the device too.
cl_int outcome(const Bytes& binary) {
  const unsigned char* bytes = binary.data();
  const size_t length = binary.size();
  cl_int status = 1, code = CL_SUCCESS;
  cl_program handle = clCreateProgramWithBinary(Device::get().context, 1, &Device::get().id,
                                                &length, &bytes, &status, &code);
  if (code != CL_SUCCESS) {
    EXPECT_EQ(handle, nullptr);
    EXPECT_EQ(status, code);
    return code;
  }
  Program program(handle);
  return clBuildProgram(handle, 1, &Device::get().id, "", nullptr, nullptr);
}

TEST(DamagedBinaries, changedBytesAreFound) {
  const Bytes good = build(storedSource).binary();
  ASSERT_EQ(outcome(good), CL_SUCCESS);
  // Every byte of the header, then a sample.
  for (size_t at = 0; at < good.size(); at += at < 256 ? 1 : good.size() / 97 + 1)
    for (unsigned char change : {0x01, 0x80, 0xff}) {
      Bytes bad = good;
      bad[at] ^= change;
      ASSERT_EQ(outcome(bad), CL_INVALID_BINARY) << "byte " << at << " of " << good.size();
    }
}

TEST(DamagedBinaries, truncationIsFound) {
  const Bytes good = build(storedSource).binary();
  for (size_t length = 1; length < good.size(); length += length < 256 ? 1 : good.size() / 97 + 1)
    ASSERT_EQ(outcome(Bytes(good.begin(), good.begin() + long(length))), CL_INVALID_BINARY)
        << length;
}

TEST(DamagedBinaries, surplusIsFound) {
  Bytes longer = build(storedSource).binary();
  longer.push_back(0);
  EXPECT_EQ(outcome(longer), CL_INVALID_BINARY);
}

TEST(DamagedBinaries, garbageAndForeignFilesAreRefused) {
  const std::string text = readFile("/proc/self/exe").substr(0, 100000),
                    script = "#!/bin/sh\necho 1\n";
  unsigned state = 1;
  Bytes noise = tabulate<unsigned char>(
      5000, [&](size_t) { return (state = state * 1664525 + 1013904223) >> 24; });
  for (const Bytes& binary :
       {Bytes(text.begin(), text.end()), Bytes(script.begin(), script.end()), noise, Bytes(1, 0),
        Bytes(4096, 0), Bytes{'B', 'C', 0xC0, 0xDE}, Bytes(1 << 20, 0xff)})
    EXPECT_EQ(outcome(binary), CL_INVALID_BINARY);
}

TEST(DamagedBinaries, oneGoodAndOneBadLeaveNothingBehind) {
  for (int i = 0; i < 200; ++i)
    ASSERT_EQ(outcome(Bytes(1000, static_cast<unsigned char>(i))), CL_INVALID_BINARY);
  Buffer<cl_int> out(3);
  run(build(storedSource), "k", {{3}}, out);
  EXPECT_EQ(out.read(), (std::vector<cl_int>{5, 6, 7}));
}

QUERN_CHILD(buildWithCache) {
  Buffer<cl_int> out(3);
  run(build(storedSource), "k", {{3}}, out);
  return out.read() == std::vector<cl_int>{5, 6, 7} ? 0 : 1;
}

/// Damages every file below `folder`.
size_t damageAll(const std::string& folder,
                 const std::function<void(const std::filesystem::path&)>& damage) {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder))
    if (entry.is_regular_file())
      files.push_back(entry.path());
  for (const auto& file : files)
    damage(file);
  return files.size();
}

TEST(DamagedCache, isASilentMiss) {
  const auto rewrite = [](const std::filesystem::path& file, const std::string& text) {
    std::ofstream(file, std::ios::binary | std::ios::trunc) << text;
  };
  const std::vector<std::function<void(const std::filesystem::path&)>> damages = {
      [&](const auto& file) { rewrite(file, ""); },
      [&](const auto& file) { rewrite(file, "garbage"); },
      [&](const auto& file) {
        rewrite(file, readFile(file).substr(0, std::filesystem::file_size(file) / 2));
      },
      [&](const auto& file) {
        std::string text = readFile(file);
        text[text.size() / 2] ^= 0x10;
        rewrite(file, text);
      },
      [&](const auto& file) {
        std::string text = readFile(file);
        text.back() ^= 0x01;
        rewrite(file, text);
      },
      [&](const auto& file) {
        std::filesystem::remove(file);
        std::filesystem::create_directory(file);
      },
      [&](const auto& file) {
        std::filesystem::remove(file);
        std::filesystem::create_symlink("/dev/zero", file);
      },
      [&](const auto& file) {
        std::filesystem::remove(file);
        std::filesystem::create_symlink(file.filename(), file);
      },
  };
  size_t kind = 0;
  for (const auto& damage : damages) {
    SCOPED_TRACE("kind " + std::to_string(kind++));
    TemporaryFolder folder;
    ChildRequest request{"buildWithCache",
                         {},
                         {{"QUERN_CACHE", "on"}, {"QUERN_CACHE_DIR", folder.path()}},
                         std::chrono::seconds(30)};
    ChildResult first = runChild(request);
    ASSERT_EQ(first.exitCode, 0) << first;
    ASSERT_GT(damageAll(folder.path(), damage), 0u);
    ChildResult second = runChild(request);
    EXPECT_EQ(second.exitCode, 0) << second;
    EXPECT_EQ(second.errors, "");
    ChildResult third = runChild(request);
    EXPECT_EQ(third.exitCode, 0) << third;
  }
}

// An entry that was made for another program must not be taken because it lies under this one's
// name.
TEST(DamagedCache, exchangedEntriesAreFound) {
  TemporaryFolder folder;
  ChildRequest request{
      "buildWithCache", {}, {{"QUERN_CACHE", "on"}, {"QUERN_CACHE_DIR", folder.path()}}};
  ASSERT_EQ(runChild(request).exitCode, 0);
  std::string own;
  damageAll(folder.path(), [&](const auto& file) { own = file; });
  ASSERT_FALSE(own.empty());
  TemporaryFolder other;
  ChildRequest another{
      "buildOtherWithCache", {}, {{"QUERN_CACHE", "on"}, {"QUERN_CACHE_DIR", other.path()}}};
  ASSERT_EQ(runChild(another).exitCode, 0);
  damageAll(other.path(), [&](const auto& file) {
    std::filesystem::copy_file(file, own, std::filesystem::copy_options::overwrite_existing);
  });
  ChildResult result = runChild(request);
  EXPECT_EQ(result.exitCode, 0) << result;
}

QUERN_CHILD(buildOtherWithCache) {
  build("kernel void k(global int* out) { out[get_global_id(0)] = 99; }");
  return 0;
}

} // namespace
} // namespace quern::tests
