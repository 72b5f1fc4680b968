#include "runtime/platform.h"

#include "runtime/process.h"

namespace quern::runtime {

Platform& Platform::get() {
  static Platform* platform = new Platform();
  return *platform;
}

std::span<const Ref<Device>> Platform::devices() const {
  return Process::current().devices();
}

} // namespace quern::runtime
