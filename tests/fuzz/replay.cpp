// Runs a fuzz target on the files of the folders that are named, where there is no libFuzzer.
#include <cstdint>
#include <cstdio>
#include <filesystem>

#include "temporary_folder.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

/// For targets that mutate by themselves, which nobody asks for here.
extern "C" size_t LLVMFuzzerMutate(uint8_t*, size_t size, size_t) {
  return size;
}

int main(int count, char** folders) {
  size_t files = 0;
  for (int i = 1; i < count; ++i)
    for (const auto& entry : std::filesystem::directory_iterator(folders[i])) {
      const std::string bytes = quern::test::readFile(entry.path());
      LLVMFuzzerTestOneInput(reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size());
      ++files;
    }
  std::printf("%zu files\n", files);
  return files == 0 ? 1 : 0;
}
