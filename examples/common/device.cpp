// Choosing a platform and a device, and building a program from a .cl file.
#include "gallery.h"

#include <algorithm>
#include <climits>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <unistd.h>

namespace gallery {
namespace {

std::string optionOrEnvironment(const CommandLine& line, const char* option, const char* variable) {
  const std::string& given = line.text(option);
  const char* fromEnvironment = std::getenv(variable);
  return given.empty() && fromEnvironment ? fromEnvironment : given;
}

/// The index of the entry that `choice` names by number or by a part of its name; 0 for an empty
/// choice.
size_t indexOf(const std::string& choice, const std::vector<std::string>& names,
               const std::string& what) {
  if (choice.empty())
    return 0;
  if (choice.find_first_not_of("0123456789") == std::string::npos) {
    const size_t number = std::stoull(choice);
    if (number < names.size())
      return number;
    throw std::invalid_argument("there is no " + what + " number " + choice +
                                ": they are numbered 0 to " + std::to_string(names.size() - 1));
  }
  for (size_t i = 0; i < names.size(); ++i)
    if (names[i].find(choice) != std::string::npos)
      return i;
  throw std::invalid_argument("no " + what + " has '" + choice +
                              "' in its name; find_devices lists them");
}

std::string programFolder() {
  char path[PATH_MAX];
  const ssize_t length = readlink("/proc/self/exe", path, sizeof path);
  const std::string program(path, length > 0 ? static_cast<size_t>(length) : 0);
  return program.substr(0, program.rfind('/') + 1);
}

} // namespace

cl::Platform choosePlatform(const CommandLine& line) {
  std::vector<cl::Platform> platforms;
  cl::Platform::get(&platforms);
  if (platforms.empty())
    throw std::runtime_error("no OpenCL platform is installed");
  std::vector<std::string> names;
  for (const cl::Platform& platform : platforms)
    names.push_back(platform.getInfo<CL_PLATFORM_NAME>());
  return platforms[indexOf(optionOrEnvironment(line, "platform", "GALLERY_PLATFORM"), names,
                           "platform")];
}

std::vector<cl::Device> devicesOf(const cl::Platform& platform) {
  std::vector<cl::Device> devices;
  platform.getDevices(CL_DEVICE_TYPE_ALL, &devices);
  if (devices.empty())
    throw std::runtime_error("the platform '" + platform.getInfo<CL_PLATFORM_NAME>() +
                             "' has no device");
  return devices;
}

cl::Device chooseDevice(const CommandLine& line) {
  const std::vector<cl::Device> devices = devicesOf(choosePlatform(line));
  std::vector<std::string> names;
  for (const cl::Device& device : devices)
    names.push_back(device.getInfo<CL_DEVICE_NAME>());
  return devices[indexOf(optionOrEnvironment(line, "device", "GALLERY_DEVICE"), names, "device")];
}

std::string readSource(const std::string& fileName) {
  for (const std::string& folder : {programFolder(), std::string()}) {
    std::ifstream file(folder + fileName, std::ios::binary);
    if (file) {
      std::ostringstream text;
      text << file.rdbuf();
      return text.str();
    }
  }
  throw std::runtime_error(fileName + " lies neither beside the program nor in the current folder");
}

cl::Program buildProgram(const cl::Context& context, const cl::Device& device,
                         const std::string& fileName, const std::string& options) {
  cl::Program program(context, readSource(fileName));
  program.build({device}, options.c_str());
  return program;
}

size_t groupSize(const cl::Kernel& kernel, const cl::Device& device, size_t wanted) {
  const size_t limit = std::min(wanted, kernel.getWorkGroupInfo<CL_KERNEL_WORK_GROUP_SIZE>(device));
  size_t size = 1;
  while (size * 2 <= limit)
    size *= 2;
  return size;
}

} // namespace gallery
