#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include <CL/cl.h>

#include "compiler/interface/compiler.h"
#include "device/caps.h"

/// The kernels that devices bring (OpenCL 3.0, 5.8.1 "Creating Program Objects"), as sources for
/// the compiler. docs/built_in_kernels.md says what each computes.
namespace quern::builtin_kernels {

/// Of every kernel.
inline constexpr cl_version version = CL_MAKE_VERSION(1, 0, 0);

/// Names in the order of CL_DEVICE_BUILT_IN_KERNELS; none where the device lacks what all need.
std::vector<std::string> namesFor(const device::Caps& caps);

struct Source {
  std::string text;
  std::vector<compiler::Header> headers;
};
/// A program with the kernels of these `names` that a device has, made for its kind; an empty text
/// where it has none of them.
Source sourceFor(const device::Caps& caps, std::span<const std::string> names);

/// What the sources are built with: in full at once, because what they compute is known to be worth
/// it.
compiler::Options buildOptions();

/// As many work-groups of so many work-items as a device can make use of: each takes work until
/// there is none.
size_t usefulGroups(const device::Caps& caps, size_t groupItems);

} // namespace quern::builtin_kernels
