#include "base/hash.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace quern {

// Declared with the alignment that XXH3 asks for, which plain `new` honours since C++17.
struct Hasher::State {
  XXH3_state_t xxh;
};

uint64_t contentHash(std::span<const std::byte> bytes) {
  return XXH3_64bits(bytes.data(), bytes.size());
}

std::string toHex(const Hash128& hash) {
  constexpr char digits[] = "0123456789abcdef";
  std::string text;
  for (uint64_t half : {hash.high, hash.low})
    for (int shift = 60; shift >= 0; shift -= 4)
      text += digits[(half >> shift) & 15];
  return text;
}

Hasher::Hasher() : state_(std::make_unique<State>()) {
  XXH3_128bits_reset(&state_->xxh);
}

Hasher::~Hasher() = default;

void Hasher::add(std::span<const std::byte> bytes) {
  add(uint64_t{bytes.size()});
  XXH3_128bits_update(&state_->xxh, bytes.data(), bytes.size());
}

void Hasher::add(uint64_t number) {
  XXH3_128bits_update(&state_->xxh, &number, sizeof(number));
}

Hash128 Hasher::finish() const {
  const XXH128_hash_t hash = XXH3_128bits_digest(&state_->xxh);
  return {hash.high64, hash.low64};
}

} // namespace quern
