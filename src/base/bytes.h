#pragma once

#include <cstddef>
#include <cstring>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace quern {

using Bytes = std::vector<std::byte>;

/// Appends plain values, strings and blobs to a byte vector, in the machine's byte order.
class ByteWriter {
public:
  template <typename T>
    requires std::is_trivially_copyable_v<T>
  void put(const T& value) {
    const auto* data = reinterpret_cast<const std::byte*>(&value);
    bytes_.insert(bytes_.end(), data, data + sizeof(T));
  }
  void put(std::span<const std::byte> blob) {
    put<uint64_t>(blob.size());
    bytes_.insert(bytes_.end(), blob.begin(), blob.end());
  }
  void put(const std::string& text) { put(std::as_bytes(std::span(text.data(), text.size()))); }
  Bytes take() { return std::exchange(bytes_, {}); }
  size_t size() const { return bytes_.size(); }

private:
  Bytes bytes_;
};

/// Reads back what ByteWriter wrote. Never reads past the end: after a short read `ok()` is false
/// and every value is zero or empty, so hostile input can be decoded first and judged once.
class ByteReader {
public:
  explicit ByteReader(std::span<const std::byte> bytes) : rest_(bytes) {}

  template <typename T>
    requires std::is_trivially_copyable_v<T>
  T get() {
    T value{};
    if (take(sizeof(T)))
      std::memcpy(&value, taken_, sizeof(T));
    return value;
  }
  Bytes getBlob() {
    const auto size = get<uint64_t>();
    return take(size) ? Bytes(taken_, taken_ + size) : Bytes();
  }
  std::string getString() {
    const auto size = get<uint64_t>();
    return take(size) ? std::string(reinterpret_cast<const char*>(taken_), size) : std::string();
  }
  bool ok() const { return ok_; }
  bool atEnd() const { return rest_.empty(); }
  size_t remaining() const { return rest_.size(); }
  void fail() { ok_ = false; }

private:
  bool take(uint64_t size) {
    ok_ = ok_ && size <= rest_.size();
    if (!ok_)
      return false;
    taken_ = rest_.data();
    rest_ = rest_.subspan(size);
    return true;
  }
  std::span<const std::byte> rest_;
  const std::byte* taken_ = nullptr;
  bool ok_ = true;
};

} // namespace quern
