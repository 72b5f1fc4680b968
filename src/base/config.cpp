#include "base/config.h"

#include <cstdlib>

#include "base/parse_number.h"

namespace quern {

namespace {

constexpr OptionRow rows[] = {
#define QUERN_OPTION(name, variable, type, defaultValue, text) {variable, type, defaultValue, text},
#include "base/config.def"
#undef QUERN_OPTION
};

} // namespace

std::span<const OptionRow> optionRows() {
  return rows;
}

Config::Config() {
  for (size_t i = 0; i < values_.size(); ++i) {
    // None for a program with other rights than who starts it, whose variables could name any file.
    const char* value = secure_getenv(std::string(rows[i].variable).c_str());
    values_[i] = value ? value : std::string(rows[i].defaultValue);
  }
}

uint64_t Config::number(Option option) const {
  uint64_t number = 0;
  if (!parseNumber(get(option), number))
    parseNumber(rows[static_cast<size_t>(option)].defaultValue, number);
  return number;
}

const Config& config() {
  // Never destroyed: worker threads and exit handlers may still ask while static destructors run.
  static const Config* instance = new Config();
  return *instance;
}

} // namespace quern
