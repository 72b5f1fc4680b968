#include "compiler/footprints/footprints.h"

#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>

#include "compiler/footprints/pointed_memory.h"
#include "compiler/il/boundary.h"
#include "compiler/il/kernel_function.h"
#include "compiler/il/names.h"

namespace quern::compiler {
namespace {

using abi::Footprint;
using abi::FootprintAccess;
using abi::FootprintOperation;
using abi::FootprintTie;

/// What an instruction does at a place in memory.
struct Use {
  bool reads = false, writes = false, isAtomic = false, isVolatile = false;
};

/// What a function that is called does beside reading and writing, in no particular order, what it
/// is passed pointers to.
struct CalledCode {
  FootprintTie tie = FootprintTie::None;
  bool followsPointers = false; ///< to where what it is passed points to

  void add(const CalledCode& other) {
    if (tie == FootprintTie::None)
      tie = other.tie;
    followsPointers |= other.followsPointers;
  }
};

class CalledFunctions {
public:
  CalledCode of(const llvm::Function& function) {
    if (function.doesNotAccessMemory())
      return {};
    if (function.isDeclaration())
      return {function.onlyAccessesArgMemory() ? FootprintTie::None : FootprintTie::Call};
    if (const auto known = known_.find(&function); known != known_.end())
      return known->second;
    known_[&function] = {FootprintTie::Call}; // One that calls itself.
    CalledCode all;
    for (const llvm::Instruction& instruction : llvm::instructions(function))
      all.add(of(instruction));
    return known_[&function] = all;
  }

private:
  CalledCode of(const llvm::Instruction& instruction) {
    if (const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction)) {
      const llvm::Function* callee = call->getCalledFunction();
      if (!callee)
        return {FootprintTie::Call};
      return callee->isIntrinsic() ? CalledCode() : of(*callee);
    }
    const llvm::Value* pointer = llvm::getLoadStorePointerOperand(&instruction);
    if (instruction.isAtomic() && !llvm::isa<llvm::FenceInst>(instruction))
      return {FootprintTie::Atomic};
    if (!pointer)
      return {};
    if (instruction.isVolatile())
      return {FootprintTie::Volatile};
    const llvm::Value* object = llvm::getUnderlyingObject(pointer, 0);
    if (const auto* variable = llvm::dyn_cast<llvm::GlobalVariable>(object))
      return {variable->isConstant() ? FootprintTie::None : FootprintTie::Variable};
    if (llvm::isa<llvm::Argument, llvm::AllocaInst>(object))
      return {};
    return {FootprintTie::None, /*followsPointers=*/true};
  }

  llvm::DenseMap<const llvm::Function*, CalledCode> known_;
};

class Analysis {
public:
  Analysis(llvm::Function& item, llvm::FunctionAnalysisManager& analyses)
      : item_(item), dominators_(analyses.getResult<llvm::DominatorTreeAnalysis>(item)),
        evolution_(analyses.getResult<llvm::ScalarEvolutionAnalysis>(item)),
        offsets_(item, analyses.getResult<llvm::LoopAnalysis>(item), evolution_) {
    footprint_.tie = FootprintTie::None;
  }

  Footprint run() {
    for (llvm::BasicBlock& block : item_) {
      if (!dominators_.isReachableFromEntry(&block))
        continue;
      offsets_.assume(conditionsOf(block, dominators_));
      for (llvm::Instruction& instruction : block)
        visit(instruction);
    }
    return std::move(footprint_);
  }

private:
  void visit(llvm::Instruction& instruction) {
    const llvm::DataLayout& layout = item_.getDataLayout();
    if (auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction))
      use(load->getPointerOperand(), layout.getTypeStoreSize(load->getType()),
          {.reads = true, .isAtomic = load->isAtomic(), .isVolatile = load->isVolatile()});
    else if (auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction))
      use(store->getPointerOperand(), layout.getTypeStoreSize(store->getValueOperand()->getType()),
          {.writes = true, .isAtomic = store->isAtomic(), .isVolatile = store->isVolatile()});
    else if (auto* update = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction))
      use(update->getPointerOperand(), 1, {.reads = true, .writes = true, .isAtomic = true});
    else if (auto* exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&instruction))
      use(exchange->getPointerOperand(), 1, {.reads = true, .writes = true, .isAtomic = true});
    else if (auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction))
      visitCall(*call);
  }

  void visitCall(llvm::CallBase& call) {
    if (auto* transfer = llvm::dyn_cast<llvm::AnyMemIntrinsic>(&call))
      return visitTransfer(*transfer);
    const auto* intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(&call);
    if (boundaryOf(call) || (intrinsic && !intrinsic->mayReadOrWriteMemory()) ||
        (intrinsic && intrinsic->isAssumeLikeIntrinsic()))
      return;
    const llvm::Function* callee = call.getCalledFunction();
    if (!callee && isPrinter(call))
      return;
    const CalledCode called = callee ? called_.of(*callee) : CalledCode{FootprintTie::Call};
    if (called.tie != FootprintTie::None)
      tie(called.tie);
    for (const llvm::Use& operand : call.args())
      if (operand->getType()->isPointerTy())
        visitPassed(operand, called.followsPointers);
  }

  /// A function does with it what it likes; with an image, what the kernel's argument says.
  void visitPassed(const llvm::Value* pointer, bool isFollowed) {
    const auto* argument = llvm::dyn_cast<llvm::Argument>(pointer->stripPointerCasts());
    if (argument && argument->getArgNo() < kernelArgumentCount(item_) &&
        isOpaqueArgument(item_, argument->getArgNo()))
      return useObject(argument->getArgNo());
    for (PointedMemory& memory : pointedMemory(item_, pointer, offsets_, evolution_)) {
      if (memory.kind == PointedMemory::Kind::Argument)
        memory.offset = {{FootprintOperation::Any, 64, 0}};
      if (isFollowed)
        tie(FootprintTie::Pointer);
      note(std::move(memory), 1, {.reads = true, .writes = true});
    }
  }

  void visitTransfer(llvm::AnyMemIntrinsic& transfer) {
    useRange(transfer.getRawDest(), transfer.getLength(),
             {.writes = true, .isVolatile = transfer.isVolatile()});
    if (auto* copy = llvm::dyn_cast<llvm::AnyMemTransferInst>(&transfer))
      useRange(copy->getRawSource(), transfer.getLength(),
               {.reads = true, .isVolatile = transfer.isVolatile()});
  }

  /// The device's printf, whose address is in what it tells of the launch; the record is private.
  bool isPrinter(const llvm::CallBase& call) {
    const auto* load = llvm::dyn_cast<llvm::LoadInst>(call.getCalledOperand());
    return load && llvm::getUnderlyingObject(load->getPointerOperand()) ==
                       implicitArgument(item_, ImplicitArgument::Launch);
  }

  void use(const llvm::Value* pointer, uint64_t bytes, Use how) {
    for (PointedMemory& memory : pointedMemory(item_, pointer, offsets_, evolution_))
      note(std::move(memory), bytes, how);
  }

  void useRange(const llvm::Value* pointer, const llvm::Value* length, Use how) {
    for (PointedMemory& memory : pointedMemory(item_, pointer, offsets_, evolution_)) {
      if (memory.kind == PointedMemory::Kind::Argument) {
        offsets_.append(memory.offset, length);
        memory.offset.push_back({FootprintOperation::UpTo, 64, 0});
        memory.offset.push_back({FootprintOperation::Add, 64, 0});
      }
      note(std::move(memory), 1, how);
    }
  }

  void note(PointedMemory memory, uint64_t bytes, Use how) {
    switch (memory.kind) {
    case PointedMemory::Kind::Own:
      return;
    case PointedMemory::Kind::Variable:
      return tie(FootprintTie::Variable);
    case PointedMemory::Kind::Unknown:
      return tie(FootprintTie::Pointer);
    case PointedMemory::Kind::Object:
      return useObject(memory.argument);
    case PointedMemory::Kind::Argument:
      break;
    }
    if (how.isAtomic || how.isVolatile)
      tie(how.isAtomic ? FootprintTie::Atomic : FootprintTie::Volatile);
    OffsetSteps::Steps steps;
    offsets_.appendConditions(steps);
    if (OffsetSteps::isTooLong(steps))
      steps.clear();
    steps.insert(steps.end(), memory.offset.begin(), memory.offset.end());
    add({memory.argument, how.reads, how.writes, static_cast<uint32_t>(bytes), std::move(steps)});
  }

  void useObject(unsigned argument) {
    add({argument, true, isWrittenImage(item_, argument), 0, {}});
  }

  void add(FootprintAccess access) {
    if (isJoined(access))
      return;
    if (steps_ + access.offset.size() > mostSteps_) {
      access = {
          access.argument, access.reads, access.writes, 1, {{FootprintOperation::Any, 64, 0}}};
      if (isJoined(access))
        return;
    }
    steps_ += access.offset.size();
    footprint_.accesses.push_back(std::move(access));
  }

  /// With one of the same bytes.
  bool isJoined(const FootprintAccess& access) {
    for (FootprintAccess& known : footprint_.accesses)
      if (known.argument == access.argument && known.bytes == access.bytes &&
          known.offset == access.offset) {
        known.reads |= access.reads;
        known.writes |= access.writes;
        return true;
      }
    return false;
  }

  void tie(FootprintTie why) {
    if (footprint_.tie == FootprintTie::None)
      footprint_.tie = why;
  }

  llvm::Function& item_;
  const llvm::DominatorTree& dominators_;
  llvm::ScalarEvolution& evolution_;
  OffsetSteps offsets_;
  CalledFunctions called_;
  Footprint footprint_;
  size_t steps_ = 0;
  /// There is room for one more of each argument, whose place is any.
  const size_t mostSteps_ = abi::mostFootprintSteps - std::min<size_t>(item_.arg_size(), 1024);
};

} // namespace

llvm::PreservedAnalyses FootprintsPass::run(llvm::Function& function,
                                            llvm::FunctionAnalysisManager& analyses) {
  if (!function.hasFnAttribute(names::kernelAttribute))
    return llvm::PreservedAnalyses::all();
  function.addFnAttr(names::footprintAttribute, abi::print(Analysis(function, analyses).run()));
  return llvm::PreservedAnalyses::all();
}

} // namespace quern::compiler
