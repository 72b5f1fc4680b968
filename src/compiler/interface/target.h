#pragma once

#include <string>
#include <vector>

namespace quern::compiler {

/// Which machine and language features to compile for. Made by a device; the runtime only passes it
/// on and compares it.
struct Target {
  /// "x86_64;cpu=NAME;features=+a,-b;sub-group=8" or "nvptx64;cpu=sm_90;...".
  std::string description;
  /// OpenCL extensions and OpenCL C 3.0 feature macros that kernels may use, e.g. "cl_khr_fp64",
  /// "__opencl_c_int64".
  std::vector<std::string> features;

  bool operator==(const Target&) const = default;
};

} // namespace quern::compiler
