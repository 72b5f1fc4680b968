#include "devices/cuda/textures.h"

#include <bit>
#include <optional>

#include "device/image_format.h"

namespace quern::cuda {

namespace {

struct Channel {
  ChannelFormat format;
  bool isInteger = false;
  /// Whether weights of 8 bits are enough: colors are then at most 2^-7 off.
  bool isFiltered = false;
};

std::optional<Channel> channelOf(const cl_image_format& format) {
  switch (format.image_channel_data_type) {
  case CL_UNORM_INT8:
    return Channel{ChannelFormat::UnsignedInt8, false, true};
  case CL_SNORM_INT8:
    return Channel{ChannelFormat::SignedInt8};
  case CL_UNORM_INT16:
    return Channel{ChannelFormat::UnsignedInt16};
  case CL_SNORM_INT16:
    return Channel{ChannelFormat::SignedInt16};
  case CL_UNSIGNED_INT8:
    return Channel{ChannelFormat::UnsignedInt8, true};
  case CL_UNSIGNED_INT16:
    return Channel{ChannelFormat::UnsignedInt16, true};
  case CL_UNSIGNED_INT32:
    return Channel{ChannelFormat::UnsignedInt32, true};
  case CL_SIGNED_INT8:
    return Channel{ChannelFormat::SignedInt8, true};
  case CL_SIGNED_INT16:
    return Channel{ChannelFormat::SignedInt16, true};
  case CL_SIGNED_INT32:
    return Channel{ChannelFormat::SignedInt32, true};
  case CL_HALF_FLOAT:
    return Channel{ChannelFormat::Half};
  case CL_FLOAT:
    return Channel{ChannelFormat::Float};
  default:
    return std::nullopt;
  }
}

bool isKnownOrder(cl_channel_order order) {
  return order == CL_R || order == CL_RG || order == CL_RGBA || order == CL_BGRA ||
         order == CL_DEPTH;
}

/// The elements as a texture takes them, or nothing.
std::optional<TextureElements> elementsOf(const Gpu& gpu, const device::ImageRequest& request,
                                          ChannelFormat format) {
  const device::ImageDescription& image = request.description;
  const bool hasRows = image.type == CL_MEM_OBJECT_IMAGE2D;
  if (!hasRows && image.type != CL_MEM_OBJECT_IMAGE1D)
    return std::nullopt;
  const auto limit = [&](DeviceAttribute attribute) {
    return static_cast<uint64_t>(gpu.attribute(attribute));
  };
  const auto isMultiple = [](uint64_t value, uint64_t unit) {
    return unit != 0 && value % unit == 0;
  };
  const uint64_t pitchUnit = limit(DeviceAttribute::TexturePitchAlignment);
  const uint64_t used = image.size[0] * device::elementBytes(image.format);
  // A single row may end anywhere.
  const uint64_t rowBytes =
      hasRows || pitchUnit == 0 ? image.rowStride : (used + pitchUnit - 1) / pitchUnit * pitchUnit;
  const Address address = request.allocation->address() + request.offset;
  if (!isMultiple(address, limit(DeviceAttribute::TextureAlignment)) ||
      !isMultiple(rowBytes, pitchUnit) ||
      image.size[0] > limit(DeviceAttribute::MaxLinearTextureWidth) ||
      image.size[1] > limit(DeviceAttribute::MaxLinearTextureHeight) ||
      rowBytes > limit(DeviceAttribute::MaxLinearTexturePitch))
    return std::nullopt;
  TextureElements elements = {};
  elements.address = address;
  elements.format = format;
  elements.channels = device::channelCount(image.format.image_channel_order);
  elements.width = image.size[0];
  elements.height = image.size[1];
  elements.rowBytes = rowBytes;
  return elements;
}

} // namespace

Textures::Textures(const Gpu& gpu, const device::ImageRequest& request) : gpu_(gpu) {
  const cl_image_format& format = request.description.format;
  const std::optional<Channel> channel = channelOf(format);
  if (!channel || !isKnownOrder(format.image_channel_order))
    return;
  isBlueFirst_ = format.image_channel_order == CL_BGRA;
  if (device::channelCount(format.image_channel_order) < 4)
    alpha_ = channel->isInteger ? 1 : std::bit_cast<uint32_t>(1.0F);
  const auto elements = elementsOf(gpu, request, channel->format);
  if (!elements)
    return;
  create(Elements, *elements, channel->isInteger);
  if (channel->isFiltered)
    for (const Kind kind : {ToEdge, ToBorder, Repeating})
      create(kind, *elements, false);
}

Textures::~Textures() {
  for (const TextureHandle handle : handles_)
    if (handle != 0)
      gpu_.api.texObjectDestroy(handle);
}

void Textures::create(Kind kind, const TextureElements& elements, bool ofIntegers) {
  const TextureAddressing addressing = kind == ToBorder    ? TextureAddressing::ToBorder
                                       : kind == Repeating ? TextureAddressing::Repeat
                                                           : TextureAddressing::ToEdge;
  TextureSampling sampling = {};
  for (TextureAddressing& dimension : sampling.addressing)
    dimension = addressing;
  sampling.filter = kind == Elements ? TextureFilter::Nearest : TextureFilter::Linear;
  sampling.flags =
      (ofIntegers ? textureOfIntegers : 0) | (kind == Repeating ? textureNormalizedPlaces : 0);
  if (gpu_.api.texObjectCreate(&handles_[kind], &elements, &sampling, nullptr) != Error::Success)
    handles_[kind] = 0;
}

void Textures::describe(abi::NvptxImage& image) const {
  image.elements = handles_[Elements];
  image.filteredToEdge = handles_[ToEdge];
  image.filteredToBorder = handles_[ToBorder];
  image.filteredRepeating = handles_[Repeating];
  image.alpha = alpha_;
  image.isBlueFirst = isBlueFirst_;
}

} // namespace quern::cuda
