#include "devices/cuda/graphics.h"

#include <algorithm>
#include <array>

#include "device/image_format.h"
#include "devices/cuda/memory.h"

namespace quern::cuda {

namespace {

// Targets of OpenGL.
constexpr uint32_t firstFace = 0x8515, lastFace = 0x851A, cubeMap = 0x8513;
constexpr uint32_t arrayOf1D = 0x8C18, arrayOf2D = 0x8C1A;

#define QUERN_CUDA_TRY(expression)                                                                 \
  do {                                                                                             \
    if (const Error error_ = (expression); error_ != Error::Success)                               \
      return error_;                                                                               \
  } while (false)

/// An object that is registered with the driver.
class Registered : public device::GraphicsObject {
public:
  Registered(const Gpu& gpu, GraphicsHandle resource) : gpu_(gpu), resource_(resource) {}
  ~Registered() override {
    const CurrentContext current(gpu_);
    gpu_.api.graphicsUnregisterResource(resource_);
  }

  Status copyTo(const device::Place& place) override { return copy(place, /*toPlace=*/true); }
  Status copyFrom(const device::Place& place) override { return copy(place, /*toPlace=*/false); }

protected:
  /// Enqueues the copy in the default stream. The object is mapped.
  virtual Error enqueue(Address place, bool toPlace) = 0;

  const DriverApi& api() const { return gpu_.api; }
  GraphicsHandle resource() const { return resource_; }

private:
  Status copy(const device::Place& place, bool toPlace) {
    const CurrentContext current(gpu_);
    Error error = api().graphicsMapResources(1, &resource_, defaultStream);
    if (error == Error::Success) {
      error = enqueue(addressOf(place), toPlace);
      const Error unmapped = api().graphicsUnmapResources(1, &resource_, defaultStream);
      const Error ended = api().streamSynchronize(defaultStream);
      for (const Error later : {unmapped, ended})
        error = error == Error::Success ? later : error;
    }
    return gpu_.check(error, "the GPU cannot copy an object of OpenGL", CL_OUT_OF_RESOURCES);
  }

  const Gpu& gpu_;
  GraphicsHandle resource_;
};

class Buffer final : public Registered {
public:
  Buffer(const Gpu& gpu, GraphicsHandle resource, uint64_t bytes)
      : Registered(gpu, resource), bytes_(bytes) {}

private:
  Error enqueue(Address place, bool toPlace) override {
    Address mapped = 0;
    size_t mappedBytes = 0;
    QUERN_CUDA_TRY(api().graphicsResourceGetMappedPointer(&mapped, &mappedBytes, resource()));
    const uint64_t bytes = std::min<uint64_t>(bytes_, mappedBytes);
    return toPlace ? api().memcpyAsync(place, mapped, bytes, defaultStream)
                   : api().memcpyAsync(mapped, place, bytes, defaultStream);
  }

  const uint64_t bytes_;
};

class RegisteredImage final : public Registered {
public:
  RegisteredImage(const Gpu& gpu, GraphicsHandle resource, const device::GraphicsRequest& request)
      : Registered(gpu, resource), request_(request), image_(*request.image) {}

private:
  bool isArray() const { return request_.target == arrayOf1D || request_.target == arrayOf2D; }

  /// Each layer of an array is an array of its own for the driver.
  Error enqueue(Address place, bool toPlace) override {
    const size_t dimension = request_.target == arrayOf1D ? 1 : 2;
    const uint64_t layers = isArray() ? image_.size[dimension] : 1;
    const uint64_t stride = dimension == 1 ? image_.rowStride : image_.sliceStride;
    const bool isFace = request_.target >= firstFace && request_.target <= lastFace;
    for (uint64_t layer = 0; layer < layers; ++layer) {
      const uint64_t index = isFace ? request_.target - firstFace : layer;
      QUERN_CUDA_TRY(enqueueLayer(place + layer * stride, static_cast<unsigned>(index), toPlace));
    }
    return Error::Success;
  }

  Error enqueueLayer(Address place, unsigned index, bool toPlace) {
    void* elements = nullptr;
    QUERN_CUDA_TRY(
        api().graphicsSubResourceGetMappedArray(&elements, resource(), index, request_.level));
    const uint64_t rowBytes = image_.size[0] * device::elementBytes(image_.format);
    const bool hasRows = request_.target != arrayOf1D && image_.size[1] > 1;
    Memcpy3D copy = {};
    copy.WidthInBytes = rowBytes;
    copy.Height = request_.target == arrayOf1D ? 1 : image_.size[1];
    copy.Depth = isArray() ? 1 : image_.size[2];
    const size_t pitch = hasRows ? image_.rowStride : rowBytes;
    const size_t height = copy.Depth > 1 ? image_.sliceStride / pitch : copy.Height;
    if (toPlace) {
      copy.srcMemoryType = MemoryType::Array;
      copy.srcArray = elements;
      copy.dstMemoryType = MemoryType::Unified;
      copy.dstDevice = place;
      copy.dstPitch = pitch;
      copy.dstHeight = height;
    } else {
      copy.srcMemoryType = MemoryType::Unified;
      copy.srcDevice = place;
      copy.srcPitch = pitch;
      copy.srcHeight = height;
      copy.dstMemoryType = MemoryType::Array;
      copy.dstArray = elements;
    }
    return api().memcpy3DAsync(&copy, defaultStream);
  }

  const device::GraphicsRequest request_;
  const device::ImageDescription image_;
};

#undef QUERN_CUDA_TRY

/// The driver knows a cube map as a whole.
uint32_t registeredTarget(uint32_t target) {
  return target >= firstFace && target <= lastFace ? cubeMap : target;
}

} // namespace

bool drawsCurrentOpenGl(const Gpu& gpu) {
  if (!gpu.api.hasOpenGl())
    return false;
  std::array<DeviceNumber, 16> devices = {};
  unsigned count = 0;
  const CurrentContext current(gpu);
  return gpu.api.glGetDevices(&count, devices.data(), devices.size(), everyOpenGlDevice) ==
             Error::Success &&
         std::find(devices.begin(), devices.begin() + count, gpu.number) != devices.begin() + count;
}

Ref<device::GraphicsObject> openGraphics(const Gpu& gpu, const device::GraphicsRequest& request) {
  if (!drawsCurrentOpenGl(gpu))
    return nullptr;
  const CurrentContext current(gpu);
  GraphicsHandle resource = nullptr;
  if (!request.image) {
    if (gpu.api.graphicsGlRegisterBuffer(&resource, request.name, 0) != Error::Success)
      return nullptr;
    return makeRef<Buffer>(gpu, resource, request.bytes);
  }
  if (gpu.api.graphicsGlRegisterImage(&resource, request.name, registeredTarget(request.target),
                                      0) != Error::Success)
    return nullptr;
  return makeRef<RegisteredImage>(gpu, resource, request);
}

} // namespace quern::cuda
