#include "compiler/target/nvptx/printf.h"

#include <llvm/IR/Module.h>
#include <llvm/Support/MathExtras.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

#include "abi/nvptx_kernel.h"
#include "compiler/il/called_function.h"
#include "compiler/il/names.h"
#include "compiler/target/nvptx/kernels.h"
#include "compiler/target/nvptx/remap_address_spaces.h"
#include "compiler/target/nvptx/work_items.h"
#include "compiler/work_items/printf_record.h"

namespace quern::compiler {
namespace {

constexpr uint64_t recordAlignment = 8;

void lower(llvm::CallInst& call) {
  llvm::Function& function = *call.getFunction();
  llvm::IRBuilder<> builder(&call);
  const PrintfRecord record(call);
  llvm::Value* buffer =
      isNvptxKernel(function) ? printBuffer(function, builder) : answerIn(function, names::printer);
  const auto bytes = static_cast<uint32_t>(llvm::alignTo(record.bytes(), recordAlignment));
  static_assert(offsetof(abi::NvptxPrintBuffer, used) == 0);
  llvm::Value* place = builder.CreateAtomicRMW(
      llvm::AtomicRMWInst::Add, buffer, builder.getInt32(bytes), llvm::Align(4),
      llvm::AtomicOrdering::Monotonic, function.getContext().getOrInsertSyncScopeID("device"));
  llvm::Value* capacity = builder.CreateLoad(
      builder.getInt32Ty(),
      builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), buffer,
                                         offsetof(abi::NvptxPrintBuffer, capacity)));
  // The sum may pass the end of 32 bits once many records have been dropped.
  llvm::Value* fits = builder.CreateAnd(
      builder.CreateICmpULT(place, capacity),
      builder.CreateICmpULE(builder.getInt32(bytes), builder.CreateSub(capacity, place)));
  llvm::Instruction* inside = llvm::SplitBlockAndInsertIfThen(fits, &call, false);
  builder.SetInsertPoint(inside);
  llvm::Value* records = builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), buffer,
                                                            sizeof(abi::NvptxPrintBuffer));
  record.store(builder, builder.CreateInBoundsGEP(builder.getInt8Ty(), records,
                                                  builder.CreateZExt(place, builder.getInt64Ty())));
  builder.SetInsertPoint(&call);
  call.replaceAllUsesWith(builder.CreateSelect(fits, builder.getInt32(0), builder.getInt32(~0u)));
  call.eraseFromParent();
}

} // namespace

llvm::Value* printBuffer(llvm::Function& kernel, llvm::IRBuilder<>& builder) {
  kernel.addFnAttr(names::printsAttribute);
  return builder.CreateIntToPtr(
      NvptxWorkItem(kernel, builder).launchField(offsetof(abi::NvptxLaunch, printBuffer)),
      builder.getPtrTy(nvptx_space::global));
}

void lowerNvptxPrintf(llvm::Function& function) {
  if (isNvptxKernel(function) || answerIn(function, names::printer))
    for (llvm::CallInst* call : callsOf(function, names::printf))
      lower(*call);
}

} // namespace quern::compiler
