#pragma once

#include <clang/CodeGen/CodeGenAction.h>

namespace quern::compiler {

/// Compiles to IR under the limits of a driver that builds programs of unknown origin: `#embed`,
/// which OpenCL C does not have, is an error, and so are a source that preprocesses to more tokens
/// than any program needs and functions at which Clang or LLVM would give up.
class ProgramAction : public clang::EmitLLVMOnlyAction {
public:
  using EmitLLVMOnlyAction::EmitLLVMOnlyAction;

protected:
  bool BeginSourceFileAction(clang::CompilerInstance& compiler) override;
  std::unique_ptr<clang::ASTConsumer> CreateASTConsumer(clang::CompilerInstance& compiler,
                                                        llvm::StringRef file) override;
};

} // namespace quern::compiler
