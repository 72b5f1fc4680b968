#pragma once

#include <memory>
#include <span>
#include <vector>

#include "base/bytes.h"

namespace quern::cpu {

struct SectionAddress {
  size_t section = 0;
  uint64_t address = 0;
};

/// Makes an object's debug information known to a debugger attached to the process, now or later,
/// through the interface that gdb documents ("JIT Compilation Interface"). The debugger is told to
/// forget it when the registration is destroyed. Move-only.
class GdbRegistration {
public:
  GdbRegistration();
  GdbRegistration(GdbRegistration&&) noexcept;
  GdbRegistration& operator=(GdbRegistration&&) noexcept;
  ~GdbRegistration();

  /// `object` is a valid relocatable ELF object; `sections` says where its sections have been
  /// loaded. Copies the object.
  static GdbRegistration add(std::span<const std::byte> object,
                             std::span<const SectionAddress> sections);

private:
  struct Entry;
  std::unique_ptr<Entry> entry_;
};

} // namespace quern::cpu
