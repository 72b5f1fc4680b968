#pragma once

#include "kernels/images/host_image.h"
#include "kernels/kernel_fixture.h"

/// Images and samplers of the device under test.
namespace quern::tests {

/// Owns an image with the contents of a HostImage.
class DeviceImage {
public:
  explicit DeviceImage(const HostImage& host, cl_mem_flags flags = CL_MEM_READ_WRITE);
  explicit DeviceImage(cl_mem handle) : handle_(handle) {}
  DeviceImage(DeviceImage&& other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}
  ~DeviceImage() {
    if (handle_)
      clReleaseMemObject(handle_);
  }
  cl_mem handle() const { return handle_; }
  /// Reads the elements into `host`, which has the image's size and format.
  void read(HostImage& host) const;

private:
  cl_mem handle_;
};

class DeviceSampler {
public:
  explicit DeviceSampler(const HostSampler& host);
  DeviceSampler(const DeviceSampler&) = delete;
  DeviceSampler& operator=(const DeviceSampler&) = delete;
  ~DeviceSampler() { clReleaseSampler(handle_); }
  cl_sampler handle() const { return handle_; }

private:
  cl_sampler handle_;
};

cl_image_desc descriptionOf(const HostImage& host);

/// The formats of images of `type` that the device lists for `flags`.
std::vector<cl_image_format> supportedFormats(cl_mem_flags flags, cl_mem_object_type type);

/// "image2d_array_depth_t"
std::string typeName(cl_mem_object_type type, bool isDepth = false);
std::string describe(const cl_image_format& format);

} // namespace quern::tests
