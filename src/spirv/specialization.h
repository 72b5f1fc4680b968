#pragma once

#include <cstdint>
#include <vector>

#include "spirv/module.h"

namespace quern::spirv {

/// A scalar constant of a module that the program may set (OpenCL 3.0, 5.8.3 "Setting
/// Specialization Constants").
struct SpecializationConstant {
  uint32_t specId = 0;
  uint32_t id = 0;    ///< of the instruction's result
  uint32_t bytes = 0; ///< of its value; 1 for a Boolean
};

/// Those of `module`, in its order. Constants of one SpecId may be several.
std::vector<SpecializationConstant> specializationConstants(const Module& module);

} // namespace quern::spirv
