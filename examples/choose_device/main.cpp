// choose_device: prints numbered lists, lets the user choose a platform and a device, and reports
// on that device.
//
// Shows: choosing by number, from the command line or at a prompt, and the queries that matter when
// tuning a kernel.
#include "gallery.h"

#include <iostream>
#include <unistd.h>

namespace {

/// Prints the names with their numbers and asks for one, unless there is nothing to choose or
/// nobody to ask.
size_t ask(const std::string& what, const std::vector<std::string>& names) {
  for (size_t i = 0; i < names.size(); ++i)
    std::printf("  %zu  %s\n", i, names[i].c_str());
  size_t number = 0;
  if (names.size() > 1 && isatty(STDIN_FILENO))
    do {
      std::printf("%s number? ", what.c_str());
      std::fflush(stdout);
      if (!(std::cin >> number))
        throw std::runtime_error("a number from 0 to " + std::to_string(names.size() - 1) +
                                 " was expected");
    } while (number >= names.size());
  return number;
}

cl::Device askForDevice() {
  std::vector<cl::Platform> platforms;
  cl::Platform::get(&platforms);
  std::vector<std::string> names;
  for (const cl::Platform& platform : platforms)
    names.push_back(platform.getInfo<CL_PLATFORM_NAME>());
  std::printf("Platforms:\n");
  const cl::Platform platform = platforms.at(ask("Platform", names));

  const std::vector<cl::Device> devices = gallery::devicesOf(platform);
  names.clear();
  for (const cl::Device& device : devices)
    names.push_back(device.getInfo<CL_DEVICE_NAME>());
  std::printf("Devices of %s:\n", platform.getInfo<CL_PLATFORM_NAME>().c_str());
  return devices.at(ask("Device", names));
}

void row(const char* name, const std::string& value) {
  std::printf("  %-28s %s\n", name, value.c_str());
}

std::string bytes(cl_ulong count) {
  if (count >= 1 << 20)
    return std::to_string(count >> 20) + " MiB";
  return count >= 1 << 10 ? std::to_string(count >> 10) + " KiB" : std::to_string(count) + " bytes";
}

void reportOn(const cl::Device& device) {
  std::string itemSizes;
  for (const size_t size : device.getInfo<CL_DEVICE_MAX_WORK_ITEM_SIZES>())
    itemSizes += (itemSizes.empty() ? "" : " x ") + std::to_string(size);
  const std::string builtIn = device.getInfo<CL_DEVICE_BUILT_IN_KERNELS>();

  row("Name", device.getInfo<CL_DEVICE_NAME>());
  row("Vendor", device.getInfo<CL_DEVICE_VENDOR>());
  row("OpenCL version", device.getInfo<CL_DEVICE_VERSION>());
  row("OpenCL C version", device.getInfo<CL_DEVICE_OPENCL_C_VERSION>());
  row("Driver version", device.getInfo<CL_DRIVER_VERSION>());
  row("Profile", device.getInfo<CL_DEVICE_PROFILE>());
  row("Compute units", std::to_string(device.getInfo<CL_DEVICE_MAX_COMPUTE_UNITS>()));
  row("Clock", std::to_string(device.getInfo<CL_DEVICE_MAX_CLOCK_FREQUENCY>()) + " MHz");
  row("Largest work-group", std::to_string(device.getInfo<CL_DEVICE_MAX_WORK_GROUP_SIZE>()));
  row("Largest in each dimension", itemSizes);
  row("Vector width for float",
      std::to_string(device.getInfo<CL_DEVICE_NATIVE_VECTOR_WIDTH_FLOAT>()));
  row("Local memory", bytes(device.getInfo<CL_DEVICE_LOCAL_MEM_SIZE>()));
  row("Global memory", bytes(device.getInfo<CL_DEVICE_GLOBAL_MEM_SIZE>()));
  row("Largest buffer", bytes(device.getInfo<CL_DEVICE_MAX_MEM_ALLOC_SIZE>()));
  row("Constant memory", bytes(device.getInfo<CL_DEVICE_MAX_CONSTANT_BUFFER_SIZE>()));
  row("Error correction", device.getInfo<CL_DEVICE_ERROR_CORRECTION_SUPPORT>() ? "yes" : "no");
  row("Cache", bytes(device.getInfo<CL_DEVICE_GLOBAL_MEM_CACHE_SIZE>()));
  row("Cache line", bytes(device.getInfo<CL_DEVICE_GLOBAL_MEM_CACHELINE_SIZE>()));
  row("Built-in kernels", builtIn.empty() ? "none" : builtIn);
  row("Extensions", device.getInfo<CL_DEVICE_EXTENSIONS>());
}

} // namespace

int main(int argc, char** argv) try {
  const gallery::CommandLine line(argc, argv,
                                  "Reports on the platform and device that you choose by number.");
  const bool chosen = line.tour() || !line.text("platform").empty() || !line.text("device").empty();
  const cl::Device device = chosen ? gallery::chooseDevice(line) : askForDevice();
  reportOn(device);

  // A device is chosen well when work can be sent to it: the number leads to the same device again,
  // and a context takes it.
  const cl::Context context(device);
  const std::vector<cl::Device> devices = context.getInfo<CL_CONTEXT_DEVICES>();
  gallery::Report report(line, "choose_device", device.getInfo<CL_DEVICE_NAME>());
  report.add("", "1 device", 0, "",
             gallery::holds(devices.size() == 1 && devices[0]() == device(),
                            "a context holds the chosen device"));
  return report.exitCode();
} catch (const std::exception& error) {
  return gallery::failure(error);
}
