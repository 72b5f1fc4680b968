#pragma once

#include <llvm/IR/PassManager.h>
#include <llvm/Target/TargetMachine.h>

#include "compiler/passes/contract.h"
#include "compiler/passes/settings.h"

namespace quern::compiler {

/// Turns a module made for spir64 into one for the machine, marks its functions with
/// programAttribute, and links in the functions of the built-in library that it calls, directly or
/// through others: the forms that it has for this kind of machine (names::avx512Prefix,
/// names::fmaPrefix, names::nvptxPrefix), if any.
class LinkBuiltinsPass : public llvm::PassInfoMixin<LinkBuiltinsPass> {
public:
  static constexpr Contract contract = {
      .required = {Property::AsFrontEndMade},
      .cleared = {Property::AsFrontEndMade, Property::CalleesInlined}};

  explicit LinkBuiltinsPass(const PassSettings& settings) : machine_(settings.machine) {}
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager&);
  static bool isRequired() { return true; }

private:
  const llvm::TargetMachine& machine_;
};

} // namespace quern::compiler
