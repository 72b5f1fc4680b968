// The fuzzers start from inputs that are valid (tests/fuzz/corpus); a format that changes leaves
// them behind without anybody noticing. fuzz_make_seeds writes them anew.
#include <fstream>
#include <iterator>
#include <string>

#include <gtest/gtest.h>

#include "compiler/interface/messages.h"
#include "fuzz/seeds.h"
#include "runtime/program_binary.h"

namespace quern {
namespace {

Bytes readSeed(const std::string& name) {
  std::ifstream file(QUERN_FUZZ_CORPUS "/" + name, std::ios::binary);
  const std::string text((std::istreambuf_iterator<char>(file)), {});
  const auto bytes = std::as_bytes(std::span(text));
  return {bytes.begin(), bytes.end()};
}

TEST(FuzzSeeds, areWhatIsWrittenToday) {
  for (const fuzz::Seed& seed : fuzz::seeds())
    EXPECT_EQ(seed.bytes, readSeed(seed.file)) << seed.file << ": run fuzz_make_seeds";
}

TEST(FuzzSeeds, programImage) {
  auto image = abi::decodeProgramImage(readSeed("program_image/one_kernel"));
  ASSERT_TRUE(image.ok()) << image.status().sentence();
  EXPECT_EQ(1u, image->kernels.size());
}

TEST(FuzzSeeds, programBinaries) {
  // That of the fuzzer.
  const runtime::BinaryOrigin origin = {
      .compiler = "compiler", .target = "target", .language = "language"};
  for (const char* name : {"executable", "library", "of_another_target"}) {
    auto binary =
        runtime::decodeProgramBinary(readSeed(std::string("program_binary/") + name), origin);
    EXPECT_TRUE(binary.ok()) << name << ": " << binary.status().sentence();
  }
}

TEST(FuzzSeeds, messages) {
  EXPECT_TRUE(compiler::decodeRequest(readSeed("messages/request")).ok());
  EXPECT_TRUE(compiler::decodeAnswer(readSeed("messages/answer")).ok());
}

} // namespace
} // namespace quern
