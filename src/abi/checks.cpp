#include "abi/checks.h"

#include <algorithm>

#include "base/parse_number.h"
#include "base/sentence.h"

namespace quern::abi {

namespace {

/// Takes what comes before the next `separator` off the front of `text`.
std::string_view takeWord(std::string_view& text, char separator) {
  const size_t end = std::min(text.find(separator), text.size());
  const std::string_view word = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return word;
}

constexpr char fieldEnd = '\x1f';

} // namespace

std::optional<CheckSet> parseChecks(std::string_view text, char separator) {
  CheckSet checks;
  if (text == "off")
    return checks;
  while (!text.empty()) {
    const std::string_view word = takeWord(text, separator);
    const auto found = std::ranges::find(checkNames, word);
    if (found == checkNames.end() && word != "all")
      return std::nullopt;
    for (size_t i = 0; i < checkNames.size(); ++i)
      if (word == "all" || checkNames[i] == word)
        checks.add(static_cast<Check>(i));
  }
  return checks;
}

std::string textOf(CheckSet checks, char separator) {
  std::string text;
  for (size_t i = 0; i < checkNames.size(); ++i)
    if (checks.has(static_cast<Check>(i))) {
      if (!text.empty())
        text += separator;
      text += checkNames[i];
    }
  return text;
}

std::string encode(const CheckSite& site) {
  const auto number = [](auto value) { return static_cast<uint64_t>(value); };
  const std::string_view end(&fieldEnd, 1);
  return sentence(number(site.fault), end, number(site.line), end, number(site.column), end,
                  number(site.object), end, number(site.argument), end, site.bytes, end, site.file,
                  end, site.name);
}

std::optional<CheckSite> decodeCheckSite(std::string_view text) {
  std::array<uint64_t, 6> numbers = {};
  for (uint64_t& number : numbers)
    if (!parseNumber(takeWord(text, fieldEnd), number))
      return std::nullopt;
  CheckSite site;
  site.fault = static_cast<Fault>(numbers[0]);
  site.line = static_cast<uint32_t>(numbers[1]);
  site.column = static_cast<uint32_t>(numbers[2]);
  site.object = static_cast<ObjectKind>(numbers[3]);
  site.argument = static_cast<uint32_t>(numbers[4]);
  site.bytes = numbers[5];
  site.file = takeWord(text, fieldEnd);
  site.name = text;
  return site;
}

} // namespace quern::abi
