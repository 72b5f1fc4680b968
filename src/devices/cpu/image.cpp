#include "devices/cpu/image.h"

#include "device/linear_image.h"

namespace quern::cpu {

namespace {

class Image final : public device::Image {
public:
  explicit Image(const device::ImageRequest& request)
      : device::Image(reinterpret_cast<uint64_t>(&image_)), allocation_(request.allocation),
        image_(device::describeLinearImage(
            request, reinterpret_cast<uint64_t>(device::srgbTable().data()))) {}

private:
  const Ref<device::Allocation> allocation_;
  const abi::CpuImage image_;
};

} // namespace

Result<Ref<device::Image>> createImage(const device::ImageRequest& request) {
  return Ref<device::Image>(makeRef<Image>(request));
}

} // namespace quern::cpu
