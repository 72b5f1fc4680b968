#include "runtime/program_cache.h"

#include <array>
#include <cstring>

#include "base/config.h"

namespace quern::runtime {

namespace {

/// Raised with every change of what an entry holds or of what its key is made from.
constexpr uint64_t entryVersion = 1;
constexpr std::array<char, 8> entryMagic = {'Q', 'U', 'E', 'R', 'N', 'C', 'H', 'E'};

struct EntryHeader {
  std::array<char, 8> magic;
  uint64_t formatVersion;
  Hash128 key;
  uint64_t payloadBytes;
  uint64_t payloadChecksum;
};

constexpr uint64_t bytesPerMiB = uint64_t{1} << 20;

/// A folder is listed again after a sixteenth of what it may hold was added.
constexpr uint64_t trimFraction = 16;

} // namespace

ProgramCache& ProgramCache::configured() {
  // Never destroyed: builds may end while static destructors run.
  static ProgramCache* instance =
      new ProgramCache(configuredCacheFolder(), config().number(Option::CacheSize) * bytesPerMiB);
  return *instance;
}

std::optional<ProgramCache::Entry> ProgramCache::find(const Hash128& key) const {
  const std::optional<Bytes> file = folder_.read(toHex(key));
  EntryHeader header;
  if (!file || file->size() < sizeof(header))
    return std::nullopt;
  std::memcpy(&header, file->data(), sizeof(header));
  const auto payload = std::span<const std::byte>(*file).subspan(sizeof(header));
  if (header.magic != entryMagic || header.formatVersion != entryVersion || !(header.key == key) ||
      header.payloadBytes != payload.size() || header.payloadChecksum != contentHash(payload))
    return std::nullopt;
  ByteReader in(payload);
  Entry entry;
  entry.includes = getIncludeRecord(in);
  entry.log = in.getString();
  entry.binary = in.getBlob();
  if (!in.ok() || !in.atEnd() || !entry.includes.isCurrent())
    return std::nullopt;
  return entry;
}

void ProgramCache::store(const Hash128& key, const Entry& entry) {
  ByteWriter out;
  put(out, entry.includes);
  out.put(entry.log);
  out.put(std::span<const std::byte>(entry.binary));
  const Bytes payload = out.take();

  const EntryHeader header = {entryMagic, entryVersion, key, payload.size(), contentHash(payload)};
  Bytes file(sizeof(header));
  std::memcpy(file.data(), &header, sizeof(header));
  file.insert(file.end(), payload.begin(), payload.end());
  if (file.size() > limitBytes_ || !folder_.write(toHex(key), file))
    return;
  if (untrimmedBytes_.fetch_add(file.size()) + file.size() > limitBytes_ / trimFraction) {
    untrimmedBytes_ = 0;
    folder_.trim(limitBytes_);
  }
}

} // namespace quern::runtime
