#include "target.h"

#include "kernel_sources.h"

#include <algorithm>

namespace quern::bench {

Target::Target(const cl::Platform& platform, const cl::Device& device)
    : platformName_(platform.getInfo<CL_PLATFORM_NAME>()),
      platformVersion_(platform.getInfo<CL_PLATFORM_VERSION>()),
      deviceName_(device.getInfo<CL_DEVICE_NAME>()), device_(device), context_(device),
      queue_(context_, device) {}

cl::Program Target::program(const std::string& fileName, const std::string& options) {
  const std::string key = fileName + '\n' + options;
  if (const auto found = programs_.find(key); found != programs_.end())
    return found->second;
  cl::Program program(context_, kernelSource(fileName));
  program.build({device_}, options.c_str());
  programs_[key] = program;
  return program;
}

std::vector<Target> findTargets(const std::vector<std::string>& names) {
  std::vector<cl::Platform> platforms;
  cl::Platform::get(&platforms);
  std::vector<Target> targets;
  for (const cl::Platform& platform : platforms) {
    const std::string platformName = platform.getInfo<CL_PLATFORM_NAME>();
    const bool wanted =
        names.empty() || std::any_of(names.begin(), names.end(), [&](const std::string& name) {
          return platformName.find(name) != std::string::npos;
        });
    std::vector<cl::Device> devices;
    if (wanted)
      platform.getDevices(CL_DEVICE_TYPE_ALL, &devices);
    if (!devices.empty())
      targets.emplace_back(platform, devices.front());
  }
  return targets;
}

std::string explain(const std::exception& error) {
  std::string text = error.what();
  if (const auto* call = dynamic_cast<const cl::Error*>(&error))
    text += " failed with the code " + std::to_string(call->err());
  if (const auto* build = dynamic_cast<const cl::BuildError*>(&error);
      build && !build->getBuildLog().empty())
    text += ": " + build->getBuildLog().front().second.substr(0, 400);
  return text;
}

} // namespace quern::bench
