#pragma once

#include <cstdint>
#include <vector>

#include "base/ref.h"

namespace quern::device {

/// A semaphore of another interface of the same vendor that a device has imported.
class Semaphore : public RefCounted {};

/// Signals semaphores or waits for them, when the work before it has ended. Only on devices that
/// import some.
struct UseSemaphores {
  enum class Use : uint8_t { Signal, Wait };
  Use use = Use::Signal;
  std::vector<Ref<Semaphore>> semaphores;
};

} // namespace quern::device
