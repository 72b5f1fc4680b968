#pragma once

#include <array>
#include <concepts>
#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/bytes.h"

namespace quern {

/// `T` is `U` or `const U`: what a list of fields for both directions takes.
template <typename T, typename U>
concept MaybeConst = std::same_as<std::remove_const_t<T>, U>;

/// Writes values one after the other, in the machine's byte order. A structure has one list of its
/// fields for writing and reading, a function that argument-dependent lookup finds:
///
///   template <typename Archive, MaybeConst<Point> T> void fields(Archive& archive, T& point) {
///     archive(point.x, point.y);
///   }
class FieldWriter {
public:
  template <typename... Values> void operator()(const Values&... values) { (put(values), ...); }
  Bytes take() { return out_.take(); }
  size_t size() const { return out_.size(); }

private:
  template <typename T> void put(const T& value) {
    if constexpr (std::is_arithmetic_v<T> || std::is_enum_v<T>)
      out_.put(value);
    else
      fields(*this, value);
  }
  void put(const std::string& text) { out_.put(text); }
  void put(const Bytes& blob) { out_.put(std::span<const std::byte>(blob)); }
  template <typename T> void put(const std::vector<T>& values) {
    out_.put<uint64_t>(values.size());
    for (const T& value : values)
      put(value);
  }
  template <typename T, size_t N> void put(const std::array<T, N>& values) {
    for (const T& value : values)
      put(value);
  }
  template <typename A, typename B> void put(const std::pair<A, B>& pair) {
    put(pair.first);
    put(pair.second);
  }

  ByteWriter out_;
};

/// Reads back what FieldWriter wrote. Like ByteReader it never reads past the end, and takes no
/// more memory for a hostile count than the input has bytes for; enumerations have any value.
class FieldReader {
public:
  explicit FieldReader(std::span<const std::byte> bytes) : in_(bytes) {}

  template <typename... Values> void operator()(Values&... values) { (get(values), ...); }
  /// Everything was there, and nothing else.
  bool isComplete() const { return in_.ok() && in_.atEnd(); }
  /// Everything so far was there.
  bool ok() const { return in_.ok(); }
  bool atEnd() const { return in_.atEnd(); }
  /// What was read makes no sense: nothing more is read.
  void fail() { in_.fail(); }

private:
  template <typename T> void get(T& value) {
    if constexpr (std::is_same_v<T, bool>)
      value = in_.get<uint8_t>() != 0;
    else if constexpr (std::is_arithmetic_v<T> || std::is_enum_v<T>)
      value = in_.get<T>();
    else
      fields(*this, value);
  }
  void get(std::string& text) { text = in_.getString(); }
  void get(Bytes& blob) { blob = in_.getBlob(); }
  template <typename T> void get(std::vector<T>& values) {
    values.clear();
    const auto count = in_.get<uint64_t>();
    for (uint64_t i = 0; i < count && in_.ok(); ++i)
      get(values.emplace_back());
  }
  template <typename T, size_t N> void get(std::array<T, N>& values) {
    for (T& value : values)
      get(value);
  }
  template <typename A, typename B> void get(std::pair<A, B>& pair) {
    get(pair.first);
    get(pair.second);
  }

  ByteReader in_;
};

} // namespace quern
