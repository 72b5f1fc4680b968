#include "compiler/target/nvptx/memory_order.h"

#include <string>

#include <llvm/CodeGen/AtomicExpandUtils.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/InstIterator.h>

#include "compiler/target/nvptx/remap_address_spaces.h"

namespace quern::compiler {
namespace {

using llvm::AtomicOrdering;
using llvm::AtomicRMWInst;

/// Name and kind of type of the instruction for an operation; null when there is none. Differences
/// are sums with what is negated.
const char* instructionFor(AtomicRMWInst::BinOp operation) {
  switch (operation) {
  case AtomicRMWInst::Xchg:
    return "exch.b";
  case AtomicRMWInst::Add:
  case AtomicRMWInst::Sub:
    return "add.u";
  case AtomicRMWInst::FAdd:
  case AtomicRMWInst::FSub:
    return "add.f";
  case AtomicRMWInst::And:
    return "and.b";
  case AtomicRMWInst::Or:
    return "or.b";
  case AtomicRMWInst::Xor:
    return "xor.b";
  case AtomicRMWInst::Max:
    return "max.s";
  case AtomicRMWInst::UMax:
    return "max.u";
  case AtomicRMWInst::Min:
    return "min.s";
  case AtomicRMWInst::UMin:
    return "min.u";
  default:
    return nullptr;
  }
}

/// Whether the instruction takes denormal numbers for zero that the program keeps: sums of float
/// that are not in the work-group's memory.
bool losesDenormals(const AtomicRMWInst& update) {
  return update.getType()->isFloatTy() &&
         (update.getOperation() == AtomicRMWInst::FAdd ||
          update.getOperation() == AtomicRMWInst::FSub) &&
         update.getPointerAddressSpace() != nvptx_space::shared &&
         update.getFunction()->getDenormalMode(llvm::APFloat::IEEEsingle()) ==
             llvm::DenormalMode::getIEEE();
}

/// `update` becomes a loop that exchanges what it has computed for what it has found.
void makeExchange(AtomicRMWInst& update) {
  llvm::expandAtomicRMWToCmpXchg(&update, [](llvm::IRBuilderBase& builder, llvm::Value* address,
                                             llvm::Value* loaded, llvm::Value* changed,
                                             llvm::Align alignment, AtomicOrdering order,
                                             llvm::SyncScope::ID scope, llvm::Value*& success,
                                             llvm::Value*& found, llvm::Instruction*) {
    llvm::Type* type = changed->getType();
    llvm::Type* bits = builder.getIntNTy(type->getScalarSizeInBits());
    llvm::Value* pair = builder.CreateAtomicCmpXchg(address, builder.CreateBitCast(loaded, bits),
                                                    builder.CreateBitCast(changed, bits), alignment,
                                                    order, AtomicOrdering::Monotonic, scope);
    success = builder.CreateExtractValue(pair, 1);
    found = builder.CreateBitCast(builder.CreateExtractValue(pair, 0), type);
  });
}

/// LLVM 22 knows no scope of read-modify-write operations but the device's. `update` is relaxed,
/// and goes.
void makeSystemWide(AtomicRMWInst& update) {
  const bool isShort = update.getType()->getScalarSizeInBits() < 32;
  const char* instruction = isShort ? nullptr : instructionFor(update.getOperation());
  if (!instruction)
    return makeExchange(update);
  llvm::IRBuilder<> builder(&update);
  llvm::Value* operand = update.getValOperand();
  llvm::Type* resultType = operand->getType();
  if (update.getOperation() == AtomicRMWInst::Sub)
    operand = builder.CreateNeg(operand);
  else if (update.getOperation() == AtomicRMWInst::FSub)
    operand = builder.CreateFNeg(operand);
  else if (update.getOperation() == AtomicRMWInst::Xchg && resultType->isFloatingPointTy())
    operand = builder.CreateBitCast(operand, builder.getIntNTy(resultType->getScalarSizeInBits()));
  llvm::Type* type = operand->getType();
  llvm::Value* address = update.getPointerOperand();
  const bool isGlobal = update.getPointerAddressSpace() == nvptx_space::global;
  const bool isWide = type->getScalarSizeInBits() == 64;
  const std::string code = std::string("atom.relaxed.sys") + (isGlobal ? ".global." : ".") +
                           instruction + (isWide ? "64" : "32") + " $0, [$1], $2;";
  const std::string kind = type->isFloatingPointTy() ? (isWide ? "d" : "f") : (isWide ? "l" : "r");
  auto* function = llvm::FunctionType::get(type, {address->getType(), type}, false);
  llvm::Value* before = builder.CreateCall(
      llvm::InlineAsm::get(function, code, "=" + kind + ",l," + kind + ",~{memory}", true),
      {address, operand});
  update.replaceAllUsesWith(builder.CreateBitCast(before, resultType));
  update.eraseFromParent();
}

class Ordering {
public:
  explicit Ordering(llvm::LLVMContext& context)
      : device_(context.getOrInsertSyncScopeID("device")),
        group_(context.getOrInsertSyncScopeID("block")) {}

  bool change(llvm::Instruction& instruction) {
    if (auto* update = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction)) {
      narrow(*update, *update->getPointerOperand());
      makeRelaxed(*update);
      if (losesDenormals(*update))
        makeExchange(*update);
      else if (update->getSyncScopeID() == llvm::SyncScope::System)
        makeSystemWide(*update);
    } else if (auto* exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&instruction)) {
      narrow(*exchange, *exchange->getPointerOperand());
    } else if (auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction);
               load && load->isAtomic()) {
      narrow(*load, *load->getPointerOperand());
    } else if (auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction);
               store && store->isAtomic()) {
      narrow(*store, *store->getPointerOperand());
    } else if (auto* fence = llvm::dyn_cast<llvm::FenceInst>(&instruction);
               fence && fence->getSyncScopeID() == llvm::SyncScope::System) {
      fence->setSyncScopeID(device_);
    } else {
      return false;
    }
    return true;
  }

private:
  /// Volatile atomic operations would be taken for accesses of registers of hardware.
  template <typename Access> void narrow(Access& access, llvm::Value& pointer) {
    const bool isLocal = pointer.getType()->getPointerAddressSpace() == nvptx_space::shared;
    if (isLocal || access.isVolatile())
      access.setSyncScopeID(isLocal ? group_ : device_);
    access.setVolatile(false);
  }

  void makeRelaxed(llvm::AtomicRMWInst& update) {
    const AtomicOrdering order = update.getOrdering();
    if (order == AtomicOrdering::Monotonic)
      return;
    llvm::IRBuilder<> builder(&update);
    if (llvm::isReleaseOrStronger(order))
      builder.CreateFence(order == AtomicOrdering::SequentiallyConsistent ? order
                                                                          : AtomicOrdering::Release,
                          update.getSyncScopeID());
    if (llvm::isAcquireOrStronger(order)) {
      builder.SetInsertPoint(update.getNextNode());
      builder.CreateFence(AtomicOrdering::Acquire, update.getSyncScopeID());
    }
    update.setOrdering(AtomicOrdering::Monotonic);
  }

  const llvm::SyncScope::ID device_, group_;
};

} // namespace

llvm::PreservedAnalyses MemoryOrderPass::run(llvm::Function& function,
                                             llvm::FunctionAnalysisManager&) {
  Ordering ordering(function.getContext());
  // Fences that are put around operations are as they shall be, and blocks may be split.
  llvm::SmallVector<llvm::Instruction*> all;
  for (llvm::Instruction& instruction : llvm::instructions(function))
    all.push_back(&instruction);
  bool changed = false;
  for (llvm::Instruction* instruction : all)
    changed |= ordering.change(*instruction);
  return changed ? llvm::PreservedAnalyses::none() : llvm::PreservedAnalyses::all();
}

} // namespace quern::compiler
