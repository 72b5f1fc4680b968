#include "device/backends.h"

#include "devices/cpu/enumerate.h"
#include "devices/cuda/enumerate.h"
#include "devices/null/enumerate.h"
#include "devices/remote/enumerate.h"

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

} // namespace quern::device
