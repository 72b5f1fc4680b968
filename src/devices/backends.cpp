#include "device/backends.h"

#include "devices/cpu/enumerate.h"
#include "devices/cuda/enumerate.h"
#include "devices/null/enumerate.h"
#include "devices/remote/enumerate.h"
#include "devices/united/united_device.h"

namespace quern::device {

std::span<const Backend> backends() {
  static constexpr Backend all[] = {
      {"cpu", cpu::enumerate},
      {"cuda", cuda::enumerate},
      {"null", null::enumerate},
      {"remote", remote::enumerate},
  };
  return all;
}

Result<Ref<Device>> unite(std::string_view which, std::span<const NamedDevice> devices) {
  return united::unite(which, devices);
}

} // namespace quern::device
