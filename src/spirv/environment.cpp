#include "spirv/environment.h"

#include <algorithm>
#include <iterator>

namespace quern::spirv {

namespace {

struct Capability {
  std::string_view name;
  uint32_t number;
  bool isRead;
  std::string_view needs;
};

constexpr Capability capabilities[] = {
#define SPIRV_CAPABILITY(name, number, needs) {#name, number, true, needs},
#define SPIRV_OTHER_CAPABILITY(name, number) {#name, number, false, ""},
#include "spirv/environment.def"
};

struct Extension {
  std::string_view name;
  std::string_view needs;
};

constexpr Extension extensions[] = {
#define SPIRV_EXTENSION(name, needs) {name, needs},
#include "spirv/environment.def"
};

constexpr std::string_view sets[] = {
#define SPIRV_EXTENDED_SET(name) name,
#include "spirv/environment.def"
};

bool offers(std::span<const std::string> features, std::string_view needed) {
  return needed.empty() || std::ranges::find(features, needed) != features.end();
}

} // namespace

std::vector<uint32_t> capabilitiesOf(std::span<const std::string> features) {
  std::vector<uint32_t> numbers;
  for (const Capability& capability : capabilities)
    if (capability.isRead && offers(features, capability.needs))
      numbers.push_back(capability.number);
  return numbers;
}

std::vector<std::string_view> extensionsOf(std::span<const std::string> features) {
  std::vector<std::string_view> names;
  for (const Extension& extension : extensions)
    if (offers(features, extension.needs))
      names.push_back(extension.name);
  return names;
}

std::vector<std::string_view> extendedSets() {
  return {std::begin(sets), std::end(sets)};
}

bool hasCapability(std::span<const std::string> features, uint32_t number) {
  const auto* found = std::ranges::find(capabilities, number, &Capability::number);
  return found != std::end(capabilities) && found->isRead && offers(features, found->needs);
}

bool hasExtension(std::span<const std::string> features, std::string_view name) {
  const auto* found = std::ranges::find(extensions, name, &Extension::name);
  return found != std::end(extensions) && offers(features, found->needs);
}

bool hasExtendedSet(std::string_view name) {
  return isNonSemantic(name) || std::ranges::find(sets, name) != std::end(sets);
}

bool isNonSemantic(std::string_view name) {
  return name.starts_with("NonSemantic.");
}

std::string capabilityName(uint32_t number) {
  const auto* found = std::ranges::find(capabilities, number, &Capability::number);
  return found != std::end(capabilities) ? std::string(found->name) : std::to_string(number);
}

} // namespace quern::spirv
