#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include <CL/cl.h>

/// Images as the host computes them: an independent reference for what kernels read and write, in
/// double precision.
namespace quern::tests {

using Color = std::array<double, 4>;

struct HostSampler {
  bool normalized = false;
  cl_addressing_mode addressing = CL_ADDRESS_CLAMP_TO_EDGE;
  cl_filter_mode filter = CL_FILTER_NEAREST;

  /// "CLK_NORMALIZED_COORDS_TRUE | ..."
  std::string constant() const;
};

/// Elements without gaps. The last coordinate of an array is the layer.
class HostImage {
public:
  HostImage(cl_mem_object_type type, cl_image_format format, std::array<size_t, 3> size);

  cl_mem_object_type type() const { return type_; }
  const cl_image_format& format() const { return format_; }
  const std::array<size_t, 3>& size() const { return size_; }
  size_t elementBytes() const { return elementBytes_; }
  std::vector<uint8_t>& bytes() { return bytes_; }
  const std::vector<uint8_t>& bytes() const { return bytes_; }
  size_t elements() const { return size_[0] * size_[1] * size_[2]; }
  /// Coordinates that are not layers.
  unsigned dimensions() const;
  bool isArray() const;

  /// Fills the elements with values that every format can hold: no NaN, no infinity.
  void randomize(uint32_t seed);

  Color texel(const std::array<size_t, 3>& place) const;
  /// The color at `coord`, by the formulas of OpenCL C, "Image Addressing and Filtering".
  Color sample(const HostSampler& sampler, const std::array<double, 3>& coord) const;

private:
  Color at(const HostSampler& sampler, const std::array<long, 3>& place) const;
  double channel(const uint8_t* element, unsigned index) const;

  cl_mem_object_type type_;
  cl_image_format format_;
  std::array<size_t, 3> size_;
  size_t elementBytes_;
  std::vector<uint8_t> bytes_;
};

unsigned channelsOf(cl_channel_order order);
size_t elementBytesOf(const cl_image_format& format);
bool isPackedType(cl_channel_type type);

/// What a kernel reads a format with: "f", "i" or "ui".
std::string suffixOf(const cl_image_format& format);

double halfValue(uint16_t bits);

} // namespace quern::tests
