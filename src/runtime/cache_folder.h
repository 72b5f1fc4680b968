#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/bytes.h"

namespace quern::runtime {

/// A folder of files that only its owner can write, shared by any number of processes at once:
/// files appear whole, by renaming, and the least recently used ones are deleted when there is too
/// much. Nothing here fails loudly: what cannot be read, written or trusted is as good as absent.
/// Thread-safe; keeps no state but the path.
class CacheFolder {
public:
  /// An empty `path` is a folder that holds nothing and takes nothing.
  explicit CacheFolder(std::string path) : path_(std::move(path)) {}

  const std::string& path() const { return path_; }

  /// The content of the file `name` and marks it as used now. Nothing where it does not exist, the
  /// folder or the file belongs to somebody else or others may write to them.
  std::optional<Bytes> read(const std::string& name) const;

  /// Creates or replaces the file `name`; makes the folder, readable by its owner only, where it
  /// does not exist. False when that is not possible.
  bool write(const std::string& name, std::span<const std::byte> content) const;

  /// Deletes the least recently used files until those left have at most `limitBytes` together.
  void trim(uint64_t limitBytes) const;

  struct Usage {
    uint64_t files = 0;
    uint64_t bytes = 0;
  };
  Usage usage() const;

  /// Deletes all files that `write` made and tells what they were.
  Usage clear() const;

private:
  struct File {
    std::string name;
    uint64_t bytes = 0;
    int64_t usedNs = 0;
  };
  int open() const;
  std::vector<File> list(int folder) const;

  std::string path_;
};

/// The folder that the options and the environment ask for: QUERN_CACHE_DIR, else quern in
/// $XDG_CACHE_HOME, else in $HOME/.cache; empty where none is set or QUERN_CACHE is off.
std::string configuredCacheFolder();

} // namespace quern::runtime
