#include "devices/cuda/image.h"

#include <memory>

#include "device/linear_image.h"
#include "devices/cuda/textures.h"

namespace quern::cuda {

namespace {

class Image final : public device::Image {
public:
  Image(MemoryPool& memory, Ref<device::Allocation> elements, std::unique_ptr<Textures> textures,
        Address description)
      : device::Image(description), memory_(memory), elements_(std::move(elements)),
        textures_(std::move(textures)) {}
  ~Image() override {
    const CurrentContext current(memory_.gpu());
    memory_.giveBack(handle(), sizeof(abi::NvptxImage));
    textures_.reset();
  }

private:
  MemoryPool& memory_;
  const Ref<device::Allocation> elements_;
  std::unique_ptr<Textures> textures_;
};

/// A copy of `bytes` in the GPU's memory.
Result<Address> upload(MemoryPool& memory, const void* data, size_t bytes) {
  const Gpu& gpu = memory.gpu();
  Address address = 0;
  Error error = memory.take(address, bytes);
  if (error == Error::Success)
    error = gpu.api.memcpyHtoD(address, data, bytes);
  // The copy returns when the data has been staged, and queues do not wait for it.
  if (error == Error::Success)
    error = gpu.api.streamSynchronize(defaultStream);
  if (error != Error::Success && address != 0)
    memory.giveBack(address, bytes);
  QUERN_TRY(gpu.check(error, "the GPU has no memory for the description of an image",
                      CL_MEM_OBJECT_ALLOCATION_FAILURE));
  return address;
}

} // namespace

Result<Ref<device::Image>> Images::create(const device::ImageRequest& request) {
  const CurrentContext current(memory_.gpu());
  QUERN_ASSIGN(const Address table, srgbTable());
  auto textures = std::make_unique<Textures>(memory_.gpu(), request);
  abi::NvptxImage description = {};
  description.memory = device::describeLinearImage(request, table);
  textures->describe(description);
  QUERN_ASSIGN(const Address address, upload(memory_, &description, sizeof(description)));
  return Ref<device::Image>(
      makeRef<Image>(memory_, request.allocation, std::move(textures), address));
}

Result<Address> Images::srgbTable() {
  auto address = srgbTable_.lock();
  if (*address == 0) {
    const auto& table = device::srgbTable();
    QUERN_ASSIGN(*address, upload(memory_, table.data(), sizeof(table)));
  }
  return Address{*address};
}

} // namespace quern::cuda
