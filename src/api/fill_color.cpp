#include "api/fill_color.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>

#include "device/image_format.h"

namespace quern::api {

namespace {

using Element = std::array<std::byte, 16>;
template <typename T> using Color = std::array<T, 4>;

/// Red, green, blue and alpha in the order in which `order` stores channels.
template <typename T> Color<T> asStored(cl_channel_order order, const Color<T>& c) {
  switch (order) {
  case CL_A:
    return {c[3]};
  case CL_RA:
    return {c[0], c[3]};
  case CL_BGRA:
  case CL_sBGRA:
    return {c[2], c[1], c[0], c[3]};
  case CL_ARGB:
    return {c[3], c[0], c[1], c[2]};
  case CL_ABGR:
    return {c[3], c[2], c[1], c[0]};
  default:
    return c;
  }
}

/// Rounded to the nearest of the integers from `lowest` to `highest`, ties to even; NaN becomes 0.
int64_t toSteps(float value, float steps, float lowest, float highest) {
  if (std::isnan(value))
    return 0;
  const float scaled = std::clamp(value * steps, lowest, highest);
  const float below = std::floor(scaled), rest = scaled - below;
  const auto whole = static_cast<int64_t>(below);
  return rest > 0.5f || (rest == 0.5f && whole % 2 != 0) ? whole + 1 : whole;
}

float srgbFromLinear(float c) {
  if (!(c > 0))
    return 0;
  const double value = c < 0.0031308 ? 12.92 * c : 1.055 * std::pow(double{c}, 1 / 2.4) - 0.055;
  return static_cast<float>(std::min(value, 1.0));
}

/// Half with the bits of `value`, rounded to nearest even.
uint16_t halfBits(float value) {
  const auto half = static_cast<_Float16>(value);
  uint16_t bits;
  std::memcpy(&bits, &half, sizeof(bits));
  return bits;
}

template <typename T, typename Encode>
Element store(const cl_image_format& format, Encode&& encode) {
  Element element = {};
  for (uint32_t i = 0; i < device::channelCount(format.image_channel_order); ++i) {
    const T channel = static_cast<T>(encode(i));
    std::memcpy(element.data() + i * sizeof(T), &channel, sizeof(T));
  }
  return element;
}

struct Field {
  unsigned shift, bits;
};

template <typename T> Element pack(const Color<float>& color, const std::array<Field, 4>& fields) {
  uint64_t packed = 0;
  for (size_t i = 0; i < fields.size(); ++i) {
    const auto highest = static_cast<float>((1u << fields[i].bits) - 1);
    packed |= static_cast<uint64_t>(toSteps(color[i], highest, 0, highest)) << fields[i].shift;
  }
  const T value = static_cast<T>(packed);
  Element element = {};
  std::memcpy(element.data(), &value, sizeof(value));
  return element;
}

Element encodeFloats(const cl_image_format& format, const Color<float>& c) {
  switch (format.image_channel_data_type) {
  case CL_SNORM_INT8:
    return store<int8_t>(format, [&](uint32_t i) { return toSteps(c[i], 127, -128, 127); });
  case CL_SNORM_INT16:
    return store<int16_t>(format, [&](uint32_t i) { return toSteps(c[i], 32767, -32768, 32767); });
  case CL_UNORM_INT8:
    return store<uint8_t>(format, [&](uint32_t i) { return toSteps(c[i], 255, 0, 255); });
  case CL_UNORM_INT16:
    return store<uint16_t>(format, [&](uint32_t i) { return toSteps(c[i], 65535, 0, 65535); });
  case CL_UNORM_SHORT_565:
    return pack<uint16_t>(c, {{{11, 5}, {5, 6}, {0, 5}, {0, 0}}});
  case CL_UNORM_SHORT_555:
    return pack<uint16_t>(c, {{{10, 5}, {5, 5}, {0, 5}, {0, 0}}});
  case CL_UNORM_INT_101010:
    return pack<uint32_t>(c, {{{20, 10}, {10, 10}, {0, 10}, {0, 0}}});
  case CL_UNORM_INT_101010_2:
    return pack<uint32_t>(c, {{{22, 10}, {12, 10}, {2, 10}, {0, 2}}});
  case CL_HALF_FLOAT:
    return store<uint16_t>(format, [&](uint32_t i) { return halfBits(c[i]); });
  default:
    return store<float>(format, [&](uint32_t i) { return c[i]; });
  }
}

template <typename To, typename From>
Element encodeIntegers(const cl_image_format& format, const Color<From>& c) {
  return store<To>(format, [&](uint32_t i) {
    return std::clamp<int64_t>(c[i], std::numeric_limits<To>::min(),
                               std::numeric_limits<To>::max());
  });
}

template <typename T> Color<T> readColor(const cl_image_format& format, const void* given) {
  Color<T> color = {};
  const bool isDepth = format.image_channel_order == CL_DEPTH;
  std::memcpy(color.data(), given, isDepth ? sizeof(T) : sizeof(color));
  return asStored(format.image_channel_order, color);
}

} // namespace

Element encodeFillColor(const cl_image_format& format, const void* color) {
  switch (format.image_channel_data_type) {
  case CL_SIGNED_INT8:
    return encodeIntegers<int8_t>(format, readColor<cl_int>(format, color));
  case CL_SIGNED_INT16:
    return encodeIntegers<int16_t>(format, readColor<cl_int>(format, color));
  case CL_SIGNED_INT32:
    return encodeIntegers<int32_t>(format, readColor<cl_int>(format, color));
  case CL_UNSIGNED_INT8:
    return encodeIntegers<uint8_t>(format, readColor<cl_uint>(format, color));
  case CL_UNSIGNED_INT16:
    return encodeIntegers<uint16_t>(format, readColor<cl_uint>(format, color));
  case CL_UNSIGNED_INT32:
    return encodeIntegers<uint32_t>(format, readColor<cl_uint>(format, color));
  default:
    break;
  }
  Color<float> floats = readColor<float>(format, color);
  if (device::isSrgb(format.image_channel_order))
    for (size_t i = 0; i < 3; ++i)
      floats[i] = srgbFromLinear(floats[i]);
  return encodeFloats(format, floats);
}

} // namespace quern::api
