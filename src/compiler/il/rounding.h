#pragma once

#include <llvm/IR/Module.h>

namespace quern::compiler {

/// Whether quotients and square roots of float must be correctly rounded, as the program was
/// compiled with -cl-fp32-correctly-rounded-divide-sqrt: a flag of the module, so that it stays
/// with the program when that is linked or code is made of it again. Of modules that are linked one
/// is enough.
inline constexpr llvm::StringRef correctRoundingFlag = "quern-correct-rounding";

inline void demandCorrectRounding(llvm::Module& module) {
  module.addModuleFlag(llvm::Module::Max, correctRoundingFlag, 1);
}

inline bool isCorrectRoundingDemanded(const llvm::Module& module) {
  return module.getModuleFlag(correctRoundingFlag) != nullptr;
}

} // namespace quern::compiler
