#pragma once

#include <llvm/ADT/DenseMap.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>

#include "abi/checks.h"

namespace quern::compiler {

/// Memory that a pointer may be used for.
struct Object {
  abi::ObjectKind kind = abi::ObjectKind::None; ///< None: nothing is checked
  unsigned argument = 0;                        ///< of an Argument or a LocalArgument
  llvm::StringRef name;
  llvm::Value* begin = nullptr; ///< i64: address of the first byte
  llvm::Value* bytes = nullptr; ///< i64

  bool operator==(const Object&) const = default;
};

/// Finds the objects that the pointers of one work-item body point into, as values that are there
/// wherever the pointer is. Of arguments the launch knows the size
/// (abi::CheckedLaunchInfo::extents), of a pointer out of memory the functions
/// abi::checkBeginSymbol and abi::checkBytesSymbol.
class Objects {
public:
  explicit Objects(llvm::Function& body) : body_(body) {}

  /// `mayLookUp` false: None for a pointer of which only those functions know.
  Object of(llvm::Value* pointer, bool mayLookUp);

private:
  Object find(llvm::Value* root, bool mayLookUp);
  Object ofArgument(llvm::Argument& argument);
  Object joined(llvm::PHINode& phi, bool mayLookUp);
  Object chosen(llvm::SelectInst& select, bool mayLookUp);
  Object lookedUp(llvm::Value& pointer);

  llvm::Function& body_;
  llvm::DenseMap<std::pair<llvm::Value*, unsigned>, Object> found_;
};

} // namespace quern::compiler
