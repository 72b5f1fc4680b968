#pragma once

#include <map>
#include <string>
#include <vector>

#include <clang/Sema/ExternalSemaSource.h>

namespace quern::compiler {

/// The built-in functions that Clang's table lacks, of OpenCL C, of its extensions and of ours.
/// There are hundreds and programs use few, so they are not in a header that every program would
/// pay for: those of one name are declared when a program uses the name and has not declared it.
class BuiltinDeclarations : public clang::ExternalSemaSource {
public:
  /// `features` are the extensions that the device has. The caller keeps them.
  explicit BuiltinDeclarations(const std::vector<std::string>& features) : features_(features) {}

  void InitializeSema(clang::Sema& sema) override { sema_ = &sema; }
  void ForgetSema() override { sema_ = nullptr; }
  bool LookupUnqualified(clang::LookupResult& result, clang::Scope* scope) override;

private:
  std::vector<clang::FunctionDecl*> declare(clang::IdentifierInfo& name) const;
  bool has(llvm::StringRef feature) const;

  const std::vector<std::string>& features_;
  clang::Sema* sema_ = nullptr;
  std::map<const clang::IdentifierInfo*, std::vector<clang::FunctionDecl*>> declared_;
};

} // namespace quern::compiler
