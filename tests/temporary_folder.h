#pragma once

#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <stdlib.h>
#include <string>
#include <string_view>

namespace quern::test {

/// A new empty folder that disappears, with what is in it, with the object.
class TemporaryFolder {
public:
  // mkdtemp replaces the six letters at the end.
  TemporaryFolder()
      : path_(std::filesystem::temp_directory_path() / ("quern-test-" + std::string(6, 'X'))) {
    if (!mkdtemp(path_.data()))
      throw std::runtime_error("cannot make the folder " + path_);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  ~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }

  const std::string& path() const { return path_; }
  /// The path of what is called `name` in the folder.
  std::string operator/(std::string_view name) const { return path_ + "/" + std::string(name); }

private:
  std::string path_;
};

/// Writes a file, with the folders on the way to it.
inline void writeFile(const std::string& path, std::string_view content) {
  std::filesystem::create_directories(std::filesystem::path(path).parent_path());
  std::ofstream(path, std::ios::binary) << content;
}

inline std::string readFile(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return std::string(std::istreambuf_iterator<char>(file), {});
}

} // namespace quern::test

namespace quern::tests {

using test::readFile;
using test::TemporaryFolder;
using test::writeFile;

} // namespace quern::tests
