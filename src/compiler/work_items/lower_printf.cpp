#include "compiler/work_items/lower_printf.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>

#include "abi/cpu_kernel.h"
#include "compiler/il/called_function.h"
#include "compiler/il/kernel_function.h"
#include "compiler/il/names.h"
#include "compiler/work_items/printf_record.h"

namespace quern::compiler {
namespace {

using abi::PrintfHeader;

/// Null in a function that nothing calls.
llvm::Argument* launchOf(llvm::Function& function) {
  return function.hasFnAttribute(names::kernelAttribute)
             ? implicitArgument(function, ImplicitArgument::Launch)
             : answerIn(function, names::printer);
}

class Lowering {
public:
  explicit Lowering(llvm::CallInst& call)
      : call_(call), function_(*call.getFunction()), builder_(&call) {}

  void run() {
    const PrintfRecord fields(call_);
    llvm::Value* record = makeRecord(fields.bytes());
    fields.store(builder_, record);
    llvm::Value* result = callPrint(record, fields.bytes());
    builder_.CreateLifetimeEnd(record);
    call_.replaceAllUsesWith(result);
    call_.eraseFromParent();
  }

private:
  llvm::Value* makeRecord(uint64_t bytes) {
    llvm::BasicBlock& entry = function_.getEntryBlock();
    llvm::IRBuilder<> allocas(&entry, entry.begin());
    llvm::AllocaInst* record = allocas.CreateAlloca(
        llvm::ArrayType::get(builder_.getInt8Ty(), bytes), nullptr, "printf.record");
    record->setAlignment(llvm::Align(alignof(PrintfHeader)));
    builder_.CreateLifetimeStart(record);
    return record;
  }

  llvm::Value* at(llvm::Value* base, uint64_t offset) {
    return builder_.CreateConstInBoundsGEP1_64(builder_.getInt8Ty(), base, offset);
  }

  llvm::Value* callPrint(llvm::Value* record, uint64_t bytes) {
    llvm::Type* pointer = builder_.getPtrTy();
    llvm::Value* launch = launchOf(function_);
    llvm::Value* print = builder_.CreateAlignedLoad(
        pointer, at(launch, offsetof(abi::LaunchInfo, print)), llvm::Align(8), "print");
    llvm::Value* state = builder_.CreateAlignedLoad(
        pointer, at(launch, offsetof(abi::LaunchInfo, printState)), llvm::Align(8), "print.state");
    auto* type = llvm::FunctionType::get(builder_.getInt32Ty(),
                                         {pointer, pointer, builder_.getInt64Ty()}, false);
    llvm::CallInst* call =
        builder_.CreateCall(type, print, {state, record, builder_.getInt64(bytes)}, "printed");
    call->addFnAttr(llvm::Attribute::NoUnwind);
    call->addParamAttr(1, llvm::Attribute::ReadOnly);
    call->addParamAttr(
        1, llvm::Attribute::getWithCaptureInfo(call->getContext(), llvm::CaptureInfo::none()));
    return call;
  }

  llvm::CallInst& call_;
  llvm::Function& function_;
  llvm::IRBuilder<> builder_;
};

} // namespace

llvm::PreservedAnalyses LowerPrintfPass::run(llvm::Function& function,
                                             llvm::FunctionAnalysisManager&) {
  if (!launchOf(function))
    return llvm::PreservedAnalyses::all();
  const llvm::SmallVector<llvm::CallInst*> calls = callsOf(function, names::printf);
  for (llvm::CallInst* call : calls)
    Lowering(*call).run();
  return calls.empty() ? llvm::PreservedAnalyses::all() : llvm::PreservedAnalyses::none();
}

} // namespace quern::compiler
