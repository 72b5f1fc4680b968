#pragma once

#include <vector>

#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>

namespace quern::compiler {

/// Declarations of the functions of one name that Clang's table of built-in functions lacks.
class Overloads {
public:
  Overloads(clang::ASTContext& context, clang::IdentifierInfo& name)
      : context_(context), name_(name) {}

  clang::ASTContext& context() const { return context_; }
  /// The type itself where `width` is 1.
  clang::QualType vectorOf(clang::QualType element, unsigned width) const;
  clang::QualType pointerTo(clang::QualType type, clang::LangAS space) const;
  /// The address spaces that memory of the program may lie in.
  std::vector<clang::LangAS> addressSpaces() const;

  /// One more, whose work-items need not come together.
  clang::FunctionDecl& add(clang::QualType result, llvm::ArrayRef<clang::QualType> parameters);
  /// One more, which the work-items of a group call together.
  void addConvergent(clang::QualType result, llvm::ArrayRef<clang::QualType> parameters);

  const std::vector<clang::FunctionDecl*>& functions() const { return functions_; }

private:
  clang::ASTContext& context_;
  clang::IdentifierInfo& name_;
  std::vector<clang::FunctionDecl*> functions_;
};

} // namespace quern::compiler
