#pragma once

#include <llvm/IR/PassManager.h>

#include "compiler/passes/contract.h"

namespace quern::compiler {

/// Answers __quern_address_space_of: with a number where the memory that a pointer points to is
/// known, else by a test of the address.
class AddressSpaceTestsPass : public llvm::PassInfoMixin<AddressSpaceTestsPass> {
public:
  static constexpr Contract contract = {
      .required = {Property::NvptxAddressSpaces, Property::AddressSpacesInferred}};

  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager&);
  static bool isRequired() { return true; }
};

} // namespace quern::compiler
