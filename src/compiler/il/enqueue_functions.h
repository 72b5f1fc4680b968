#pragma once

#include <optional>

#include <llvm/ADT/StringRef.h>
#include <llvm/IR/Function.h>

/// Functions of OpenCL C by which kernels enqueue others (OpenCL C 3.0, 6.15.18), as the front end
/// calls them.
namespace quern::compiler {

/// Which argument of the function `name` is the kernel of a block; nothing where none is.
std::optional<unsigned> blockArgument(llvm::StringRef name);

/// Whether `kernel` may call a function that reads or writes the launch's abi::ChildRecords.
bool usesChildRecords(const llvm::Function& kernel);

} // namespace quern::compiler
