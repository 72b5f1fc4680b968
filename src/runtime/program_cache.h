#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>

#include "base/bytes.h"
#include "base/hash.h"
#include "runtime/cache_folder.h"
#include "runtime/include_record.h"

namespace quern::runtime {

/// Results of the compiler on disk, found by a hash of everything they were made from. Whatever
/// goes wrong is a miss. Thread-safe, and safe with other processes that use the same folder.
class ProgramCache {
public:
  struct Entry {
    IncludeRecord includes;
    std::string log;
    Bytes binary; ///< runtime/program_binary.h
  };

  ProgramCache(std::string folder, uint64_t limitBytes)
      : folder_(std::move(folder)), limitBytes_(limitBytes) {}

  /// The cache that the options ask for.
  static ProgramCache& configured();

  /// What was stored under `key`, if it is whole and the files it was made from are still the same.
  std::optional<Entry> find(const Hash128& key) const;

  void store(const Hash128& key, const Entry& entry);

private:
  const CacheFolder folder_;
  const uint64_t limitBytes_;
  /// Bytes stored since the folder was trimmed last; starts so high that the first store trims.
  std::atomic<uint64_t> untrimmedBytes_{UINT64_MAX / 2};
};

} // namespace quern::runtime
