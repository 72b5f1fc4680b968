#include "compiler/target/x86/permutations.h"

#include <llvm/IR/IntrinsicsX86.h>

#include "compiler/codegen/machine.h"

namespace quern::compiler {

llvm::Intrinsic::ID wordPermutation(const llvm::TargetMachine& machine, unsigned items) {
  if (items == 16 && hasFeature(machine, "avx512f"))
    return llvm::Intrinsic::x86_avx512_permvar_si_512;
  if (items == 8 && hasFeature(machine, "avx2"))
    return llvm::Intrinsic::x86_avx2_permd;
  return llvm::Intrinsic::not_intrinsic;
}

llvm::Intrinsic::ID pairPermutation(const llvm::TargetMachine& machine, const llvm::Type& element) {
  if (!hasFeature(machine, "avx512f"))
    return llvm::Intrinsic::not_intrinsic;
  if (element.isDoubleTy())
    return llvm::Intrinsic::x86_avx512_vpermi2var_pd_512;
  if (element.isFloatTy())
    return llvm::Intrinsic::x86_avx512_vpermi2var_ps_512;
  return element.isIntegerTy(64) ? llvm::Intrinsic::x86_avx512_vpermi2var_q_512
                                 : llvm::Intrinsic::x86_avx512_vpermi2var_d_512;
}

} // namespace quern::compiler
