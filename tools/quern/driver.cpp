#include "driver.h"

#include <filesystem>

#include <dlfcn.h>

#include <CL/cl_ext.h>

#include "commands.h"

namespace quern::tool {

namespace {

namespace fs = std::filesystem;

fs::path ownFolder() {
  return fs::read_symlink("/proc/self/exe").parent_path();
}

Driver loadDriver() {
  Driver driver = {.path = libraryFile("libquern.so")};
  void* library = dlopen(driver.path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!library)
    throw Failure(std::string("the driver cannot be loaded: ") + dlerror());
  const auto getPlatforms =
      reinterpret_cast<clIcdGetPlatformIDsKHR_fn>(dlsym(library, "clIcdGetPlatformIDsKHR"));
  if (!getPlatforms || getPlatforms(1, &driver.platform, nullptr) != CL_SUCCESS)
    throw Failure(driver.path + " is not a driver");
  // Every handle begins with a pointer to the functions of its driver (cl_khr_icd).
  driver.functions = *reinterpret_cast<const cl_icd_dispatch* const*>(driver.platform);
  return driver;
}

} // namespace

std::optional<std::string> findFile(const std::string& name) {
  for (const char* folder :
       {QUERN_BUILT_LIBRARY_FOLDER, QUERN_BUILT_ICD_FOLDER, QUERN_INSTALLED_LIBRARY_FOLDER}) {
    fs::path path = (ownFolder() / folder / name).lexically_normal();
    if (fs::exists(path))
      return path;
  }
  return std::nullopt;
}

std::string libraryFile(const std::string& name) {
  if (const std::optional<std::string> path = findFile(name))
    return *path;
  throw Failure(name + " is not where the tool expects it, in " +
                (ownFolder() / QUERN_INSTALLED_LIBRARY_FOLDER).lexically_normal().string());
}

const Driver& openDriver() {
  static const Driver driver = loadDriver();
  return driver;
}

} // namespace quern::tool
