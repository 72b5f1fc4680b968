#pragma once

#include <cstdint>
#include <vector>

#include <llvm/IR/DataLayout.h>
#include <llvm/IR/Function.h>

namespace quern::compiler {

/// Where one kernel argument lies in the packed argument block.
struct ArgumentPlace {
  uint64_t offset;
  uint64_t bytes;
  llvm::Align alignment;
  /// A struct passed by value: the parameter is a pointer to it.
  bool isByValue;
};

struct ArgumentLayout {
  std::vector<ArgumentPlace> places;
  uint64_t bytes = 0;
};

/// The largest alignment of an argument in the list of parameters of a kernel for NVIDIA devices.
inline constexpr uint64_t maxNvptxArgumentAlignment = 16;

/// Lays out the first `count` parameters of `function` one after the other, each at its natural
/// alignment, or at `maxAlignment` where that is less. Works on a kernel as Clang makes it and on
/// its work-item body and regions, whose struct parameters are pointers with known size.
ArgumentLayout layOutArguments(const llvm::Function& function, unsigned count,
                               uint64_t maxAlignment = llvm::Value::MaximumAlignment);

} // namespace quern::compiler
