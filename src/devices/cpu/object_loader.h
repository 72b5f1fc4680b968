#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "base/bytes.h"
#include "base/result.h"
#include "devices/cpu/gdb_jit.h"

namespace quern::cpu {

/// A relocatable object in memory, ready to run: code is executable and not writable, constants are
/// read-only, variables are writable. One mapping, so that everything in it reaches everything else
/// with 32-bit displacements. Unmapped when destroyed, when no thread may be running in it any
/// more. Move-only.
class LoadedObject {
public:
  /// Needs neither LLVM nor a linker. CL_INVALID_BINARY when `object` is not an object that can run
  /// here or refers to a symbol that does not exist; CL_OUT_OF_HOST_MEMORY when there is no memory
  /// for it.
  static Result<LoadedObject> load(std::span<const std::byte> object);

  LoadedObject(LoadedObject&& other) noexcept;
  LoadedObject& operator=(LoadedObject&&) = delete;
  ~LoadedObject();

  /// The address of a function that the object defines, or null.
  const std::byte* function(std::string_view name) const;

private:
  friend class ObjectLoader;
  struct Function {
    std::string name;
    const std::byte* address;
  };
  LoadedObject() = default;

  std::byte* base_ = nullptr;
  uint64_t bytes_ = 0;
  std::vector<Function> functions_; ///< sorted by name
  GdbRegistration debugger_;
};

} // namespace quern::cpu
