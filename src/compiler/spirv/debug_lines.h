#pragma once

#include <memory>

#include <llvm/IR/DIBuilder.h>
#include <llvm/IR/Module.h>

namespace quern::compiler::spirv {

/// A place in a program's source, as OpLine says it.
struct SourcePlace {
  llvm::StringRef file;
  unsigned line = 0;
  unsigned column = 0;
};

/// Lines for debuggers, as Clang makes them with -g: functions with their names and places, and
/// instructions with theirs. Does nothing in a program that is built without -g, or whose functions
/// have no places.
class DebugLines {
public:
  DebugLines(llvm::Module& module, bool isWanted) : module_(module), isWanted_(isWanted) {}

  /// Whether instructions want places.
  bool isWanted() const { return isWanted_; }
  void add(llvm::Function& function, llvm::StringRef name, const SourcePlace& place);
  /// Null where the function has none.
  llvm::DILocation* at(const llvm::Function& function, const SourcePlace& place);
  /// That of what belongs to no line of its own.
  llvm::DILocation* atBegin(const llvm::Function& function);
  void finish();

private:
  llvm::DIFile* file(llvm::StringRef path);

  llvm::Module& module_;
  const bool isWanted_;
  std::unique_ptr<llvm::DIBuilder> builder_; ///< from the first function on
  llvm::DICompileUnit* unit_ = nullptr;
};

} // namespace quern::compiler::spirv
