// The options of a gallery program: plain "--name value" pairs, checked against a table.
#include "gallery.h"

#include <algorithm>
#include <cstdlib>
#include <stdexcept>

namespace gallery {
namespace {

const std::vector<Option> commonOptions = {
    {"platform", "", "number of the platform, or a part of its name (see find_devices)"},
    {"device", "", "number of the device, or a part of its name"},
    {"repeat", "5", "runs of which the median time is reported", "3"},
};

void printHelp(const std::string& program, const std::string& purpose,
               const std::vector<Option>& options) {
  std::printf("%s\n\nUsage: %s [options]\n", purpose.c_str(), program.c_str());
  for (const Option& option : options) {
    const std::string standard = option.value.empty() ? "" : " [" + option.value + "]";
    std::printf("  --%-12s %s%s\n", option.name.c_str(), option.help.c_str(), standard.c_str());
  }
  std::printf("  --%-12s %s\n  --%-12s %s\n", "tour",
              "small sizes, and results as rows for the tour", "help", "print this and end");
}

size_t parseNumber(const std::string& option, const std::string& text) {
  size_t used = 0;
  size_t value = 0;
  const bool digits = !text.empty() && text[0] >= '0' && text[0] <= '9';
  if (digits)
    value = std::stoull(text, &used);
  const std::string suffix = text.substr(used);
  if (digits && suffix.empty())
    return value;
  if (digits && suffix == "Ki")
    return value << 10;
  if (digits && suffix == "Mi")
    return value << 20;
  throw std::invalid_argument("--" + option + " takes a number such as 1000, 64Ki or 16Mi, not '" +
                              text + "'");
}

} // namespace

CommandLine::CommandLine(int argc, char** argv, const std::string& purpose,
                         const std::vector<Option>& options) {
  std::vector<Option> all = options;
  all.insert(all.end(), commonOptions.begin(), commonOptions.end());

  std::map<std::string, std::string> given;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if (word == "--help") {
      printHelp(argv[0], purpose, all);
      std::exit(0);
    }
    if (word == "--tour") {
      tour_ = true;
      continue;
    }
    if (word.rfind("--", 0) != 0)
      throw std::invalid_argument("'" + word + "' is not an option; --help lists them");
    if (i + 1 == argc)
      throw std::invalid_argument("a value must follow " + word);
    given[word.substr(2)] = argv[++i];
  }

  for (const Option& option : all) {
    values_[option.name] = tour_ && !option.tourValue.empty() ? option.tourValue : option.value;
    if (const auto found = given.find(option.name); found != given.end()) {
      values_[option.name] = found->second;
      given.erase(found);
    }
  }
  if (!given.empty())
    throw std::invalid_argument("there is no option --" + given.begin()->first +
                                "; --help lists them");
}

const std::string& CommandLine::text(const std::string& name) const {
  return values_.at(name);
}

size_t CommandLine::number(const std::string& name) const {
  return parseNumber(name, text(name));
}

std::vector<size_t> CommandLine::numbers(const std::string& name) const {
  std::vector<size_t> result;
  const std::string& list = text(name);
  for (size_t begin = 0; begin <= list.size();) {
    const size_t end = std::min(list.find(',', begin), list.size());
    result.push_back(parseNumber(name, list.substr(begin, end - begin)));
    begin = end + 1;
  }
  return result;
}

} // namespace gallery
