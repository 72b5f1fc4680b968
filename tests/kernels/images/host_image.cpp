#include "kernels/images/host_image.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <random>

namespace quern::tests {

unsigned channelsOf(cl_channel_order order) {
  switch (order) {
  case CL_R:
  case CL_A:
  case CL_INTENSITY:
  case CL_LUMINANCE:
  case CL_DEPTH:
    return 1;
  case CL_RG:
  case CL_RA:
    return 2;
  case CL_RGB:
    return 3;
  default:
    return 4;
  }
}

bool isPackedType(cl_channel_type type) {
  return type == CL_UNORM_SHORT_565 || type == CL_UNORM_SHORT_555 || type == CL_UNORM_INT_101010 ||
         type == CL_UNORM_INT_101010_2;
}

size_t elementBytesOf(const cl_image_format& format) {
  const size_t channels = channelsOf(format.image_channel_order);
  switch (format.image_channel_data_type) {
  case CL_UNORM_SHORT_565:
  case CL_UNORM_SHORT_555:
    return 2;
  case CL_UNORM_INT_101010:
  case CL_UNORM_INT_101010_2:
    return 4;
  case CL_SNORM_INT8:
  case CL_UNORM_INT8:
  case CL_SIGNED_INT8:
  case CL_UNSIGNED_INT8:
    return channels;
  case CL_SIGNED_INT32:
  case CL_UNSIGNED_INT32:
  case CL_FLOAT:
    return 4 * channels;
  default:
    return 2 * channels;
  }
}

std::string suffixOf(const cl_image_format& format) {
  switch (format.image_channel_data_type) {
  case CL_SIGNED_INT8:
  case CL_SIGNED_INT16:
  case CL_SIGNED_INT32:
    return "i";
  case CL_UNSIGNED_INT8:
  case CL_UNSIGNED_INT16:
  case CL_UNSIGNED_INT32:
    return "ui";
  default:
    return "f";
  }
}

double halfValue(uint16_t bits) {
  const int exponent = bits >> 10 & 31, fraction = bits & 1023;
  const double magnitude =
      exponent == 0 ? std::ldexp(fraction, -24) : std::ldexp(1024 + fraction, exponent - 25);
  return bits & 0x8000 ? -magnitude : magnitude;
}

std::string HostSampler::constant() const {
  static const std::pair<cl_addressing_mode, const char*> names[] = {
      {CL_ADDRESS_NONE, "CLK_ADDRESS_NONE"},
      {CL_ADDRESS_CLAMP_TO_EDGE, "CLK_ADDRESS_CLAMP_TO_EDGE"},
      {CL_ADDRESS_CLAMP, "CLK_ADDRESS_CLAMP"},
      {CL_ADDRESS_REPEAT, "CLK_ADDRESS_REPEAT"},
      {CL_ADDRESS_MIRRORED_REPEAT, "CLK_ADDRESS_MIRRORED_REPEAT"}};
  std::string text = normalized ? "CLK_NORMALIZED_COORDS_TRUE" : "CLK_NORMALIZED_COORDS_FALSE";
  for (const auto& [mode, name] : names)
    if (mode == addressing)
      text += std::string(" | ") + name;
  return text + (filter == CL_FILTER_LINEAR ? " | CLK_FILTER_LINEAR" : " | CLK_FILTER_NEAREST");
}

HostImage::HostImage(cl_mem_object_type type, cl_image_format format, std::array<size_t, 3> size)
    : type_(type), format_(format), size_(size), elementBytes_(elementBytesOf(format)),
      bytes_(elements() * elementBytes_) {}

bool HostImage::isArray() const {
  return type_ == CL_MEM_OBJECT_IMAGE1D_ARRAY || type_ == CL_MEM_OBJECT_IMAGE2D_ARRAY;
}

unsigned HostImage::dimensions() const {
  switch (type_) {
  case CL_MEM_OBJECT_IMAGE2D:
  case CL_MEM_OBJECT_IMAGE2D_ARRAY:
    return 2;
  case CL_MEM_OBJECT_IMAGE3D:
    return 3;
  default:
    return 1;
  }
}

void HostImage::randomize(uint32_t seed) {
  std::mt19937 random(seed);
  for (uint8_t& byte : bytes_)
    byte = static_cast<uint8_t>(random());
  // Exponents of all ones would be NaN or infinity.
  if (format_.image_channel_data_type == CL_HALF_FLOAT) {
    for (size_t i = 1; i < bytes_.size(); i += 2)
      if ((bytes_[i] & 0x7c) == 0x7c)
        bytes_[i] &= 0xbf;
  } else if (format_.image_channel_data_type == CL_FLOAT) {
    for (size_t i = 0; i < bytes_.size(); i += 4) {
      const float value = std::uniform_real_distribution<float>(-2, 2)(random);
      std::memcpy(&bytes_[i], &value, sizeof(value));
    }
  }
}

namespace {

template <typename T> double valueAt(const uint8_t* element, unsigned index) {
  T value;
  std::memcpy(&value, element + index * sizeof(T), sizeof(T));
  return static_cast<double>(value);
}

double field(uint32_t bits, unsigned shift, unsigned count) {
  const uint32_t highest = (1u << count) - 1;
  return static_cast<double>(bits >> shift & highest) / highest;
}

double linearFromSrgb(double c) {
  return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4);
}

} // namespace

double HostImage::channel(const uint8_t* element, unsigned index) const {
  uint32_t packed = 0;
  std::memcpy(&packed, element, std::min<size_t>(elementBytes_, sizeof(packed)));
  switch (format_.image_channel_data_type) {
  case CL_SNORM_INT8:
    return std::max(valueAt<int8_t>(element, index) / 127, -1.0);
  case CL_SNORM_INT16:
    return std::max(valueAt<int16_t>(element, index) / 32767, -1.0);
  case CL_UNORM_INT8:
    return valueAt<uint8_t>(element, index) / 255;
  case CL_UNORM_INT16:
    return valueAt<uint16_t>(element, index) / 65535;
  case CL_UNORM_SHORT_565:
    return std::array{field(packed, 11, 5), field(packed, 5, 6), field(packed, 0, 5)}[index];
  case CL_UNORM_SHORT_555:
    return field(packed, 10 - 5 * index, 5);
  case CL_UNORM_INT_101010:
    return field(packed, 20 - 10 * index, 10);
  case CL_UNORM_INT_101010_2:
    return index == 3 ? field(packed, 0, 2) : field(packed, 22 - 10 * index, 10);
  case CL_SIGNED_INT8:
    return valueAt<int8_t>(element, index);
  case CL_SIGNED_INT16:
    return valueAt<int16_t>(element, index);
  case CL_SIGNED_INT32:
    return valueAt<int32_t>(element, index);
  case CL_UNSIGNED_INT8:
    return valueAt<uint8_t>(element, index);
  case CL_UNSIGNED_INT16:
    return valueAt<uint16_t>(element, index);
  case CL_UNSIGNED_INT32:
    return valueAt<uint32_t>(element, index);
  case CL_HALF_FLOAT: {
    uint16_t bits;
    std::memcpy(&bits, element + index * 2, sizeof(bits));
    return halfValue(bits);
  }
  default:
    return valueAt<float>(element, index);
  }
}

Color HostImage::texel(const std::array<size_t, 3>& place) const {
  const size_t index = (place[2] * size_[1] + place[1]) * size_[0] + place[0];
  const uint8_t* element = bytes_.data() + index * elementBytes_;
  const auto c = [&](unsigned i) { return channel(element, i); };
  const auto srgb = [&](unsigned i) { return linearFromSrgb(channel(element, i)); };
  switch (format_.image_channel_order) {
  case CL_R:
  case CL_DEPTH:
    return {c(0), 0, 0, 1};
  case CL_A:
    return {0, 0, 0, c(0)};
  case CL_INTENSITY:
    return {c(0), c(0), c(0), c(0)};
  case CL_LUMINANCE:
    return {c(0), c(0), c(0), 1};
  case CL_RG:
    return {c(0), c(1), 0, 1};
  case CL_RA:
    return {c(0), 0, 0, c(1)};
  case CL_RGB:
    return {c(0), c(1), c(2), 1};
  case CL_BGRA:
    return {c(2), c(1), c(0), c(3)};
  case CL_ARGB:
    return {c(1), c(2), c(3), c(0)};
  case CL_ABGR:
    return {c(3), c(2), c(1), c(0)};
  case CL_sRGBA:
    return {srgb(0), srgb(1), srgb(2), c(3)};
  case CL_sBGRA:
    return {srgb(2), srgb(1), srgb(0), c(3)};
  default:
    return {c(0), c(1), c(2), c(3)};
  }
}

Color HostImage::at(const HostSampler& sampler, const std::array<long, 3>& place) const {
  std::array<size_t, 3> clamped;
  bool inside = true;
  for (size_t i = 0; i < 3; ++i) {
    clamped[i] =
        static_cast<size_t>(std::clamp<long>(place[i], 0, static_cast<long>(size_[i]) - 1));
    inside = inside && static_cast<long>(clamped[i]) == place[i];
  }
  if (inside || sampler.addressing != CL_ADDRESS_CLAMP)
    return texel(clamped);
  switch (format_.image_channel_order) {
  case CL_R:
  case CL_RG:
  case CL_RGB:
  case CL_LUMINANCE:
    return {0, 0, 0, 1};
  default:
    return {0, 0, 0, 0};
  }
}

Color HostImage::sample(const HostSampler& sampler, const std::array<double, 3>& coord) const {
  std::array<std::array<long, 2>, 3> pairs = {};
  std::array<double, 3> weights = {};
  for (unsigned i = 0; i < dimensions(); ++i) {
    const double size = static_cast<double>(size_[i]);
    const auto last = static_cast<long>(size_[i]) - 1;
    double s = coord[i];
    if (sampler.addressing == CL_ADDRESS_REPEAT)
      s -= std::floor(s);
    else if (sampler.addressing == CL_ADDRESS_MIRRORED_REPEAT)
      s = std::fabs(s - 2 * std::rint(0.5 * s));
    double u = sampler.normalized ? s * size : s;
    if (sampler.filter == CL_FILTER_LINEAR)
      u -= 0.5;
    weights[i] = sampler.filter == CL_FILTER_LINEAR ? u - std::floor(u) : 0;
    for (int k = 0; k < 2; ++k) {
      long index = static_cast<long>(std::floor(u)) + k;
      if (sampler.addressing == CL_ADDRESS_REPEAT)
        index = (index + 2 * (last + 1)) % (last + 1);
      else if (sampler.addressing == CL_ADDRESS_MIRRORED_REPEAT)
        index = std::clamp<long>(index, 0, last);
      pairs[i][k] = index;
    }
  }
  if (isArray()) {
    const double last = static_cast<double>(size_[dimensions()]) - 1;
    pairs[dimensions()][0] =
        static_cast<long>(std::clamp(std::rint(coord[dimensions()]), 0.0, last));
  }
  Color sum = {};
  for (unsigned corner = 0; corner < 1u << dimensions(); ++corner) {
    double weight = 1;
    std::array<long, 3> place = {pairs[0][0], pairs[1][0], pairs[2][0]};
    for (unsigned i = 0; i < dimensions(); ++i) {
      const bool second = corner >> i & 1;
      weight *= second ? weights[i] : 1 - weights[i];
      place[i] = pairs[i][second];
    }
    if (weight == 0)
      continue;
    const Color color = at(sampler, place);
    for (size_t i = 0; i < 4; ++i)
      sum[i] += weight * color[i];
  }
  return sum;
}

} // namespace quern::tests
