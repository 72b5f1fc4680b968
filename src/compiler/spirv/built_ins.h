#pragma once

#include <optional>

#include <llvm/ADT/STLFunctionalExtras.h>
#include <llvm/IR/IRBuilder.h>

#include "compiler/spirv/types.h"

namespace quern::compiler::spirv {

/// A function of OpenCL C that tells what a built-in variable, or one component of it, has.
struct BuiltInPart {
  llvm::StringRef symbol;
  std::optional<unsigned> dimension; ///< its argument
  unsigned bits = 64;
  unsigned components = 1;

  llvm::Type* typeIn(llvm::LLVMContext& context) const;
};

/// The value of the variable that is decorated as the BuiltIn `number` and has the type `content`;
/// `ask` calls a function. Throws RuleBroken for one that kernels do not have, or of another type.
llvm::Value* valueOfBuiltIn(llvm::IRBuilder<>& builder, uint32_t number, const Type& content,
                            llvm::function_ref<llvm::Value*(const BuiltInPart&)> ask);

} // namespace quern::compiler::spirv
