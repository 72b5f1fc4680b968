#pragma once

#include <llvm/ADT/DenseMap.h>

#include "compiler/checks/objects.h"

namespace quern::compiler {

/// Where it stands which bytes of a place in memory have been written: a byte for each, all ones
/// where it has.
struct Shadow {
  /// Null where all has been written, as far as is known when the kernel is compiled. Where
  /// `isThere` is false it is the place in memory itself, which may be read like a shadow: packets
  /// then need no mask, and a mask costs nothing, as it does on an address where there is no
  /// memory.
  llvm::Value* place = nullptr;
  llvm::Value* isThere = nullptr; ///< i1, the same for all work-items; null where it always is

  explicit operator bool() const { return place != nullptr; }
};

/// The shadows of what work-items share: of arguments the launch has them
/// (abi::CheckedLaunchInfo::written), of local memory the work-group
/// (abi::CheckedScratch::written).
class SharedShadows {
public:
  explicit SharedShadows(llvm::Function& body) : body_(body), objects_(body) {}

  /// Of what `pointer` points at, as values where `builder` is.
  Shadow of(llvm::IRBuilder<>& builder, llvm::Value* pointer);
  /// Of that, `bytes` bytes have been written. Where there is no shadow that is known of, the
  /// device looks for one.
  void noteUnknown(llvm::IRBuilder<>& builder, llvm::Value* pointer, llvm::Value* bytes);

private:
  Shadow ofArgument(const Object& object);
  llvm::Value* ofLocalMemory();
  llvm::Value* isAnyUnwritten();

  llvm::Function& body_;
  Objects objects_;
  llvm::DenseMap<unsigned, Shadow> arguments_; ///< of their first bytes
  llvm::Value* local_ = nullptr;               ///< likewise
  llvm::Value* isAnyUnwritten_ = nullptr;
};

} // namespace quern::compiler
