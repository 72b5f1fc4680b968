#pragma once

#include <optional>

#include <llvm/ADT/StringRef.h>
#include <llvm/IR/Function.h>

/// Functions of OpenCL C by which kernels enqueue others (OpenCL C 3.0, 6.15.18), as the front end
/// calls them.
namespace quern::compiler {

/// The built-in library's form of enqueue_kernel for a block that is given any bytes, and not the
/// literal of a block of OpenCL C, which begins with its size.
inline constexpr llvm::StringLiteral enqueueOfBytes = "__quern_enqueue_bytes";
/// Beside the flags of a program in enqueue_kernel (builtins/enqueue/enqueue.cl): it was built with
/// -g, and is told what was wrong.
inline constexpr unsigned enqueueTellsErrors = 0x100;

/// Which argument of the function `name` is the kernel of a block; nothing where none is.
std::optional<unsigned> blockArgument(llvm::StringRef name);

/// Whether `kernel` may call a function that reads or writes the launch's abi::ChildRecords.
bool usesChildRecords(const llvm::Function& kernel);

/// Whether `kernel` may call capture_event_profiling_info.
bool asksForTimes(const llvm::Function& kernel);

} // namespace quern::compiler
