#pragma once

#include <optional>

#include <llvm/IR/Constants.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Target/TargetMachine.h>

namespace quern::compiler {

/// A load of an element of a constant array that two vector registers hold.
struct TableLookup {
  const llvm::ConstantDataArray* table;
  llvm::Value* index;
};

/// What `load` looks up, if that is so and `machine` has instructions that pick elements of
/// registers for each of a packet's work-items.
std::optional<TableLookup> tableLookup(const llvm::LoadInst& load,
                                       const llvm::TargetMachine& machine);

} // namespace quern::compiler
