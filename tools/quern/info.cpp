#include <cstdio>
#include <string>
#include <vector>

#include "commands.h"
#include "driver.h"
#include "runtime/cache_folder.h"

namespace quern::tool {

namespace {

/// A device that answers questions.
class Device {
public:
  Device(const Driver& driver, cl_device_id handle) : driver_(driver), handle_(handle) {}

  template <typename T> T get(cl_device_info name) const {
    T value = {};
    check(driver_.functions->clGetDeviceInfo(handle_, name, sizeof(T), &value, nullptr));
    return value;
  }
  std::string text(cl_device_info name) const {
    size_t size = 0;
    check(driver_.functions->clGetDeviceInfo(handle_, name, 0, nullptr, &size));
    std::string value(size, '\0');
    check(driver_.functions->clGetDeviceInfo(handle_, name, size, value.data(), nullptr));
    value.resize(size > 0 ? size - 1 : 0); // without the zero at its end
    return value;
  }

private:
  static void check(cl_int code) {
    if (code != CL_SUCCESS)
      throw Failure("a device query failed with error " + std::to_string(code));
  }
  const Driver& driver_;
  cl_device_id handle_;
};

std::vector<Device> devicesOf(const Driver& driver) {
  cl_uint count = 0;
  driver.functions->clGetDeviceIDs(driver.platform, CL_DEVICE_TYPE_ALL, 0, nullptr, &count);
  std::vector<cl_device_id> handles(count);
  driver.functions->clGetDeviceIDs(driver.platform, CL_DEVICE_TYPE_ALL, count, handles.data(),
                                   nullptr);
  std::vector<Device> devices;
  for (cl_device_id handle : handles)
    devices.emplace_back(driver, handle);
  return devices;
}

const char* typeName(cl_device_type type) {
  if (type & CL_DEVICE_TYPE_CPU)
    return "CPU";
  return type & CL_DEVICE_TYPE_GPU ? "GPU" : "other";
}

void row(const char* label, const std::string& value) {
  std::printf("  %-16s %s\n", label, value.c_str());
}

std::string number(double value, const char* unit) {
  char text[64];
  std::snprintf(text, sizeof(text), "%.*f %s", value < 10 ? 1 : 0, value, unit);
  return text;
}

std::string bytes(cl_ulong count) {
  const char* units[] = {"bytes", "KiB", "MiB", "GiB", "TiB"};
  double value = static_cast<double>(count);
  size_t unit = 0;
  for (; value >= 1024 && unit + 1 < std::size(units); ++unit)
    value /= 1024;
  return number(value, units[unit]);
}

void printDevice(size_t index, const Device& device) {
  std::printf("\nDevice %zu: %s\n", index, device.text(CL_DEVICE_NAME).c_str());
  row("type", typeName(device.get<cl_device_type>(CL_DEVICE_TYPE)));
  row("version", device.text(CL_DEVICE_VERSION) + ", " + device.text(CL_DEVICE_OPENCL_C_VERSION));
  row("compute units", std::to_string(device.get<cl_uint>(CL_DEVICE_MAX_COMPUTE_UNITS)) + " at " +
                           std::to_string(device.get<cl_uint>(CL_DEVICE_MAX_CLOCK_FREQUENCY)) +
                           " MHz");
  row("global memory", bytes(device.get<cl_ulong>(CL_DEVICE_GLOBAL_MEM_SIZE)) + ", at most " +
                           bytes(device.get<cl_ulong>(CL_DEVICE_MAX_MEM_ALLOC_SIZE)) +
                           " for one buffer");
  row("cache", bytes(device.get<cl_ulong>(CL_DEVICE_GLOBAL_MEM_CACHE_SIZE)) + " in lines of " +
                   std::to_string(device.get<cl_uint>(CL_DEVICE_GLOBAL_MEM_CACHELINE_SIZE)) +
                   " bytes");
  row("local memory", bytes(device.get<cl_ulong>(CL_DEVICE_LOCAL_MEM_SIZE)));
  row("work-group", "at most " + std::to_string(device.get<size_t>(CL_DEVICE_MAX_WORK_GROUP_SIZE)) +
                        " work-items");
  row("vector widths",
      "char " + std::to_string(device.get<cl_uint>(CL_DEVICE_NATIVE_VECTOR_WIDTH_CHAR)) + ", int " +
          std::to_string(device.get<cl_uint>(CL_DEVICE_NATIVE_VECTOR_WIDTH_INT)) + ", float " +
          std::to_string(device.get<cl_uint>(CL_DEVICE_NATIVE_VECTOR_WIDTH_FLOAT)) + ", double " +
          std::to_string(device.get<cl_uint>(CL_DEVICE_NATIVE_VECTOR_WIDTH_DOUBLE)));
  row("images", device.get<cl_bool>(CL_DEVICE_IMAGE_SUPPORT) ? "yes" : "no");
  row("extensions", device.text(CL_DEVICE_EXTENSIONS));
}

void printInfo() {
  const Driver& driver = openDriver();
  const std::string cache = runtime::configuredCacheFolder();
  std::printf("Quern %s\n", QUERN_VERSION);
  row("driver", driver.path);
  row("compiler", findFile("quern-compiler-process").value_or("none: programs cannot be compiled"));
  row("cache", cache.empty() ? "none" : cache);
  const std::vector<Device> devices = devicesOf(driver);
  for (size_t i = 0; i < devices.size(); ++i)
    printDevice(i, devices[i]);
  if (devices.empty())
    throw Failure("there is no device; QUERN_DEVICES names the backends that provide them");
}

} // namespace

void addInfo(CLI::App& app) {
  app.add_subcommand("info", "Print where the driver is and its devices at a glance.")
      ->callback(printInfo);
}

} // namespace quern::tool
