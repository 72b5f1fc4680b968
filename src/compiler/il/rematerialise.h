#pragma once

#include <functional>

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/STLFunctionalExtras.h>
#include <llvm/IR/IRBuilder.h>

namespace quern::compiler {

/// Makes values again, for another place or another work-item, of copies of the instructions that
/// they are made by, each once, down to constants and what `known` gives; that gives null for what
/// must be copied. What turns out to be something simpler is that.
class Rematerialiser {
public:
  using Known = std::function<llvm::Value*(llvm::Value*)>;
  /// Whether copies promise what the originals do, not to wrap for example: they run where those
  /// run, or else nobody uses them.
  enum class Promises : uint8_t { None, Kept };

  Rematerialiser(llvm::IRBuilderBase& builder, Known known, Promises promises = Promises::None);

  llvm::Value* of(llvm::Value* value);

private:
  llvm::Value* make(llvm::Value* value);

  llvm::IRBuilderBase& builder_;
  Known known_;
  Promises promises_;
  llvm::DenseMap<llvm::Value*, llvm::Value*> made_;
};

/// One value, by copies that promise nothing.
llvm::Value* rematerialise(llvm::IRBuilderBase& builder, llvm::Value* value,
                           Rematerialiser::Known known);

/// Whether copies of few instructions do, which may run where the originals do not and give the
/// same there at any time, down to what `isKnown`.
bool canRematerialise(const llvm::Value* value,
                      llvm::function_ref<bool(const llvm::Value*)> isKnown);

} // namespace quern::compiler
