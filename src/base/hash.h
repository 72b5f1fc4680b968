#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

/// Content hashes (XXH3): fast, well distributed, the same on every machine; not for secrets.
namespace quern {

struct Hash128 {
  uint64_t high = 0;
  uint64_t low = 0;
  bool operator==(const Hash128&) const = default;
};

/// The hash of file contents in compiler::Dependency and the checksum of program binaries.
uint64_t contentHash(std::span<const std::byte> bytes);
inline uint64_t contentHash(std::string_view text) {
  return contentHash(std::as_bytes(std::span(text.data(), text.size())));
}

/// 32 lower-case hexadecimal digits.
std::string toHex(const Hash128& hash);

/// Hashes a sequence of fields. Each field is hashed with its length, so ("ab", "c") and ("a",
/// "bc") differ.
class Hasher {
public:
  Hasher();
  ~Hasher();
  Hasher(const Hasher&) = delete;
  Hasher& operator=(const Hasher&) = delete;

  void add(std::span<const std::byte> bytes);
  void add(std::string_view text) { add(std::as_bytes(std::span(text.data(), text.size()))); }
  void add(uint64_t number);
  Hash128 finish() const;

private:
  struct State;
  std::unique_ptr<State> state_;
};

} // namespace quern
