// Loading of relocatable objects, good and bad.
#include <cstring>
#include <elf.h>
#include <random>

#include "devices/cpu/elf_object.h"
#include "devices/cpu/object_loader.h"
#include "loaded_kernel.h"

namespace quern::test {
namespace {

using cpu::LoadedObject;

std::string errorOf(std::span<const std::byte> bytes) {
  const auto object = LoadedObject::load(bytes);
  if (object.ok())
    return "";
  EXPECT_EQ(object.status().code(), CL_INVALID_BINARY);
  return object.status().sentence();
}

TEST(LoaderTest, FindsFunctionsByName) {
  const auto object = LoadedObject::load(readObject("kernels.o"));
  ASSERT_TRUE(object.ok()) << object.status().sentence();
  EXPECT_NE(object.value().function("nothing"), nullptr);
  EXPECT_NE(object.value().function("relocated"), nullptr);
  EXPECT_EQ(object.value().function("missing"), nullptr);
  EXPECT_EQ(object.value().function("common"), nullptr) << "a variable is not a function";
}

class RelocationTest : public KernelTest, public testing::WithParamInterface<const char*> {};

TEST_P(RelocationTest, CodeOfEveryModelRuns) {
  const auto executable = load(describe("relocated", 12), GetParam());
  const auto out = allocate(5 * 8);
  ASSERT_EQ(run(device::LaunchKernel{
                executable, 0, {}, Arguments().add(out->address()).add(uint32_t(16)).bytes}),
            CL_COMPLETE);
  EXPECT_EQ(values<uint64_t>(out), (std::vector<uint64_t>{8, 2, 'b', 2 * 0x0101010101010101u, 1}));
}
INSTANTIATE_TEST_SUITE_P(Objects, RelocationTest,
                         testing::Values("kernels.o", "kernels-debug.o", "kernels-large.o"));

TEST(LoaderTest, ForeignSymbolsAreNamedInTheError) {
  EXPECT_NE(errorOf(readObject("undefined.o")).find("'system'"), std::string::npos);
}

TEST(LoaderTest, CodeForAFixedAddressIsRefused) {
  EXPECT_NE(errorOf(readObject("absolute.o")).find("position-independent"), std::string::npos);
}

TEST(LoaderTest, OtherFilesAreRefused) {
  EXPECT_NE(errorOf({}), "");
  const std::string text = "#!/bin/sh and then some more text, long enough for an ELF header......";
  EXPECT_NE(errorOf(std::as_bytes(std::span(text))), "");
  Bytes other = readObject("kernels.o");
  other[18] = std::byte(EM_AARCH64);
  EXPECT_NE(errorOf(other).find("x86-64"), std::string::npos);
}

TEST(LoaderTest, TruncatedObjectsAreRefused) {
  const Bytes whole = readObject("kernels.o");
  for (size_t size = 0; size < whole.size(); size += 97)
    EXPECT_NE(errorOf(std::span(whole).first(size)), "") << size;
}

TEST(LoaderTest, DamagedObjectsNeverLeadOutside) {
  // Whatever the bytes say, loading ends with an object or an error; the sanitizer builds see every
  // access.
  const Bytes whole = readObject("kernels.o");
  std::mt19937 random(1);
  for (int round = 0; round < 3000; ++round) {
    Bytes damaged = whole;
    for (int i = 0; i < 1 + round % 4; ++i)
      damaged[random() % damaged.size()] = std::byte(random());
    const auto object = LoadedObject::load(damaged);
    if (!object.ok()) {
      EXPECT_FALSE(object.status().sentence().empty());
    }
  }
}

TEST(LoaderTest, DamagedTablesNeverLeadOutside) {
  // As above, with all damage in the section headers, the symbols and the relocations.
  const Bytes whole = readObject("kernels.o");
  Elf64_Ehdr header;
  std::memcpy(&header, whole.data(), sizeof(header));
  std::vector<std::pair<size_t, size_t>> tables = {
      {header.e_shoff, header.e_shnum * sizeof(Elf64_Shdr)}};
  const auto object = cpu::ElfObject::parse(whole);
  ASSERT_TRUE(object.ok());
  for (const Elf64_Shdr& section : object.value().sections())
    if (section.sh_type == SHT_SYMTAB || section.sh_type == SHT_RELA)
      tables.emplace_back(section.sh_offset, section.sh_size);
  std::mt19937 random(2);
  const uint64_t interesting[] = {0, 1, 8, 0xffff, 0xffffffff, UINT64_MAX, uint64_t(1) << 63};
  for (int round = 0; round < 5000; ++round) {
    Bytes damaged = whole;
    const auto [offset, size] = tables[random() % tables.size()];
    const uint64_t value = interesting[random() % std::size(interesting)];
    const size_t width = size_t(1) << random() % 4;
    std::memcpy(damaged.data() + offset + random() % (size / 8) * 8, &value, width);
    (void)LoadedObject::load(damaged).ok();
  }
}

TEST_F(KernelTest, KernelsWithoutCodeAreRefused) {
  abi::ProgramImage image;
  image.code = readObject("kernels.o");
  image.kernels.push_back(describe("missing", 0));
  const auto executable = device->load(image);
  ASSERT_FALSE(executable.ok());
  EXPECT_EQ(executable.status().code(), CL_INVALID_BINARY);
  EXPECT_NE(executable.status().sentence().find("'missing'"), std::string::npos);
}

TEST_F(KernelTest, ArgumentsOutsideTheirBlockAreRefused) {
  abi::ProgramImage image;
  image.code = readObject("kernels.o");
  image.kernels.push_back(describe("nothing", 8));
  image.kernels[0].arguments = {{.kind = abi::ArgumentKind::Local, .offset = 4, .bytes = 8}};
  EXPECT_EQ(device->load(image).status().code(), CL_INVALID_BINARY);
}

} // namespace
} // namespace quern::test
