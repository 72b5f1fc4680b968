#pragma once

#include <span>
#include <string_view>

namespace quern::builtin_kernels {

struct File {
  std::string_view name;
  std::string_view text;
};

/// The files in OpenCL C of this folder.
extern const std::span<const File> files;

} // namespace quern::builtin_kernels
