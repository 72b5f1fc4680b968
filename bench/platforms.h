// Which platforms a run measures.
#pragma once

#include "target.h"

#include <string>
#include <vector>

namespace quern::bench {

/// The Quern of the library file `driver`, which is called Quern whatever else is installed, and
/// after it the installed platforms whose name, or the suffix of whose functions, contains one of
/// `names`; letters may be large or small. All of them if `names` is empty; those without a device
/// are then left out. Of each, the first device. A second platform of one name gets a number.
/// Throws std::runtime_error where a platform that was asked for is missing or has no device.
std::vector<Target> choosePlatforms(const std::string& driver,
                                    const std::vector<std::string>& names);

} // namespace quern::bench
