#pragma once

#include <string>

namespace quern {

/// The folder of a file with its slash at the end; nothing where the path has none.
inline std::string folderOf(const std::string& path) {
  return path.substr(0, path.rfind('/') + 1); // npos + 1 leaves nothing
}

} // namespace quern
