#include "compiler/work_items/callee_frames.h"

#include <llvm/Analysis/CaptureTracking.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/MathExtras.h>

#include "compiler/il/appended_parameters.h"
#include "compiler/il/called_function.h"

namespace quern::compiler {
namespace {

/// What the variables of a called function may take of the thread's stack.
constexpr uint64_t maxStackBytes = 1024;
constexpr uint64_t frameAlignment = 128;
constexpr const char* frameName = "callee.frame";

/// The variables of one function, one after the other.
struct Frame {
  llvm::SmallVector<std::pair<llvm::AllocaInst*, uint64_t>> variables; ///< and where they start
  uint64_t bytes = 0;
};

Frame layOut(llvm::Function& function) {
  Frame frame;
  for (llvm::Instruction& instruction : llvm::instructions(function)) {
    auto* variable = llvm::dyn_cast<llvm::AllocaInst>(&instruction);
    if (!variable || !variable->isStaticAlloca())
      continue;
    frame.bytes = llvm::alignTo(frame.bytes, variable->getAlign());
    frame.variables.emplace_back(variable, frame.bytes);
    frame.bytes += variable->getAllocationSize(function.getDataLayout())->getFixedValue();
  }
  return frame;
}

/// The room in `caller` for the frames of what it calls, of which one is in use at a time.
llvm::AllocaInst& roomIn(llvm::Function& caller, uint64_t bytes) {
  llvm::Type* type = llvm::ArrayType::get(llvm::Type::getInt8Ty(caller.getContext()), bytes);
  for (llvm::Instruction& instruction : caller.getEntryBlock())
    if (auto* room = llvm::dyn_cast<llvm::AllocaInst>(&instruction);
        room && room->getName() == frameName) {
      if (room->getAllocationSize(caller.getDataLayout())->getFixedValue() < bytes)
        room->setAllocatedType(type);
      return *room;
    }
  llvm::IRBuilder<> builder(&caller.getEntryBlock(), caller.getEntryBlock().begin());
  llvm::AllocaInst* room = builder.CreateAlloca(type, nullptr, frameName);
  room->setAlignment(llvm::Align(frameAlignment));
  return *room;
}

/// A marker of a variable's life is for what is on the stack only.
void moveTo(llvm::Value& place, llvm::AllocaInst& variable) {
  for (llvm::User* user : llvm::make_early_inc_range(variable.users()))
    if (auto* marker = llvm::dyn_cast<llvm::LifetimeIntrinsic>(user))
      marker->eraseFromParent();
  place.takeName(&variable);
  variable.replaceAllUsesWith(&place);
  variable.eraseFromParent();
}

llvm::Function& passFrame(llvm::Function& function, const Frame& frame) {
  llvm::Type* pointer = llvm::PointerType::get(function.getContext(), 0);
  const unsigned index = function.arg_size();
  llvm::Function& result = appendParameters(
      function, {pointer}, [&](llvm::IRBuilder<>& builder) -> llvm::SmallVector<llvm::Value*> {
        llvm::CallInst& call = llvm::cast<llvm::CallInst>(*builder.GetInsertPoint());
        llvm::AllocaInst& room = roomIn(*call.getFunction(), frame.bytes);
        builder.CreateLifetimeStart(&room);
        llvm::IRBuilder<>(call.getNextNode()).CreateLifetimeEnd(&room);
        return {&room};
      });
  llvm::Argument* parameter = result.getArg(index);
  parameter->setName("frame");
  result.addParamAttr(index, llvm::Attribute::NoAlias);
  result.addParamAttr(
      index, llvm::Attribute::getWithAlignment(result.getContext(), llvm::Align(frameAlignment)));
  result.addDereferenceableParamAttr(index, frame.bytes);
  for (const auto& [variable, offset] : frame.variables) {
    llvm::IRBuilder<> builder(variable);
    moveTo(*builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), parameter, offset), *variable);
  }
  return result;
}

void noteWhatIsNotKept(llvm::Function& function) {
  for (llvm::Argument& argument : function.args())
    if (argument.getType()->isPointerTy() && !argument.hasNoCaptureAttr() &&
        !llvm::PointerMayBeCaptured(&argument, /*ReturnCaptures=*/true))
      argument.addAttr(
          llvm::Attribute::getWithCaptureInfo(function.getContext(), llvm::CaptureInfo::none()));
}

} // namespace

llvm::PreservedAnalyses CalleeFramesPass::run(llvm::Module& module, llvm::ModuleAnalysisManager&) {
  const auto components = calledFunctions(module);
  for (const auto& functions : components)
    for (llvm::Function* function : functions) {
      const Frame frame = layOut(*function);
      noteWhatIsNotKept(frame.bytes > maxStackBytes ? passFrame(*function, frame) : *function);
    }
  return components.empty() ? llvm::PreservedAnalyses::all() : llvm::PreservedAnalyses::none();
}

} // namespace quern::compiler
