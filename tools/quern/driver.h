#pragma once

#include <optional>
#include <string>

#include <CL/cl_icd.h>

namespace quern::tool {

/// The full path of a file of Quern's library folder, as the tool was built or installed.
std::optional<std::string> findFile(const std::string& name);

/// The same of a file that the tool cannot do without: throws where there is none.
std::string libraryFile(const std::string& name);

/// The driver beside the tool, used without the system's loader, so that it answers whatever else
/// is installed.
struct Driver {
  std::string path;
  cl_platform_id platform = nullptr;
  const cl_icd_dispatch* functions = nullptr;
};

/// Opens the driver once. Throws when that is not possible.
const Driver& openDriver();

} // namespace quern::tool
