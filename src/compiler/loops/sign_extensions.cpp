#include "compiler/loops/sign_extensions.h"

#include <llvm/IR/Instructions.h>

namespace quern::compiler {

llvm::SmallVector<llvm::Instruction*> signExtensionsOf(llvm::Value& value) {
  llvm::SmallVector<llvm::Instruction*> conversions;
  for (llvm::User* user : value.users()) {
    const auto* zero = llvm::dyn_cast<llvm::ZExtInst>(user);
    if (user->getType()->isIntegerTy(64) &&
        (llvm::isa<llvm::SExtInst>(user) || (zero && zero->hasNonNeg())))
      conversions.push_back(llvm::cast<llvm::Instruction>(user));
  }
  return conversions;
}

void replaceSignExtensions(llvm::ArrayRef<llvm::Instruction*> conversions, llvm::Value* wide) {
  for (llvm::Instruction* conversion : conversions) {
    conversion->replaceAllUsesWith(wide);
    conversion->eraseFromParent();
  }
}

} // namespace quern::compiler
