#pragma once

#include <llvm/IR/PassManager.h>

#include "abi/program_image.h"
#include "compiler/passes/contract.h"
#include "compiler/passes/settings.h"

namespace quern::compiler {

/// Compiles the reading and writing of elements of images whose format is known
/// (LaunchFacts::objects) into kernels, with what the format says in the place of what is loaded
/// from their descriptions (abi/cpu_image.h): of the forms for all formats, one is left.
class ImageFormatsPass : public llvm::PassInfoMixin<ImageFormatsPass> {
public:
  static constexpr Contract contract = {.required = {Property::WorkItemBodies},
                                        .cleared = {Property::LoopsSimplified,
                                                    Property::LoopsClosed,
                                                    Property::AddressSpacesInferred}};

  explicit ImageFormatsPass(const PassSettings& settings) : facts_(settings.facts) {}

  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager&);
  static bool isRequired() { return true; }

private:
  const abi::LaunchFacts facts_;
};

} // namespace quern::compiler
