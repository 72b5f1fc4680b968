#pragma once

#include <map>
#include <vector>

#include <clang/Sema/ExternalSemaSource.h>

namespace quern::compiler {

/// The functions of Intel's extensions of sub-groups (cl_intel_subgroups, cl_intel_subgroups_char,
/// _short and _long, cl_intel_subgroup_local_block_io), which Clang's table of built-in functions
/// lacks. There are hundreds, so they are not in a header that every program would pay for: those
/// of one name are declared when a program uses the name and has not declared it.
class IntelSubGroups : public clang::ExternalSemaSource {
public:
  void InitializeSema(clang::Sema& sema) override { sema_ = &sema; }
  void ForgetSema() override { sema_ = nullptr; }
  bool LookupUnqualified(clang::LookupResult& result, clang::Scope* scope) override;

private:
  clang::Sema* sema_ = nullptr;
  std::map<const clang::IdentifierInfo*, std::vector<clang::FunctionDecl*>> declared_;
};

} // namespace quern::compiler
