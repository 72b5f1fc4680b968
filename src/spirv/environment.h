#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// What of SPIR-V can be read for a device, by the `features` of its compiler::Target: names of
/// extensions and features of OpenCL C.
namespace quern::spirv {

/// The numbers of the capabilities that modules may declare, in order.
std::vector<uint32_t> capabilitiesOf(std::span<const std::string> features);
/// The names of the extensions of SPIR-V, and of the sets of extended instructions, that modules
/// may use.
std::vector<std::string_view> extensionsOf(std::span<const std::string> features);
std::vector<std::string_view> extendedSets();

bool hasCapability(std::span<const std::string> features, uint32_t capability);
bool hasExtension(std::span<const std::string> features, std::string_view extension);
/// Sets that mean nothing can be read, whatever their name is.
bool hasExtendedSet(std::string_view set);
bool isNonSemantic(std::string_view set);

/// "Shader", or the number where the name is not known.
std::string capabilityName(uint32_t capability);

} // namespace quern::spirv
