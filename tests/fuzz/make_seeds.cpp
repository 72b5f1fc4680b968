// make_seeds FOLDER: writes what fuzzers start from into the folder of the corpora,
// tests/fuzz/corpus. To be run when a format has changed, which tests/unit/fuzz_seeds_test.cpp
// notices.
#include <cstdio>
#include <filesystem>
#include <fstream>

#include "fuzz/seeds.h"

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fputs("usage: make_seeds FOLDER\n", stderr);
    return 2;
  }
  for (const quern::fuzz::Seed& seed : quern::fuzz::seeds()) {
    const std::filesystem::path file = std::filesystem::path(argv[1]) / seed.file;
    std::ofstream out(file, std::ios::binary);
    out.write(reinterpret_cast<const char*>(seed.bytes.data()),
              static_cast<std::streamsize>(seed.bytes.size()));
    out.close();
    if (!out) {
      std::fprintf(stderr, "make_seeds: %s cannot be written\n", file.c_str());
      return 1;
    }
  }
  return 0;
}
