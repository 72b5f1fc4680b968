#pragma once

#include <optional>

#include <llvm/ADT/StringRef.h>
#include <llvm/IR/IRBuilder.h>

#include "compiler/il/associative.h"

namespace quern::compiler {

/// A reduction or scan, as the built-in library names the functions that make its results
/// (builtins/include/collective.h, builtins/sub_group/clustered.cl): `add_int_reduce`.
struct CollectiveArithmetic {
  enum class Kind : uint8_t { Reduce, InclusiveScan, ExclusiveScan, ClusteredReduce };

  Kind kind = Kind::Reduce;
  Associative operation = Associative::Add;
  bool isLogical = false; ///< of truth values, which become 0 and 1
  llvm::StringRef type;   ///< by its name in OpenCL C; part of the name that was read

  /// Nothing for other functions.
  static std::optional<CollectiveArithmetic> parse(llvm::StringRef combine);

  /// The operand, or vector of operands, that changes nothing.
  llvm::Constant* nothing(llvm::Type* type) const;

  /// What the first work-item of an exclusive scan gets, which is no -0.
  llvm::Constant* beforeFirst(llvm::Type* type) const;

  /// The vector `values` as it is joined: what is not in `mask` (null: all) or not passed over
  /// becomes a neutral operand.
  llvm::Value* prepared(llvm::IRBuilder<>& builder, llvm::Value* values, llvm::Value* mask) const;

  /// The results of a sub-group that is a packet, for the vector `values`, of which only those in
  /// `mask` (null: all) take part. `clusterSize` is the second operand of a reduction of clusters;
  /// null is returned where it is no constant power of two.
  llvm::Value* emit(llvm::IRBuilder<>& builder, llvm::Value* values, llvm::Value* mask,
                    const llvm::Value* clusterSize) const;
};

} // namespace quern::compiler
