#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace quern {

enum class Option {
#define QUERN_OPTION(name, variable, type, defaultValue, text) name,
#include "base/config.def"
#undef QUERN_OPTION
  Count
};

/// One row of the option table (base/config.def).
struct OptionRow {
  std::string_view variable;
  std::string_view type;
  std::string_view defaultValue;
  std::string_view text;
};

/// All rows, indexed by Option.
std::span<const OptionRow> optionRows();

/// The values of all options, taken from the environment once. Immutable afterwards, so safe from
/// any thread.
class Config {
public:
  Config();
  const std::string& get(Option option) const { return values_[static_cast<size_t>(option)]; }
  bool isOn(Option option) const { return get(option) == "on" || get(option) == "1"; }
  /// The value as a number, or the option's default where it is not a number.
  uint64_t number(Option option) const;

private:
  std::array<std::string, static_cast<size_t>(Option::Count)> values_;
};

const Config& config();

} // namespace quern
