#include "devices/cpu/checks/zeroed_pages.h"

#include <new>
#include <sys/mman.h>

namespace quern::cpu {

void ZeroedPages::reserve(uint64_t bytes) {
  if (bytes <= bytes_)
    return;
  release();
  void* const memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED)
    throw std::bad_alloc();
  data_ = static_cast<std::byte*>(memory);
  bytes_ = bytes;
}

void ZeroedPages::clear() {
  // Private pages without a file behind them are zeros when they are touched next.
  if (data_)
    madvise(data_, bytes_, MADV_DONTNEED);
}

void ZeroedPages::release() {
  if (data_)
    munmap(data_, bytes_);
  data_ = nullptr;
  bytes_ = 0;
}

} // namespace quern::cpu
