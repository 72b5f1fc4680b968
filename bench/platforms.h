// Which platforms a run measures.
#pragma once

#include "target.h"

#include <string>
#include <vector>

namespace quern::bench {

/// The Quern of the library file `driver`, which is called Quern whatever else is installed, and
/// after it the installed platforms whose name, or the suffix of whose functions, contains one of
/// `names`; letters may be large or small. All of them if `names` is empty; those without such a
/// device are then left out. Of each, the first device whose kind ("cpu", "gpu") or a part of whose
/// name is `device`, or the first of all if that is empty. A second platform of one name gets a
/// number. Throws std::runtime_error where a platform that was asked for is missing or has no such
/// device.
std::vector<Target> choosePlatforms(const std::string& driver,
                                    const std::vector<std::string>& names,
                                    const std::string& device = "");

/// A line for each device of the driver: its kind, a tab and its name.
std::string listDevices(const std::string& driver);

} // namespace quern::bench
