#include "devices/cpu/scratch.h"

#include <pthread.h>
#include <sys/mman.h>

#include "base/pages.h"
#include "base/round_up.h"
#include "devices/cpu/memory.h"

namespace quern::cpu {

namespace {

constexpr uint64_t alignment = 128;
/// Small kernels of all kinds fit in this without growing.
constexpr uint64_t firstBytes = 256 << 10;
/// More than this is given back after so many uses in a row that needed much less.
constexpr uint64_t keptBytes = 32 << 20;
constexpr uint32_t patience = 1000;
/// What a thread is taken to have below a frame that lies on no stack we know of (a program's own
/// coroutine stacks).
constexpr uint64_t unknownStackBytes = 256 << 10;

} // namespace

Scratch& Scratch::ofThread() {
  static thread_local Scratch scratch;
  return scratch;
}

void Scratch::release() {
  if (memory_)
    munmap(memory_ - margin, margin + capacity_ + margin);
  memory_ = nullptr;
  capacity_ = 0;
}

bool Scratch::remap(uint64_t bytes) {
  smallUses_ = 0;
  const uint64_t wanted = roundUp(bytes < firstBytes ? firstBytes : bytes, pageBytes);
  void* const memory = mmap(nullptr, margin + wanted + margin, PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED)
    return false;
  release();
  memory_ = static_cast<std::byte*>(memory) + margin;
  capacity_ = wanted;
  return true;
}

void Scratch::findStack() {
  pthread_attr_t attributes;
  if (pthread_getattr_np(pthread_self(), &attributes) != 0)
    return;
  void* low = nullptr;
  size_t bytes = 0;
  pthread_attr_getstack(&attributes, &low, &bytes);
  pthread_attr_destroy(&attributes);
  threadStackLow_ = static_cast<const std::byte*>(low);
  threadStackHigh_ = threadStackLow_ + bytes;
}

abi::CheckedScratch& Scratch::checked() {
  if (!checked_)
    checked_ = std::make_unique<abi::CheckedScratch>();
  return *checked_;
}

const abi::GroupScratch* Scratch::prepare(uint64_t localBytes, uint64_t contextBytes,
                                          bool isChecked) {
  const uint64_t localRoom = roundUp(localBytes, alignment);
  const uint64_t needed = localRoom + contextBytes;
  smallUses_ = capacity_ > keptBytes && needed < capacity_ / 8 ? smallUses_ + 1 : 0;
  if ((needed > capacity_ || !memory_ || smallUses_ > patience) && !remap(needed))
    return nullptr;
  abi::GroupScratch& group = isChecked ? checked().scratch : group_;
  group.local = memory_;
  group.localBytes = localBytes;
  group.context = memory_ + localRoom;
  group.contextBytes = contextBytes;

  if (!threadStackHigh_)
    findStack();
  // Kernels run below this frame, so nothing above it is private to them.
  const auto* frame = static_cast<const std::byte*>(__builtin_frame_address(0));
  const bool onThreadStack = frame >= threadStackLow_ && frame < threadStackHigh_;
  group.stackLow = onThreadStack ? threadStackLow_ : frame - unknownStackBytes;
  group.stackHigh = onThreadStack ? threadStackHigh_ : frame;
  return &group;
}

} // namespace quern::cpu
