#pragma once

#include <string>
#include <string_view>

namespace quern::test {

/// A new empty folder, deleted with all it holds.
class TemporaryFolder {
public:
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  const std::string& path() const { return path_; }
  std::string operator/(std::string_view name) const { return path_ + "/" + std::string(name); }

private:
  std::string path_;
};

void writeFile(const std::string& path, std::string_view content);
std::string readFile(const std::string& path);

} // namespace quern::test
