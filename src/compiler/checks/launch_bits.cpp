#include "compiler/checks/launch_bits.h"

#include <llvm/IR/IRBuilder.h>

#include "compiler/il/kernel_function.h"

namespace quern::compiler {

llvm::Value* launchBit(llvm::Function& body, uint64_t offset, unsigned argument) {
  llvm::IRBuilder<> builder(startOf(body));
  llvm::LoadInst* bits = builder.CreateAlignedLoad(
      builder.getInt64Ty(),
      builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(),
                                         implicitArgument(body, ImplicitArgument::Launch), offset),
      llvm::Align(8), "bits");
  bits->setMetadata(llvm::LLVMContext::MD_invariant_load,
                    llvm::MDNode::get(builder.getContext(), {}));
  return builder.CreateIsNotNull(
      builder.CreateAnd(bits, builder.getInt64(uint64_t{1} << argument)));
}

} // namespace quern::compiler
