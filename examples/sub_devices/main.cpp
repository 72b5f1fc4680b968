// sub_devices: one reduction, split over several devices of one context.
//
// Shows: dividing a device with clCreateSubDevices equally, by counts and by affinity domain; one
// queue per device, sub-buffers that give each device its part of the input, and waiting for all of
// them. The devices may as well be different ones: the last variant takes all devices of the
// platform.
#include "gallery.h"

#include <algorithm>
#include <numeric>

namespace {

constexpr size_t groups = 16;

/// Sums `values` with all devices at once: each gets a share of the elements.
cl_long sumOn(const std::vector<cl::Device>& devices, const std::vector<cl_int>& values,
              size_t repeat, double& seconds) {
  const cl::Context context(devices);
  cl::Program program(context, gallery::readSource("partial_sum.cl"));
  program.build(devices);

  // A sub-buffer must start at a multiple of the alignment (given in bits) that every device asks
  // for.
  size_t alignment = sizeof(cl_int);
  size_t localSize = 64;
  for (const cl::Device& device : devices) {
    alignment = std::max<size_t>(alignment, device.getInfo<CL_DEVICE_MEM_BASE_ADDR_ALIGN>() / 8);
    localSize = gallery::groupSize(cl::Kernel(program, "partial_sum"), device, localSize);
  }
  const size_t bytes = values.size() * sizeof(cl_int);
  const size_t share = gallery::roundUp(bytes / devices.size() + 1, alignment);

  cl::Buffer input(context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, bytes,
                   const_cast<cl_int*>(values.data()));
  struct Part {
    cl::CommandQueue queue;
    cl::Kernel kernel;
    cl::Buffer slice; // a kernel does not keep its arguments alive
    cl::Buffer partial;
    std::vector<cl_long> sums = std::vector<cl_long>(groups);
  };
  std::vector<Part> parts;
  for (size_t d = 0; d < devices.size(); ++d) {
    const cl_buffer_region region{d * share, std::min(share, bytes - std::min(bytes, d * share))};
    if (region.size == 0)
      break;
    Part& part = parts.emplace_back();
    part.slice = input.createSubBuffer(CL_MEM_READ_ONLY, CL_BUFFER_CREATE_TYPE_REGION, &region);
    part.queue = cl::CommandQueue(context, devices[d]);
    part.partial = cl::Buffer(context, CL_MEM_WRITE_ONLY, groups * sizeof(cl_long));
    part.kernel = cl::Kernel(program, "partial_sum");
    part.kernel.setArg(0, part.slice);
    part.kernel.setArg(1, static_cast<cl_uint>(region.size / sizeof(cl_int)));
    part.kernel.setArg(2, part.partial);
    part.kernel.setArg(3, cl::Local(localSize * sizeof(cl_long)));
  }

  seconds = gallery::medianSeconds(repeat, [&] {
    for (Part& part : parts) {
      part.queue.enqueueNDRangeKernel(part.kernel, cl::NullRange, cl::NDRange(groups * localSize),
                                      cl::NDRange(localSize));
      part.queue.enqueueReadBuffer(part.partial, CL_FALSE, 0, groups * sizeof(cl_long),
                                   part.sums.data());
      part.queue.flush(); // start this device before giving work to the next one
    }
    for (Part& part : parts)
      part.queue.finish();
  });
  cl_long total = 0;
  for (const Part& part : parts)
    total = std::accumulate(part.sums.begin(), part.sums.end(), total);
  return total;
}

bool canPartition(const cl::Device& device, cl_device_partition_property how) {
  const std::vector<cl_device_partition_property> ways =
      device.getInfo<CL_DEVICE_PARTITION_PROPERTIES>();
  return std::find(ways.begin(), ways.end(), how) != ways.end();
}

std::vector<cl::Device> divide(cl::Device device,
                               const std::vector<cl_device_partition_property>& properties) {
  std::vector<cl::Device> parts;
  device.createSubDevices(properties.data(), &parts);
  return parts;
}

} // namespace

int main(int argc, char** argv) try {
  const gallery::CommandLine line(argc, argv,
                                  "A reduction split over several devices of one context.",
                                  {{"size", "16Mi", "ints to add up", "4Mi"}});
  const cl::Device device = gallery::chooseDevice(line);
  const size_t size = line.number("size");
  const std::vector<cl_int> values = gallery::randomInts(size, 1 << 30, 1);
  const cl_long expected = std::accumulate(values.begin(), values.end(), cl_long{0});
  gallery::Report report(line, "sub_devices", device.getInfo<CL_DEVICE_NAME>());

  const auto measure = [&](const std::string& variant, const std::vector<cl::Device>& devices) {
    double seconds = 0;
    const cl_long total = sumOn(devices, values, line.number("repeat"), seconds);
    report.add(variant + ", " + std::to_string(devices.size()) + " devices", std::to_string(size),
               seconds, gallery::rate(size * sizeof(cl_int) / seconds, "B/s"),
               gallery::equal(std::vector<cl_long>{total}, {expected}));
  };

  measure("undivided", {device});

  const cl_uint units = device.getInfo<CL_DEVICE_MAX_COMPUTE_UNITS>();
  if (units < 2 || !canPartition(device, CL_DEVICE_PARTITION_EQUALLY))
    report.skip("equally", "the device cannot be divided equally");
  else // sub-devices of half the compute units each
    measure("equally",
            divide(device, {CL_DEVICE_PARTITION_EQUALLY, static_cast<intptr_t>(units / 2), 0}));

  if (units < 2 || !canPartition(device, CL_DEVICE_PARTITION_BY_COUNTS))
    report.skip("by counts", "the device cannot be divided by counts");
  else
    measure("by counts",
            divide(device, {CL_DEVICE_PARTITION_BY_COUNTS, 1, static_cast<intptr_t>(units - 1),
                            CL_DEVICE_PARTITION_BY_COUNTS_LIST_END, 0}));

  if (!canPartition(device, CL_DEVICE_PARTITION_BY_AFFINITY_DOMAIN) ||
      !(device.getInfo<CL_DEVICE_PARTITION_AFFINITY_DOMAIN>() &
        CL_DEVICE_AFFINITY_DOMAIN_NEXT_PARTITIONABLE))
    report.skip("by affinity domain", "the device has no affinity domains to divide it by");
  else
    measure("by affinity domain",
            divide(device, {CL_DEVICE_PARTITION_BY_AFFINITY_DOMAIN,
                            CL_DEVICE_AFFINITY_DOMAIN_NEXT_PARTITIONABLE, 0}));

  std::vector<cl::Device> all;
  cl::Platform(device.getInfo<CL_DEVICE_PLATFORM>()).getDevices(CL_DEVICE_TYPE_ALL, &all);
  measure("all of the platform", all);
  return report.exitCode();
} catch (const std::exception& error) {
  return gallery::failure(error);
}
