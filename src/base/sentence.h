#pragma once

#include <charconv>
#include <concepts>
#include <string>
#include <string_view>

namespace quern {

/// Joins text and whole numbers into one string: sentence("buffer size ", size, " is above the
/// limit of ", limit).
template <typename... Parts> std::string sentence(const Parts&... parts) {
  std::string text;
  const auto append = [&text](const auto& part) {
    using Part = std::remove_cvref_t<decltype(part)>;
    if constexpr (std::integral<Part>) {
      char digits[24];
      const auto end = std::to_chars(digits, digits + sizeof(digits), part).ptr;
      text.append(digits, end);
    } else {
      text += std::string_view(part);
    }
  };
  (append(parts), ...);
  return text;
}

} // namespace quern
