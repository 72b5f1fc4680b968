#include "platforms.h"

#include <CL/cl_icd.h>

#include <algorithm>
#include <cctype>
#include <dlfcn.h>
#include <stdexcept>

namespace quern::bench {
namespace {

/// The platform of a driver that is opened without the loader's list. The loader's functions take
/// its handles like any other's, because each begins with its driver's functions (cl_khr_icd).
cl::Platform platformOf(const std::string& driver) {
  void* library = dlopen(driver.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!library)
    throw std::runtime_error("the driver '" + driver + "' cannot be loaded: " + dlerror());
  const auto getPlatforms =
      reinterpret_cast<clIcdGetPlatformIDsKHR_fn>(dlsym(library, "clIcdGetPlatformIDsKHR"));
  cl_platform_id platform = nullptr;
  if (!getPlatforms || getPlatforms(1, &platform, nullptr) != CL_SUCCESS)
    throw std::runtime_error("'" + driver + "' is not a driver of OpenCL");
  return cl::Platform(platform);
}

/// Ours first, then all that the loader lists.
std::vector<cl::Platform> platformsWith(const cl::Platform& ours) {
  std::vector<cl::Platform> all = {ours};
  cl_uint count = 0;
  if (clGetPlatformIDs(0, nullptr, &count) != CL_SUCCESS || count == 0)
    return all; // none is installed
  std::vector<cl_platform_id> installed(count);
  clGetPlatformIDs(count, installed.data(), nullptr);
  for (cl_platform_id platform : installed)
    if (platform != ours())
      all.push_back(cl::Platform(platform));
  return all;
}

std::string lowerCase(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char letter) { return std::tolower(letter); });
  return text;
}

/// In large or small letters.
bool contains(const std::string& text, const std::string& part) {
  return lowerCase(text).find(lowerCase(part)) != std::string::npos;
}

bool isCalled(const cl::Platform& platform, const std::string& name) {
  std::string suffix;
  platform.getInfo(CL_PLATFORM_ICD_SUFFIX_KHR, &suffix);
  return contains(platform.getInfo<CL_PLATFORM_NAME>(), name) ||
         lowerCase(suffix) == lowerCase(name);
}

std::vector<cl::Device> devicesOf(const cl::Platform& platform) {
  std::vector<cl::Device> devices;
  platform.getDevices(CL_DEVICE_TYPE_ALL, &devices); // finding none is no error there
  return devices;
}

std::string kindOf(const cl::Device& device) {
  const cl_device_type type = device.getInfo<CL_DEVICE_TYPE>();
  return type & CL_DEVICE_TYPE_CPU ? "CPU" : type & CL_DEVICE_TYPE_GPU ? "GPU" : "accelerator";
}

bool isCalled(const cl::Device& device, const std::string& name) {
  return lowerCase(kindOf(device)) == lowerCase(name) ||
         contains(device.getInfo<CL_DEVICE_NAME>(), name);
}

std::string namesOf(const std::vector<cl::Platform>& platforms) {
  std::string text;
  for (const cl::Platform& platform : platforms)
    text += (text.empty() ? "'" : ", '") + platform.getInfo<CL_PLATFORM_NAME>() + "'";
  return text;
}

/// A handle's first word is the table of its driver's functions.
std::string libraryOf(const cl::Platform& platform) {
  const auto* functions = *reinterpret_cast<const cl_icd_dispatch* const*>(platform());
  Dl_info info = {};
  return dladdr(reinterpret_cast<const void*>(functions->clGetPlatformInfo), &info) &&
                 info.dli_fname
             ? info.dli_fname
             : "";
}

std::string nameBeside(const std::vector<Target>& others, const std::string& name) {
  const auto isTaken = [&](const std::string& candidate) {
    return std::any_of(others.begin(), others.end(),
                       [&](const Target& other) { return other.name() == candidate; });
  };
  std::string candidate = name;
  for (int number = 2; isTaken(candidate); ++number)
    candidate = name + " " + std::to_string(number);
  return candidate;
}

void add(std::vector<Target>& chosen, const cl::Platform& platform, const std::string& wanted,
         bool isAskedFor) {
  const std::string platformName = platform.getInfo<CL_PLATFORM_NAME>();
  const std::vector<cl::Device> devices = devicesOf(platform);
  const auto device = std::find_if(devices.begin(), devices.end(), [&](const cl::Device& each) {
    return wanted.empty() || isCalled(each, wanted);
  });
  if (device == devices.end()) {
    if (isAskedFor)
      throw std::runtime_error("the platform '" + platformName + "' has no device " +
                               (wanted.empty() ? "to measure" : "that is called '" + wanted + "'"));
    return;
  }
  const std::string name = nameBeside(chosen, platformName);
  chosen.emplace_back(Description{name, platform.getInfo<CL_PLATFORM_VERSION>(),
                                  device->getInfo<CL_DRIVER_VERSION>(),
                                  device->getInfo<CL_DEVICE_NAME>(), kindOf(*device),
                                  libraryOf(platform)},
                      *device);
}

} // namespace

std::string listDevices(const std::string& driver) {
  std::string text;
  for (const cl::Device& device : devicesOf(platformOf(driver)))
    text += kindOf(device) + "\t" + device.getInfo<CL_DEVICE_NAME>() + "\n";
  return text;
}

std::vector<Target> choosePlatforms(const std::string& driver,
                                    const std::vector<std::string>& names,
                                    const std::string& device) {
  const std::vector<cl::Platform> all = platformsWith(platformOf(driver));
  for (const std::string& name : names)
    if (std::none_of(all.begin(), all.end(),
                     [&](const cl::Platform& platform) { return isCalled(platform, name); }))
      throw std::runtime_error("no platform is called '" + name + "'; there are: " + namesOf(all));
  std::vector<Target> chosen;
  add(chosen, all.front(), device, true);
  for (auto platform = all.begin() + 1; platform != all.end(); ++platform)
    if (names.empty() || std::any_of(names.begin(), names.end(), [&](const std::string& name) {
          return isCalled(*platform, name);
        }))
      add(chosen, *platform, device, !names.empty());
  return chosen;
}

} // namespace quern::bench
