#pragma once

#include <charconv>
#include <concepts>
#include <string_view>
#include <system_error>

namespace quern {

/// Puts into `number` what the whole of `text` is: decimal digits, behind a minus sign where the
/// type has one. False where it is anything else or does not fit.
template <std::integral Number> bool parseNumber(std::string_view text, Number& number) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size();
}

} // namespace quern
