#include "claims/claims.h"

#include <cstdlib>
#include <fstream>
#include <sstream>
#include <stdexcept>

namespace quern::tests {

static constexpr std::string_view optional = "may ";

bool Claims::Value::admits(const Value& found) const {
  return isLeast ? std::stoull(found.text) >= std::stoull(text) : found.text == text;
}

bool Claims::demands(std::string_view name) const {
  const auto claim = claims_.find(name);
  return claim != claims_.end() && !claim->second.isOptional;
}

void Claims::add(const std::string& name, Value value) {
  if (!claims_.emplace(name, std::move(value)).second)
    throw std::runtime_error("the claim " + name + " is made twice");
}

Claims Claims::listedFor(cl_device_id device) {
  const char* folder = std::getenv("QUERN_CLAIMS_FOLDER");
  return inFile(std::string(folder ? folder : QUERN_CLAIMS_FOLDER) + "/" + listName(device));
}

Claims Claims::inFile(const std::string& path) {
  std::ifstream file(path);
  if (!file)
    throw std::runtime_error("cannot read " + path);
  Claims list;
  for (std::string line; std::getline(file, line);) {
    if (line.empty() || line.front() == '#')
      continue;
    const bool isOptional = line.starts_with(optional);
    if (isOptional)
      line.erase(0, optional.size());
    if (const size_t least = line.find(" >= "); least != line.npos)
      list.add(line.substr(0, least), {line.substr(least + 4), true, isOptional});
    else if (const size_t equal = line.find(" = "); equal != line.npos)
      list.add(line.substr(0, equal), {line.substr(equal + 3), false, isOptional});
    else
      list.add(line, {"", false, isOptional});
  }
  return list;
}

std::string Claims::text() const {
  std::ostringstream text;
  for (const auto& [name, value] : claims_)
    text << name << (value.text.empty() ? "" : " = ") << value.text << '\n';
  return text.str();
}

std::vector<std::string> Claims::differences(const Claims& claims) const {
  std::vector<std::string> found;
  for (const auto& [name, value] : claims_) {
    const auto claim = claims.claims_.find(name);
    if (claim == claims.claims_.end()) {
      if (!value.isOptional)
        found.push_back("the device does not claim " + name + ", which the list says it must");
    } else if (!value.admits(claim->second))
      found.push_back("the device claims " + name + " = " + claim->second.text +
                      "; the list says " + (value.isLeast ? "at least " : "") + value.text);
  }
  for (const auto& [name, value] : claims.claims_)
    if (!claims_.contains(name))
      found.push_back("the device claims " + name + (value.text.empty() ? "" : " = " + value.text) +
                      ", which is not in the list");
  return found;
}

} // namespace quern::tests
