#pragma once

#include <cstddef>
#include <cstdint>

namespace quern::cpu {

/// Memory of zeros that begins at a page. What is not touched takes no memory and no time.
class ZeroedPages {
public:
  ZeroedPages() = default;
  ~ZeroedPages() { release(); }
  ZeroedPages(const ZeroedPages&) = delete;
  ZeroedPages& operator=(const ZeroedPages&) = delete;

  /// At least `bytes` from here on; where there are fewer yet, other ones, all zeros. Throws
  /// std::bad_alloc, as what else takes memory.
  void reserve(uint64_t bytes);
  /// Makes zeros of all that was written.
  void clear();

  std::byte* data() const { return data_; }

private:
  void release();

  std::byte* data_ = nullptr;
  uint64_t bytes_ = 0;
};

} // namespace quern::cpu
