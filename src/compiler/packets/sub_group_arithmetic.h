#pragma once

#include <optional>

#include <llvm/ADT/StringRef.h>
#include <llvm/IR/IRBuilder.h>

namespace quern::compiler {

/// A reduction or scan of a sub-group that is a packet.
class SubGroupArithmetic {
public:
  /// Reads the names of the built-in library's functions (builtins/include/collective.h,
  /// builtins/sub_group/clustered.cl), such as `add_int_reduce`; nothing for other functions.
  static std::optional<SubGroupArithmetic> parse(llvm::StringRef combine);

  /// The results for the vector `values`, of which only those in `mask` (null: all) take part.
  /// `clusterSize` is the second operand of a reduction of clusters; null is returned where it is
  /// no constant power of two.
  llvm::Value* emit(llvm::IRBuilder<>& builder, llvm::Value* values, llvm::Value* mask,
                    const llvm::Value* clusterSize) const;

private:
  enum class Operation : uint8_t { Add, Mul, Min, Max, And, Or, Xor };
  enum class Kind : uint8_t { Reduce, InclusiveScan, ExclusiveScan, ClusteredReduce };

  llvm::Constant* identity(llvm::Type* type) const;
  llvm::Value* joined(llvm::IRBuilder<>& builder, llvm::Value* a, llvm::Value* b) const;
  llvm::Value* clustered(llvm::IRBuilder<>& builder, llvm::Value* values, uint64_t size) const;
  llvm::Value* scan(llvm::IRBuilder<>& builder, llvm::Value* values) const;

  Operation operation_ = Operation::Add;
  Kind kind_ = Kind::Reduce;
  bool isUnsigned_ = false;
  bool isLogical_ = false; ///< of truth values, which become 0 and 1
};

} // namespace quern::compiler
