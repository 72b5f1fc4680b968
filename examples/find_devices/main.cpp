// find_devices: lists every OpenCL platform and device of this machine, the first program to run on
// a new one.
//
// Shows: enumerating platforms and devices, and asking a device what it offers.
#include "gallery.h"

namespace {

std::string mebibytes(cl_ulong bytes) {
  return std::to_string(bytes >> 20) + " MiB";
}

std::string typeName(cl_device_type type) {
  if (type & CL_DEVICE_TYPE_CPU)
    return "CPU";
  if (type & CL_DEVICE_TYPE_GPU)
    return "GPU";
  return type & CL_DEVICE_TYPE_ACCELERATOR ? "accelerator" : "custom";
}

void print(size_t number, const cl::Device& device) {
  std::printf("  device %zu: %s\n", number, device.getInfo<CL_DEVICE_NAME>().c_str());
  std::printf("    vendor           %s\n", device.getInfo<CL_DEVICE_VENDOR>().c_str());
  std::printf("    type             %s\n", typeName(device.getInfo<CL_DEVICE_TYPE>()).c_str());
  std::printf("    version          %s\n", device.getInfo<CL_DEVICE_VERSION>().c_str());
  std::printf("    compute units    %u\n", device.getInfo<CL_DEVICE_MAX_COMPUTE_UNITS>());
  std::printf("    work-group size  at most %zu\n",
              device.getInfo<CL_DEVICE_MAX_WORK_GROUP_SIZE>());
  std::printf("    global memory    %s\n",
              mebibytes(device.getInfo<CL_DEVICE_GLOBAL_MEM_SIZE>()).c_str());
  std::printf("    local memory     %lu KiB\n",
              static_cast<unsigned long>(device.getInfo<CL_DEVICE_LOCAL_MEM_SIZE>() >> 10));
}

/// What the specification promises of every device of the full profile (custom devices aside).
gallery::Check meetsTheMinimum(const cl::Device& device) {
  if (device.getInfo<CL_DEVICE_TYPE>() & CL_DEVICE_TYPE_CUSTOM)
    return gallery::holds(true, "custom device: nothing promised");
  if (device.getInfo<CL_DEVICE_MAX_COMPUTE_UNITS>() < 1)
    return gallery::holds(false, "at least one compute unit");
  if (device.getInfo<CL_DEVICE_LOCAL_MEM_SIZE>() < 32 << 10)
    return gallery::holds(false, "at least 32 KiB of local memory");
  if (device.getInfo<CL_DEVICE_MAX_PARAMETER_SIZE>() < 1024)
    return gallery::holds(false, "at least 1,024 bytes of kernel arguments");
  if (device.getInfo<CL_DEVICE_MAX_MEM_ALLOC_SIZE>() < 32 << 20)
    return gallery::holds(false, "buffers of at least 32 MiB");
  const std::vector<size_t> sizes = device.getInfo<CL_DEVICE_MAX_WORK_ITEM_SIZES>();
  return gallery::holds(sizes.size() >= 3, "meets the specification's minimum");
}

} // namespace

int main(int argc, char** argv) try {
  const gallery::CommandLine line(argc, argv,
                                  "Lists every OpenCL platform and device of this machine.");

  std::vector<cl::Platform> platforms;
  cl::Platform::get(&platforms);
  for (size_t p = 0; p < platforms.size(); ++p) {
    std::printf("platform %zu: %s, %s, %s\n", p, platforms[p].getInfo<CL_PLATFORM_NAME>().c_str(),
                platforms[p].getInfo<CL_PLATFORM_VENDOR>().c_str(),
                platforms[p].getInfo<CL_PLATFORM_VERSION>().c_str());
    std::vector<cl::Device> devices;
    platforms[p].getDevices(CL_DEVICE_TYPE_ALL, &devices);
    for (size_t d = 0; d < devices.size(); ++d)
      print(d, devices[d]);
  }

  const cl::Device device = gallery::chooseDevice(line);
  gallery::Report report(line, "find_devices", device.getInfo<CL_DEVICE_NAME>());
  report.add("", std::to_string(platforms.size()) + " platforms", 0, "", meetsTheMinimum(device));
  return report.exitCode();
} catch (const std::exception& error) {
  return gallery::failure(error);
}
