#include "compiler/checks/check_copies.h"

#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

#include "abi/checked_launch.h"
#include "compiler/checks/fault.h"
#include "compiler/checks/names.h"
#include "compiler/il/names.h"

namespace quern::compiler {
namespace {

using abi::CheckedMeeting;

/// Whether `call` is of a function of the library whose name, in Itanium form, begins so.
bool isCallOf(const llvm::CallInst& call, llvm::StringRef name) {
  const llvm::Function* callee = call.getCalledFunction();
  return callee && callee->getName().starts_with("_Z") &&
         callee->getName().drop_front(2).ltrim("0123456789").starts_with(name);
}

bool isCopy(const llvm::CallInst& call) {
  return (isCallOf(call, "async_work_group_copy") ||
          isCallOf(call, "async_work_group_strided_copy")) &&
         call.arg_size() > 1 && call.getType()->isIntegerTy();
}

bool isWait(const llvm::CallInst& call) {
  return isCallOf(call, "wait_group_events") && call.arg_size() == 2;
}

llvm::Value* asNumber(llvm::IRBuilder<>& builder, llvm::Value* value) {
  return value->getType()->isPointerTy() ? builder.CreatePtrToInt(value, builder.getInt64Ty())
                                         : builder.CreateZExtOrTrunc(value, builder.getInt64Ty());
}

void tell(llvm::IRBuilder<>& builder, const llvm::CallInst& call, CheckedMeeting meeting,
          llvm::Value* what, llvm::Value* event) {
  tellDevice(builder, names::checkBarrier,
             {.fault = abi::Fault::DivergentBarrier,
              .name = std::string(meeting == CheckedMeeting::Copy ? abi::meetingOfCopy
                                                                  : abi::meetingOfWait)},
             call, {what, event, builder.getInt64(static_cast<uint64_t>(meeting))});
}

/// One number for all that the call says to copy.
llvm::Value* whatIsCopied(llvm::IRBuilder<>& builder, const llvm::CallInst& copy) {
  // The prime of the hash FNV-1a (Fowler, Noll, Vo) of 64 bits.
  constexpr uint64_t factor = 0x100000001b3;
  llvm::Value* all = builder.getInt64(0);
  for (unsigned i = 0; i + 1 < copy.arg_size(); ++i)
    all = builder.CreateMul(builder.CreateXor(all, asNumber(builder, copy.getArgOperand(i))),
                            builder.getInt64(factor));
  return all;
}

void checkCopy(llvm::CallInst& copy, uint64_t number) {
  llvm::IRBuilder<> builder(&copy);
  const unsigned last = copy.arg_size() - 1;
  llvm::Value* given = copy.getArgOperand(last);
  llvm::Value* own = llvm::ConstantInt::get(given->getType(), number);
  llvm::Value* event = builder.CreateSelect(builder.CreateIsNull(given), own, given, "event");
  copy.setArgOperand(last, event);
  tell(builder, copy, CheckedMeeting::Copy, whatIsCopied(builder, copy), asNumber(builder, event));
}

void checkWait(llvm::CallInst& wait) {
  llvm::Value* count = llvm::IRBuilder<>(&wait).CreateZExt(
      wait.getArgOperand(0), llvm::Type::getInt64Ty(wait.getContext()));
  const auto* known = llvm::dyn_cast<llvm::ConstantInt>(count);
  llvm::Value* events = wait.getArgOperand(1);
  llvm::Type* type = llvm::Type::getInt64Ty(wait.getContext()); // since opaque types are lowered
  const auto tellOf = [&](llvm::IRBuilder<>& builder, llvm::Value* place) {
    tell(builder, wait, CheckedMeeting::Wait,
         asNumber(builder, builder.CreateLoad(type, place, "event")), builder.getInt64(0));
  };
  if (known && known->isOne()) {
    llvm::IRBuilder<> builder(&wait);
    return tellOf(builder, events);
  }
  const auto [inLoop, index] = llvm::SplitBlockAndInsertSimpleForLoop(count, wait.getIterator());
  llvm::IRBuilder<> builder(inLoop);
  tellOf(builder, builder.CreateGEP(type, events, index));
}

} // namespace

llvm::PreservedAnalyses CheckCopiesPass::run(llvm::Module& module, llvm::ModuleAnalysisManager&) {
  llvm::SmallVector<llvm::CallInst*> copies, waits;
  for (llvm::Function& function : module) {
    if (!function.hasFnAttribute(names::programAttribute))
      continue;
    for (llvm::Instruction& instruction : llvm::instructions(function))
      if (auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction); call && isCopy(*call))
        copies.push_back(call);
      else if (call && isWait(*call))
        waits.push_back(call);
  }
  for (size_t i = 0; i < copies.size(); ++i)
    checkCopy(*copies[i], i + 1);
  for (llvm::CallInst* wait : waits)
    checkWait(*wait);
  return copies.empty() && waits.empty() ? llvm::PreservedAnalyses::all()
                                         : llvm::PreservedAnalyses::none();
}

} // namespace quern::compiler
