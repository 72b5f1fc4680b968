#pragma once

#include <string>

namespace quern::runtime {

/// A text that changes whenever the content of the shared library or program at `path` does: its
/// GNU build identification, or size, time of change and inode where it has none. Reads a few pages
/// of the file. Empty when the file cannot be read.
std::string libraryIdentity(const std::string& path);

} // namespace quern::runtime
