#include "opengl/image_format.h"

#include <algorithm>
#include <array>

namespace quern::opengl {

namespace {

constexpr ImageFormat row(GLenum internal, cl_channel_order order, cl_channel_type type,
                          GLenum format, GLenum glType, uint32_t elementBytes) {
  return {internal, {order, type}, {order, type}, format, glType, elementBytes};
}

/// `stored` is what is left without the stencil.
constexpr ImageFormat withStencil(GLenum internal, cl_channel_type type) {
  return {internal, {CL_DEPTH_STENCIL, type}, {CL_DEPTH, CL_FLOAT}, GL_DEPTH_COMPONENT, GL_FLOAT,
          4};
}

// clang-format off
constexpr ImageFormat formats[] = {
    row(GL_RGBA8, CL_RGBA, CL_UNORM_INT8, GL_RGBA, GL_UNSIGNED_BYTE, 4),
    row(GL_SRGB8_ALPHA8, CL_sRGBA, CL_UNORM_INT8, GL_RGBA, GL_UNSIGNED_BYTE, 4),
    row(GL_RGBA8_SNORM, CL_RGBA, CL_SNORM_INT8, GL_RGBA, GL_BYTE, 4),
    row(GL_RGBA16, CL_RGBA, CL_UNORM_INT16, GL_RGBA, GL_UNSIGNED_SHORT, 8),
    row(GL_RGBA16_SNORM, CL_RGBA, CL_SNORM_INT16, GL_RGBA, GL_SHORT, 8),
    row(GL_RGBA16F, CL_RGBA, CL_HALF_FLOAT, GL_RGBA, GL_HALF_FLOAT, 8),
    row(GL_RGBA32F, CL_RGBA, CL_FLOAT, GL_RGBA, GL_FLOAT, 16),
    row(GL_RGBA8I, CL_RGBA, CL_SIGNED_INT8, GL_RGBA_INTEGER, GL_BYTE, 4),
    row(GL_RGBA16I, CL_RGBA, CL_SIGNED_INT16, GL_RGBA_INTEGER, GL_SHORT, 8),
    row(GL_RGBA32I, CL_RGBA, CL_SIGNED_INT32, GL_RGBA_INTEGER, GL_INT, 16),
    row(GL_RGBA8UI, CL_RGBA, CL_UNSIGNED_INT8, GL_RGBA_INTEGER, GL_UNSIGNED_BYTE, 4),
    row(GL_RGBA16UI, CL_RGBA, CL_UNSIGNED_INT16, GL_RGBA_INTEGER, GL_UNSIGNED_SHORT, 8),
    row(GL_RGBA32UI, CL_RGBA, CL_UNSIGNED_INT32, GL_RGBA_INTEGER, GL_UNSIGNED_INT, 16),
    row(GL_RG8, CL_RG, CL_UNORM_INT8, GL_RG, GL_UNSIGNED_BYTE, 2),
    row(GL_RG8_SNORM, CL_RG, CL_SNORM_INT8, GL_RG, GL_BYTE, 2),
    row(GL_RG16, CL_RG, CL_UNORM_INT16, GL_RG, GL_UNSIGNED_SHORT, 4),
    row(GL_RG16_SNORM, CL_RG, CL_SNORM_INT16, GL_RG, GL_SHORT, 4),
    row(GL_RG16F, CL_RG, CL_HALF_FLOAT, GL_RG, GL_HALF_FLOAT, 4),
    row(GL_RG32F, CL_RG, CL_FLOAT, GL_RG, GL_FLOAT, 8),
    row(GL_RG8I, CL_RG, CL_SIGNED_INT8, GL_RG_INTEGER, GL_BYTE, 2),
    row(GL_RG16I, CL_RG, CL_SIGNED_INT16, GL_RG_INTEGER, GL_SHORT, 4),
    row(GL_RG32I, CL_RG, CL_SIGNED_INT32, GL_RG_INTEGER, GL_INT, 8),
    row(GL_RG8UI, CL_RG, CL_UNSIGNED_INT8, GL_RG_INTEGER, GL_UNSIGNED_BYTE, 2),
    row(GL_RG16UI, CL_RG, CL_UNSIGNED_INT16, GL_RG_INTEGER, GL_UNSIGNED_SHORT, 4),
    row(GL_RG32UI, CL_RG, CL_UNSIGNED_INT32, GL_RG_INTEGER, GL_UNSIGNED_INT, 8),
    row(GL_R8, CL_R, CL_UNORM_INT8, GL_RED, GL_UNSIGNED_BYTE, 1),
    row(GL_R8_SNORM, CL_R, CL_SNORM_INT8, GL_RED, GL_BYTE, 1),
    row(GL_R16, CL_R, CL_UNORM_INT16, GL_RED, GL_UNSIGNED_SHORT, 2),
    row(GL_R16_SNORM, CL_R, CL_SNORM_INT16, GL_RED, GL_SHORT, 2),
    row(GL_R16F, CL_R, CL_HALF_FLOAT, GL_RED, GL_HALF_FLOAT, 2),
    row(GL_R32F, CL_R, CL_FLOAT, GL_RED, GL_FLOAT, 4),
    row(GL_R8I, CL_R, CL_SIGNED_INT8, GL_RED_INTEGER, GL_BYTE, 1),
    row(GL_R16I, CL_R, CL_SIGNED_INT16, GL_RED_INTEGER, GL_SHORT, 2),
    row(GL_R32I, CL_R, CL_SIGNED_INT32, GL_RED_INTEGER, GL_INT, 4),
    row(GL_R8UI, CL_R, CL_UNSIGNED_INT8, GL_RED_INTEGER, GL_UNSIGNED_BYTE, 1),
    row(GL_R16UI, CL_R, CL_UNSIGNED_INT16, GL_RED_INTEGER, GL_UNSIGNED_SHORT, 2),
    row(GL_R32UI, CL_R, CL_UNSIGNED_INT32, GL_RED_INTEGER, GL_UNSIGNED_INT, 4),
    row(GL_RGB565, CL_RGB, CL_UNORM_SHORT_565, GL_RGB, GL_UNSIGNED_SHORT_5_6_5, 2),
    row(GL_DEPTH_COMPONENT16, CL_DEPTH, CL_UNORM_INT16, GL_DEPTH_COMPONENT, GL_UNSIGNED_SHORT, 2),
    row(GL_DEPTH_COMPONENT32F, CL_DEPTH, CL_FLOAT, GL_DEPTH_COMPONENT, GL_FLOAT, 4),
    withStencil(GL_DEPTH24_STENCIL8, CL_UNORM_INT24),
    withStencil(GL_DEPTH32F_STENCIL8, CL_FLOAT),
};
// clang-format on

/// The internal formats of one base format, by the size and type of a component.
struct BaseFormat {
  GLenum base;
  GLenum unorm8, unorm16, float16, float32;
};

constexpr GLenum baseFormatBgra = 0x80E1;

constexpr BaseFormat baseFormats[] = {
    {GL_RGBA, GL_RGBA8, GL_RGBA16, GL_RGBA16F, GL_RGBA32F},
    {baseFormatBgra, GL_RGBA8, GL_RGBA16, GL_RGBA16F, GL_RGBA32F},
    {GL_RG, GL_RG8, GL_RG16, GL_RG16F, GL_RG32F},
    {GL_RED, GL_R8, GL_R16, GL_R16F, GL_R32F},
};

} // namespace

const ImageFormat* findFormat(GLenum internal) {
  const auto found = std::ranges::find(formats, internal, &ImageFormat::internal);
  return found == std::end(formats) ? nullptr : found;
}

GLenum withSizes(GLenum internal, GLint redBits, GLenum redType) {
  if (internal == GL_SRGB_ALPHA)
    return GL_SRGB8_ALPHA8;
  const auto found = std::ranges::find(baseFormats, internal, &BaseFormat::base);
  if (found == std::end(baseFormats))
    return internal;
  const bool isFloat = redType == GL_FLOAT;
  switch (redBits) {
  case 8:
    return found->unorm8;
  case 16:
    return isFloat ? found->float16 : found->unorm16;
  case 32:
    return isFloat ? found->float32 : internal;
  default:
    return internal;
  }
}

} // namespace quern::opengl
