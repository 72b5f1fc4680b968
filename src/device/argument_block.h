#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <utility>

#include "base/bytes.h"

namespace quern::device {

/// The packed arguments of a launch (abi::KernelDescription), aligned for any vector type, so that
/// a device may give them to a kernel where they are. Small ones, nearly all, need no memory of
/// their own.
class ArgumentBlock {
public:
  static constexpr size_t alignment = 128;

  ArgumentBlock() = default;
  ArgumentBlock(std::span<const std::byte> bytes) { assign(bytes); }
  ArgumentBlock(const Bytes& bytes) { assign(bytes); }
  ArgumentBlock(const ArgumentBlock& other) { assign({other.data(), other.size()}); }
  ArgumentBlock& operator=(const ArgumentBlock& other) {
    if (this != &other)
      assign({other.data(), other.size()});
    return *this;
  }

  void assign(std::span<const std::byte> bytes) {
    size_ = bytes.size();
    if (size_ > small_.size())
      large_.resize(size_ + alignment);
    if (size_ != 0)
      std::memcpy(data(), bytes.data(), size_);
  }
  std::byte* data() { return const_cast<std::byte*>(std::as_const(*this).data()); }
  const std::byte* data() const {
    if (size_ <= small_.size()) [[likely]]
      return small_.data();
    const auto address = reinterpret_cast<uintptr_t>(large_.data());
    return large_.data() + (alignment - address % alignment) % alignment;
  }
  size_t size() const { return size_; }

private:
  /// As many as make the block of one size with its alignment.
  static constexpr size_t fewBytes = alignment - sizeof(size_t) - sizeof(Bytes);

  alignas(alignment) std::array<std::byte, fewBytes> small_;
  size_t size_ = 0;
  Bytes large_;
};

} // namespace quern::device
