#include "compiler/loops/private_counters.h"

#include <optional>

#include <llvm/Analysis/AliasAnalysis.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Transforms/Utils/LoopUtils.h>

#include "compiler/codegen/counter_table.h"
#include "compiler/codegen/loop_properties.h"
#include "compiler/il/address_space.h"
#include "compiler/il/atomic_operations.h"
#include "compiler/il/names.h"
#include "compiler/packets/report.h"

namespace quern::compiler {
namespace {

using llvm::Value;

/// Arrays that one loop may count in. Each takes a table's memory on the thread's stack.
constexpr size_t mostArrays = 2;
/// Exits of a loop: each gets the code that ends the counting.
constexpr size_t mostExits = 2;
/// Iterations of a loop that are too few to count apart.
constexpr unsigned fewIterations = 64;

/// What `pointer`, or each element of it, is a place in, by one step; null where that is not known.
const Value* steppedBack(const Value* pointer) {
  if (const auto* place = llvm::dyn_cast<llvm::GEPOperator>(pointer))
    return place->getPointerOperand();
  if (const auto* element = llvm::dyn_cast<llvm::ExtractElementInst>(pointer))
    return element->getVectorOperand();
  return pointer->getType()->isVectorTy() ? llvm::getSplatValue(pointer) : nullptr;
}

const Value* objectOf(const Value* pointer) {
  while (const Value* back = steppedBack(pointer))
    pointer = back;
  return pointer;
}

/// The nearest pointer that `loop` does not change from which `pointer` is computed.
const Value* invariantBase(const Value* pointer, const llvm::Loop& loop) {
  while (pointer && (pointer->getType()->isVectorTy() || !loop.isLoopInvariant(pointer)))
    pointer = steppedBack(pointer);
  return pointer;
}

/// The parameter of the entry in whose memory `pointer` was found, or null.
const llvm::Argument* foundIn(const Value* pointer) {
  const auto* load = llvm::dyn_cast<llvm::LoadInst>(pointer);
  return load ? llvm::dyn_cast<llvm::Argument>(objectOf(load->getPointerOperand())) : nullptr;
}

bool isKnownDisjoint(const Value* pointer) {
  return llvm::cast<llvm::LoadInst>(pointer)->hasMetadata(names::disjointMetadata);
}

/// Whether an object shares no byte with `b`, which is in global memory. Arguments of the kernel
/// may, if neither is restricted to itself; the memory that the runtime provides, and the stack,
/// are private.
bool areDisjoint(const Value* a, const Value* b) {
  if (a == b)
    return false;
  if (llvm::isa<llvm::AllocaInst>(a))
    return true;
  const llvm::Argument *fromA = foundIn(a), *fromB = foundIn(b);
  return fromA && fromB && (fromA != fromB || isKnownDisjoint(a) || isKnownDisjoint(b));
}

const Value* pointerOf(const llvm::Instruction& access) {
  if (const Value* pointer = llvm::getLoadStorePointerOperand(&access))
    return pointer;
  const auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&access);
  if (!call)
    return nullptr;
  switch (call->getIntrinsicID()) {
  case llvm::Intrinsic::masked_load:
  case llvm::Intrinsic::masked_gather:
  case llvm::Intrinsic::masked_expandload:
    return call->getArgOperand(0);
  case llvm::Intrinsic::masked_store:
  case llvm::Intrinsic::masked_scatter:
  case llvm::Intrinsic::masked_compressstore:
    return call->getArgOperand(1);
  default:
    return nullptr;
  }
}

bool isCounting(const llvm::Instruction& instruction) {
  const auto* change = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction);
  return change && change->use_empty() && isJoinable(*change) &&
         change->getPointerAddressSpace() == address_space::global &&
         change->getOrdering() == llvm::AtomicOrdering::Monotonic;
}

/// Whether others can tell when `access`, which changes no counter, was made. Nobody sees the
/// stack.
bool ordersOthers(const llvm::Instruction& access) {
  if (const Value* pointer = llvm::getLoadStorePointerOperand(&access);
      pointer && llvm::isa<llvm::AllocaInst>(objectOf(pointer)))
    return false;
  if (const auto* call = llvm::dyn_cast<llvm::CallBase>(&access))
    return !call->doesNotAccessMemory() && !llvm::isa<llvm::IntrinsicInst>(call);
  return access.isAtomic() || access.isVolatile();
}

class CountingLoop {
public:
  CountingLoop(const llvm::Loop& loop, llvm::AAResults& aliases) : loop_(loop), aliases_(aliases) {}

  /// The arrays in which the loop counts; none where there is none that allows it.
  std::vector<CounterArray> find() {
    if (!loop_.isLoopSimplifyForm() || !collect() || arrays_.empty() || arrays_.size() > mostArrays)
      return {};
    for (const CounterArray& array : arrays_)
      for (const llvm::Instruction* access : accesses_)
        if (!leavesAlone(*access, array))
          return {};
    return std::move(arrays_);
  }

private:
  bool collect() {
    for (llvm::BasicBlock* block : loop_.blocks())
      for (llvm::Instruction& instruction : *block) {
        const auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
        if (!instruction.mayReadOrWriteMemory() || (call && call->isAssumeLikeIntrinsic()))
          continue;
        if (isCounting(instruction) ? !add(llvm::cast<llvm::AtomicRMWInst>(instruction))
                                    : ordersOthers(instruction))
          return false;
        accesses_.push_back(&instruction);
      }
    return true;
  }

  bool add(llvm::AtomicRMWInst& change) {
    const Value* base = invariantBase(change.getPointerOperand(), loop_);
    if (!base)
      return false;
    const bool isOne = base == change.getPointerOperand();
    for (CounterArray& array : arrays_)
      if (array.base == base && array.operation == change.getOperation() &&
          array.type == change.getType()) {
        array.changes.push_back(&change);
        array.isOne &= isOne;
        return true;
      }
    arrays_.push_back(
        {const_cast<Value*>(base), change.getOperation(), change.getType(), isOne, {&change}, {}});
    return true;
  }

  bool leavesAlone(const llvm::Instruction& access, const CounterArray& array) const {
    if (llvm::is_contained(array.changes, &access))
      return true;
    const auto* change = llvm::dyn_cast<llvm::AtomicRMWInst>(&access);
    if (const Value* pointer = change ? change->getPointerOperand() : pointerOf(access);
        pointer && areDisjoint(objectOf(pointer), objectOf(array.base)))
      return true;
    return llvm::all_of(array.changes, [&](const llvm::AtomicRMWInst* counting) {
      return llvm::isNoModRef(aliases_.getModRefInfo(
          &access, llvm::MemoryLocation::getBeforeOrAfter(array.base, counting->getAAMetadata())));
    });
  }

  const llvm::Loop& loop_;
  llvm::AAResults& aliases_;
  std::vector<CounterArray> arrays_;
  std::vector<const llvm::Instruction*> accesses_;
};

struct Found {
  llvm::BasicBlock* before;
  llvm::SmallVector<llvm::BasicBlock*> exits;
  std::vector<CounterArray> arrays;
};

/// Whether `loop` never runs as often as it takes until a table pays.
bool isShort(const llvm::Loop& loop, llvm::ScalarEvolution& evolution) {
  if (llvm::findOptionMDForLoop(&loop, packetItemsProperty))
    return true;
  const unsigned iterations = evolution.getSmallConstantMaxTripCount(&loop);
  return iterations != 0 && iterations <= fewIterations;
}

/// Once for all work-items of a packet.
llvm::Instruction* startBefore(llvm::AtomicRMWInst& change, const llvm::LoopInfo& loops) {
  const llvm::Loop* loop = loops.getLoopFor(change.getParent());
  return llvm::findOptionMDForLoop(loop, packetItemsProperty)
             ? loop->getLoopPreheader()->getTerminator()
             : &*change.getParent()->getFirstInsertionPt();
}

/// In `loop`, or in loops inside.
void findIn(const llvm::Loop& loop, const llvm::LoopInfo& loops, llvm::AAResults& aliases,
            llvm::ScalarEvolution& evolution, std::vector<Found>& found) {
  llvm::SmallVector<llvm::BasicBlock*> exits;
  loop.getUniqueExitBlocks(exits);
  if (!exits.empty() && exits.size() <= mostExits)
    if (std::vector<CounterArray> arrays = CountingLoop(loop, aliases).find(); !arrays.empty()) {
      if (isShort(loop, evolution))
        return;
      for (CounterArray& array : arrays)
        for (llvm::AtomicRMWInst* change : array.changes)
          array.starts.insert(startBefore(*change, loops));
      found.push_back({loop.getLoopPreheader(), std::move(exits), std::move(arrays)});
      return;
    }
  for (const llvm::Loop* inner : loop)
    findIn(*inner, loops, aliases, evolution, found);
}

} // namespace

llvm::PreservedAnalyses PrivateCountersPass::run(llvm::Function& function,
                                                 llvm::FunctionAnalysisManager& analyses) {
  if (function.hasOptNone())
    return llvm::PreservedAnalyses::all();
  std::vector<Found> found;
  const llvm::LoopInfo& loops = analyses.getResult<llvm::LoopAnalysis>(function);
  for (const llvm::Loop* loop : loops)
    findIn(*loop, loops, analyses.getResult<llvm::AAManager>(function),
           analyses.getResult<llvm::ScalarEvolutionAnalysis>(function), found);
  if (found.empty())
    return llvm::PreservedAnalyses::all();
  CounterTables tables(function);
  size_t count = 0;
  for (const Found& loop : found) {
    tables.addLoop(*loop.before, loop.exits, loop.arrays);
    count += loop.arrays.size();
  }
  tables.finish();
  function.addFnAttr(names::countsApartAttribute);
  if (function.hasFnAttribute(names::kernelAttribute))
    addToReportOfKernel(function, "what atomic operations do is collected by each thread in " +
                                      std::to_string(count) + (count == 1 ? " place" : " places"));
  return llvm::PreservedAnalyses::none();
}

} // namespace quern::compiler
