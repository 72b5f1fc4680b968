#pragma once

#include <llvm/ADT/StringRef.h>

/// Names that the passes of this room agree on.
namespace quern::compiler::names {

/// `void quern.check.WHAT(ptr site, i64, i64, i64)`: what a check tells the device of
/// (checks/fault.h), as abi::checkFaultSymbol and its like do. Only kernels know the ids that are
/// told, too.
inline constexpr llvm::StringRef checkFault = "quern.check.fault";
inline constexpr llvm::StringRef checkAccess = "quern.check.access";
inline constexpr llvm::StringRef checkBarrier = "quern.check.barrier";
/// Metadata of accesses and variables that the program itself has written.
inline constexpr llvm::StringRef checkedMetadata = "quern.checked";

} // namespace quern::compiler::names
