#include "compiler/work_items/address_space_queries.h"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/IRBuilder.h>

#include "abi/cpu_kernel.h"
#include "compiler/il/address_space.h"
#include "compiler/il/called_function.h"
#include "compiler/il/kernel_function.h"
#include "compiler/il/names.h"

namespace quern::compiler {
namespace {

/// Null in a function that nothing calls.
llvm::Argument* scratchOf(llvm::Function& function) {
  return function.hasFnAttribute(names::kernelAttribute)
             ? implicitArgument(function, ImplicitArgument::Scratch)
             : answerIn(function, names::groupScratch);
}

class Query {
public:
  explicit Query(llvm::CallInst& call)
      : call_(call), function_(*call.getFunction()), builder_(&call) {}

  void answer() {
    llvm::Value* pointer = call_.getArgOperand(0);
    const unsigned origin =
        llvm::getUnderlyingObject(pointer, 0)->getType()->getPointerAddressSpace();
    call_.replaceAllUsesWith(origin == address_space::generic ? compareBounds(pointer)
                                                              : number(origin));
    call_.eraseFromParent();
  }

private:
  llvm::Value* number(unsigned addressSpace) {
    return llvm::ConstantInt::get(call_.getType(), addressSpace);
  }

  llvm::Value* compareBounds(llvm::Value* pointer) {
    llvm::Value* address = builder_.CreatePtrToInt(pointer, builder_.getInt64Ty());
    const auto inside = [&](llvm::Value* base, llvm::Value* bytes) {
      return builder_.CreateICmpULT(builder_.CreateSub(address, base), bytes);
    };
    llvm::Value* local = inside(field(offsetof(abi::GroupScratch, local)),
                                field(offsetof(abi::GroupScratch, localBytes)));
    llvm::Value* context = inside(field(offsetof(abi::GroupScratch, context)),
                                  field(offsetof(abi::GroupScratch, contextBytes)));
    llvm::Value* low = field(offsetof(abi::GroupScratch, stackLow));
    llvm::Value* stack =
        inside(low, builder_.CreateSub(field(offsetof(abi::GroupScratch, stackHigh)), low));
    llvm::Value* other =
        builder_.CreateSelect(builder_.CreateOr(context, stack),
                              number(address_space::privateMemory), number(address_space::global));
    return builder_.CreateSelect(local, number(address_space::local), other);
  }

  llvm::Value* field(uint64_t offset) {
    llvm::Value* address =
        builder_.CreateConstInBoundsGEP1_64(builder_.getInt8Ty(), scratchOf(function_), offset);
    llvm::LoadInst* value =
        builder_.CreateAlignedLoad(builder_.getInt64Ty(), address, llvm::Align(8));
    value->setMetadata(llvm::LLVMContext::MD_invariant_load,
                       llvm::MDNode::get(call_.getContext(), {}));
    return value;
  }

  llvm::CallInst& call_;
  llvm::Function& function_;
  llvm::IRBuilder<> builder_;
};

} // namespace

llvm::PreservedAnalyses AddressSpaceQueriesPass::run(llvm::Function& function,
                                                     llvm::FunctionAnalysisManager&) {
  if (!scratchOf(function))
    return llvm::PreservedAnalyses::all();
  const llvm::SmallVector<llvm::CallInst*> calls = callsOf(function, names::addressSpaceOf);
  for (llvm::CallInst* call : calls)
    Query(*call).answer();
  return calls.empty() ? llvm::PreservedAnalyses::all() : llvm::PreservedAnalyses::none();
}

} // namespace quern::compiler
