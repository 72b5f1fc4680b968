#include "compiler/packets/packet_emitter.h"

#include <map>

#include <llvm/ADT/DenseSet.h>
#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Transforms/Utils/PromoteMemToReg.h>

#include "compiler/il/kernel_function.h"
#include "compiler/il/packet_condition.h"
#include "compiler/packets/packet_instructions.h"
#include "compiler/regions/loop_order.h"
#include "compiler/target/target_model.h"

namespace quern::compiler {
namespace {

using llvm::BasicBlock;
using llvm::Value;

class Emitter {
public:
  Emitter(const PacketPlan& plan, const AccessPlan& accesses, const llvm::Twine& name)
      : plan_(plan), function_(create(plan.region, name)), builder_(function_.getContext()),
        values_(plan, function_, builder_), instructions_(values_, accesses),
        maskType_(llvm::FixedVectorType::get(builder_.getInt1Ty(), plan.width)),
        dominators_(plan.region) {}

  llvm::Function* run() {
    auto* start = BasicBlock::Create(function_.getContext(), "start", &function_);
    builder_.SetInsertPoint(start);
    values_.createVariables();
    // What guards made unreachable has no form.
    const std::vector<BasicBlock*> order = loopCompactOrder(plan_.region);
    const llvm::DenseSet<const BasicBlock*> reached(order.begin(), order.end());
    for (BasicBlock& block : plan_.region) {
      if (!reached.contains(&block))
        continue;
      entries_[&block] = BasicBlock::Create(function_.getContext(), block.getName(), &function_);
      if (plan_.masked.stretchOfStep(&block))
        for (unsigned packet = 0; packet < packets(); ++packet)
          masks_[&block].push_back(
              builder_.CreateAlloca(maskType_, nullptr, block.getName() + ".mask"));
    }
    if (plan_.isAtEdge)
      inside_.push_back(itemsInside());
    builder_.CreateBr(entries_[&plan_.region.getEntryBlock()]);
    emitBlocks();
    instructions_.finish();
    promoteVariables();
    return &function_;
  }

private:
  /// A loop whose work-items enter and leave it together.
  struct ConvergentLoop {
    Masks masks; ///< of all its blocks but those of stretches within it
    BasicBlock* iteration = nullptr;
    BasicBlock* left = nullptr;
  };

  /// In the order of stretches, in which every block comes after those that dominate it.
  void emitBlocks() {
    llvm::DenseMap<const MaskedBlocks::Stretch*, unsigned> emitted;
    for (BasicBlock* block : loopCompactOrder(plan_.region)) {
      const MaskedBlocks::Stretch* stretch = plan_.masked.stretchOfStep(block);
      const llvm::Loop* loop = convergentLoopOf(*block);
      if (!stretch)
        emitTogether(*block, *entries_[block], masksOf(loop));
      else if (loop && loop->getHeader() == block)
        emitConvergentLoop(*loop, *stretch, emitted[stretch]++);
      else
        emitMasked(*block, *stretch, emitted[stretch]++);
    }
  }

  /// What a block leaves for others becomes a value here and not in the kernel's loops over
  /// packets, where nobody would know any more that it does not outlive the packet.
  void promoteVariables() {
    std::vector<llvm::AllocaInst*> variables;
    for (llvm::Instruction& instruction : function_.getEntryBlock())
      if (auto* variable = llvm::dyn_cast<llvm::AllocaInst>(&instruction);
          variable && llvm::isAllocaPromotable(variable))
        variables.push_back(variable);
    llvm::DominatorTree dominators(function_);
    llvm::PromoteMemToReg(variables, dominators);
    makeNumbersNormal();
  }

  /// What no work-item has made is computed with nevertheless, in blocks that are too short to be
  /// skipped. Of what lies in a register by chance, denormal numbers would make an operation take a
  /// hundred times as long.
  void makeNumbersNormal() {
    for (BasicBlock& block : function_)
      for (llvm::PHINode& phi : block.phis())
        if (phi.getType()->isFPOrFPVectorTy())
          for (llvm::Use& incoming : phi.incoming_values())
            if (llvm::isa<llvm::UndefValue>(incoming))
              incoming.set(llvm::Constant::getNullValue(phi.getType()));
  }

  static llvm::Function& create(llvm::Function& region, const llvm::Twine& name) {
    llvm::Function* function =
        llvm::Function::Create(region.getFunctionType(), region.getLinkage(), name);
    region.getParent()->getFunctionList().insert(std::next(region.getIterator()), function);
    function->copyAttributesFrom(&region);
    for (llvm::Argument& argument : function->args())
      argument.setName(region.getArg(argument.getArgNo())->getName());
    return *function;
  }

  unsigned packets() const { return plan_.sharing.tile().packets(); }

  BasicBlock* newBlock(const llvm::Twine& name) {
    return BasicBlock::Create(function_.getContext(), name, &function_);
  }

  /// The work-items of the packet that lie in the work-group.
  Value* itemsInside() {
    if (plan_.shapes.isWholeRow()) {
      llvm::SmallVector<llvm::Constant*, 16> inside;
      for (unsigned lane = 0; lane < plan_.width; ++lane)
        inside.push_back(builder_.getInt1(lane < plan_.shapes.items()));
      return llvm::ConstantVector::get(inside);
    }
    Value* rest = builder_.CreateNUWSub(implicitArgument(function_, ImplicitArgument::Size, 0),
                                        implicitArgument(function_, ImplicitArgument::Item, 0));
    Value* count = builder_.CreateTrunc(
        builder_.CreateBinaryIntrinsic(llvm::Intrinsic::umin, rest, builder_.getInt64(plan_.width)),
        builder_.getInt32Ty());
    llvm::SmallVector<llvm::Constant*, 16> lanes;
    for (unsigned lane = 0; lane < plan_.width; ++lane)
      lanes.push_back(builder_.getInt32(lane));
    return builder_.CreateICmpULT(llvm::ConstantVector::get(lanes),
                                  builder_.CreateVectorSplat(plan_.width, count), "inside");
  }

  const llvm::Loop* convergentLoopOf(const BasicBlock& block) const {
    return plan_.masked.convergentLoopOf(&block);
  }

  /// Of the work-items that are together in `loop`, or outside of such loops.
  const Masks& masksOf(const llvm::Loop* loop) const {
    return loop ? convergentLoops_.find(loop)->second.masks : inside_;
  }

  /// Tests once for all iterations whether there is a work-item.
  void emitConvergentLoop(const llvm::Loop& loop, const MaskedBlocks::Stretch& stretch,
                          unsigned position) {
    BasicBlock& header = *loop.getHeader();
    builder_.SetInsertPoint(entries_[&header]);
    ConvergentLoop& made = convergentLoops_[&loop];
    made.masks = loadMasks(&header, "mask");
    made.iteration = newBlock(header.getName() + ".iteration");
    made.left = newBlock(header.getName() + ".left");
    builder_.CreateCondBr(values_.any(made.masks), made.iteration, made.left);
    builder_.SetInsertPoint(made.left);
    goOn(loop.getParentLoop(), stretch, position);
    emitTogether(header, *made.iteration, made.masks);
  }

  /// A block that the work-items of `masks` run together, at `start`.
  void emitTogether(BasicBlock& block, BasicBlock& start, const Masks& masks) {
    builder_.SetInsertPoint(&start);
    values_.forgetPhis(block);
    values_.beginBlock(masks);
    for (llvm::Instruction& instruction : block)
      if (isPacketGuard(instruction))
        emitGuard(llvm::cast<llvm::CallInst>(instruction));
      else if (!instruction.isTerminator())
        instructions_.emit(instruction);
    values_.setPacket(0);
    llvm::Instruction& end = *block.getTerminator();
    builder_.SetCurrentDebugLocation(end.getDebugLoc());
    if (llvm::isa<llvm::ReturnInst>(end)) {
      builder_.CreateRet(values_.first(end.getOperand(0)));
      return;
    }
    auto& branch = llvm::cast<llvm::BranchInst>(end);
    values_.prepareEdges(block);
    values_.setPacket(0);
    if (branch.isUnconditional()) {
      leaveTogether(block, *branch.getSuccessor(0));
    } else if (plan_.shapes.of(branch.getCondition()).isUniform()) {
      Value* condition = values_.scalar(branch.getCondition());
      BasicBlock* const edges[] = {newBlock(block.getName() + ".edge"),
                                   newBlock(block.getName() + ".edge")};
      builder_.CreateCondBr(condition, edges[0], edges[1]);
      for (unsigned i = 0; i < 2; ++i) {
        builder_.SetInsertPoint(edges[i]);
        leaveTogether(block, *branch.getSuccessor(i));
      }
    } else {
      diverge(block, branch, masks);
    }
  }

  void emitGuard(llvm::CallInst& guard) {
    BasicBlock* held = newBlock("guarded");
    BasicBlock* failed = newBlock("nothing.done");
    builder_.CreateCondBr(instructions_.conditions().holdsForAll(guard.getArgOperand(0)), held,
                          failed);
    builder_.SetInsertPoint(failed);
    builder_.CreateRet(builder_.getInt32(static_cast<uint32_t>(nothingDone)));
    builder_.SetInsertPoint(held);
  }

  void leaveTogether(BasicBlock& from, BasicBlock& to) {
    const llvm::Loop* loop = convergentLoopOf(from);
    const Masks& masks = masksOf(loop);
    BasicBlock* next = entries_[&to];
    if (loop && !loop->contains(&to)) {
      takeEdge(from, to, masks);
      next = convergentLoops_[loop].left;
    } else {
      if (const MaskedBlocks::Stretch* stretch = plan_.masked.stretchOfStep(&to);
          stretch && !(loop && loop->getHeader() == &to)) {
        clearMasks(stretch->steps);
        for (unsigned packet = 0; packet < packets(); ++packet)
          builder_.CreateStore(masks.empty() ? llvm::Constant::getAllOnesValue(maskType_)
                                             : masks[packet],
                               masks_[&to][packet]);
      } else if (stretch) {
        next = convergentLoops_[loop].iteration;
      }
      values_.passToPhis(from, to, {});
    }
    builder_.CreateBr(next);
  }

  void diverge(BasicBlock& block, llvm::BranchInst& branch, const Masks& masks) {
    const MaskedBlocks::Stretch* stretch = nullptr;
    for (BasicBlock* successor : branch.successors())
      if (const auto* entered = plan_.masked.stretchOfStep(successor))
        stretch = entered;
    // A branch on poison is undefined anyway, but only for a work-item that runs it.
    const auto [taken, notTaken] = split(branch.getCondition(), masks);
    if (stretch)
      clearMasks(stretch->steps);
    BasicBlock* first = nullptr;
    takeEdge(block, *branch.getSuccessor(0), taken);
    takeEdge(block, *branch.getSuccessor(1), notTaken);
    if (stretch)
      for (BasicBlock* candidate : stretch->steps)
        if (!first && llvm::is_contained(branch.successors(), candidate))
          first = candidate;
    if (first && llvm::is_contained(branch.successors(), stretch->join) &&
        isWorthSkipping(*stretch))
      builder_.CreateCondBr(values_.any(branch.getSuccessor(0) == first ? taken : notTaken),
                            entries_[first], entries_[stretch->join]);
    else
      builder_.CreateBr(entries_[first ? first : branch.getSuccessor(0)]);
  }

  /// The work-items of `masks` for which `condition` holds, and the others.
  std::pair<Masks, Masks> split(Value* condition, const Masks& masks) {
    std::pair<Masks, Masks> parts;
    for (unsigned packet = 0; packet < packets(); ++packet) {
      values_.setPacket(packet);
      Value* holds = values_.vector(condition);
      Value* fails = builder_.CreateNot(holds);
      // A select: the condition may be poison for work-items that do not run this.
      if (!masks.empty()) {
        holds = builder_.CreateLogicalAnd(masks[packet], holds);
        fails = builder_.CreateLogicalAnd(masks[packet], fails);
      }
      parts.first.push_back(holds);
      parts.second.push_back(fails);
    }
    return parts;
  }

  void clearMasks(const std::vector<BasicBlock*>& blocks) {
    for (BasicBlock* block : blocks)
      for (llvm::AllocaInst* mask : masks_[block])
        builder_.CreateStore(llvm::Constant::getNullValue(maskType_), mask);
  }

  Masks loadMasks(BasicBlock* block, const llvm::Twine& name) {
    Masks masks;
    for (llvm::AllocaInst* mask : masks_[block])
      masks.push_back(builder_.CreateLoad(maskType_, mask, name));
    return masks;
  }

  /// The work-items of `masks` go from one block to another.
  void takeEdge(BasicBlock& from, BasicBlock& to, const Masks& masks) {
    values_.passToPhis(from, to, masks);
    if (!plan_.masked.stretchOfStep(&to))
      return;
    for (unsigned packet = 0; packet < packets(); ++packet) {
      Value* before = builder_.CreateLoad(maskType_, masks_[&to][packet]);
      builder_.CreateStore(builder_.CreateOr(before, masks[packet]), masks_[&to][packet]);
    }
  }

  void emitMasked(BasicBlock& block, const MaskedBlocks::Stretch& stretch, unsigned position) {
    builder_.SetInsertPoint(entries_[&block]);
    if (plan_.loops.isLoopHeader(&block))
      enterLoop(*plan_.loops.getLoopFor(&block), stretch);
    else if (alwaysGoesOn(block.getSinglePredecessor(), block))
      neverEmpty_.insert(&block);
    values_.forgetPhis(block);
    const Masks masks = loadMasks(&block, "mask");
    if (plan_.loops.isLoopHeader(&block))
      clearMasks(plan_.loops.getLoopFor(&block)->getBlocksVector());
    BasicBlock* after = nullptr;
    const bool mayBeEmpty = !neverEmpty_.contains(&block);
    const unsigned end = mayBeEmpty ? endOfSkipped(block, stretch, position) : position;
    if (end > position + 1) {
      skipTo(stretch, position, end, masks);
    } else if (mayBeEmpty && isWorthSkipping(block)) {
      BasicBlock* body = newBlock(block.getName() + ".any");
      after = newBlock(block.getName() + ".done");
      values_.noteSkip(block, *builder_.CreateCondBr(values_.any(masks), body, after));
      builder_.SetInsertPoint(body);
    }
    values_.beginBlock(masks);
    for (llvm::Instruction& instruction : block)
      if (!instruction.isTerminator())
        instructions_.emit(instruction);
    builder_.SetCurrentDebugLocation(block.getTerminator()->getDebugLoc());
    auto& branch = llvm::cast<llvm::BranchInst>(*block.getTerminator());
    values_.prepareEdges(block);
    if (branch.isUnconditional()) {
      takeEdge(block, *branch.getSuccessor(0), masks);
    } else if (const BasicBlock* next = afterUniformExit(branch)) {
      leaveOrStay(branch, *next, masks, stretch);
    } else {
      const auto [taken, notTaken] = split(branch.getCondition(), masks);
      takeEdge(block, *branch.getSuccessor(0), taken);
      takeEdge(block, *branch.getSuccessor(1), notTaken);
    }
    const llvm::Loop* loop = plan_.loops.getLoopFor(&block);
    if (after && endsIteration(block, stretch, position)) {
      // Who is here stays in the loop, so that nothing must be tested again.
      builder_.CreateBr(iterations_[loop]);
      builder_.SetInsertPoint(after);
      loop = loop->getParentLoop();
    } else if (after) {
      builder_.CreateBr(after);
      builder_.SetInsertPoint(after);
    }
    goOn(loop, stretch, position);
  }

  /// Tests whether there is a work-item, or goes on with the step at `end` of those that follow.
  void skipTo(const MaskedBlocks::Stretch& stretch, unsigned position, unsigned end,
              const Masks& masks) {
    BasicBlock* body = newBlock(stretch.steps[position]->getName() + ".any");
    for (unsigned k = position + 1; k < end; ++k)
      values_.forgetPhis(*stretch.steps[k]);
    llvm::Instruction* branch =
        builder_.CreateCondBr(values_.any(masks), body, entries_[following(stretch, end)]);
    for (unsigned k = position; k < end; ++k)
      values_.noteSkip(*stretch.steps[k], *branch);
    builder_.SetInsertPoint(body);
  }

  static BasicBlock* following(const MaskedBlocks::Stretch& stretch, unsigned position) {
    return position < stretch.steps.size() ? stretch.steps[position] : stretch.join;
  }

  /// Where those steps end that nobody runs who does not run `block`, the one at `position`, and
  /// that are much together; behind the latter where they are not.
  unsigned endOfSkipped(const BasicBlock& block, const MaskedBlocks::Stretch& stretch,
                        unsigned position) const {
    const unsigned next = position + 1;
    const llvm::Loop* loop = plan_.loops.getLoopFor(&block);
    if (loop && loop->getHeader() == &block)
      return next;
    unsigned end = next;
    while (end < stretch.steps.size() && dominators_.dominates(&block, stretch.steps[end]))
      ++end;
    while (end > next && plan_.loops.getLoopFor(following(stretch, end)) != loop)
      --end;
    unsigned sum = 0;
    for (unsigned k = position; k < end && sum < TargetModel::muchSkipped; ++k)
      sum += skippedOperations(*stretch.steps[k]);
    return sum >= TargetModel::muchSkipped ? end : next;
  }

  /// Tests once whether there is a work-item: from then on the loop ends when there is none.
  void enterLoop(const llvm::Loop& loop, const MaskedBlocks::Stretch& stretch) {
    BasicBlock* header = loop.getHeader();
    BasicBlock* nobody = newBlock(header->getName() + ".nobody");
    iterations_[&loop] = newBlock(header->getName() + ".iteration");
    builder_.CreateCondBr(values_.any(loadMasks(header, "mask")), iterations_[&loop], nobody);
    builder_.SetInsertPoint(nobody);
    goOn(loop.getParentLoop(), stretch, lastStepOf(loop, stretch));
    builder_.SetInsertPoint(iterations_[&loop]);
    neverEmpty_.insert(header);
  }

  unsigned lastStepOf(const llvm::Loop& loop, const MaskedBlocks::Stretch& stretch) const {
    unsigned last = stretch.steps.size();
    while (!loop.contains(stretch.steps[last - 1]))
      --last;
    return last - 1;
  }

  /// Whether `from` is never without work-items, all of which go on to `to` unless they leave a
  /// loop together.
  bool alwaysGoesOn(const BasicBlock* from, const BasicBlock& to) const {
    if (!from || !neverEmpty_.contains(from))
      return false;
    const auto& branch = llvm::cast<llvm::BranchInst>(*from->getTerminator());
    return branch.isUnconditional() || afterUniformExit(branch) == &to;
  }

  /// Where work-items stay in a loop, if those that are still in it meet at `branch` and leave it
  /// there together or not at all; else null.
  const BasicBlock* afterUniformExit(const llvm::BranchInst& branch) const {
    const BasicBlock* block = branch.getParent();
    const llvm::Loop* loop = plan_.loops.getLoopFor(block);
    if (!loop || (loop->getHeader() != block && loop->getLoopLatch() != block) ||
        !plan_.shapes.of(branch.getCondition()).isUniform() ||
        plan_.sharing.varyingDimensions(branch.getCondition()) != 0)
      return nullptr;
    const bool stays = loop->contains(branch.getSuccessor(0));
    return stays == loop->contains(branch.getSuccessor(1)) ? nullptr
                                                           : branch.getSuccessor(stays ? 0 : 1);
  }

  /// Goes on where the work-items of `masks` stay in the loop.
  void leaveOrStay(llvm::BranchInst& branch, const BasicBlock& inside, const Masks& masks,
                   const MaskedBlocks::Stretch& stretch) {
    BasicBlock& block = *branch.getParent();
    const llvm::Loop& loop = *plan_.loops.getLoopFor(&block);
    Value* condition = values_.scalar(branch.getCondition());
    // Where there is no work-item, nothing has made it.
    if (!neverEmpty_.contains(&block))
      condition = builder_.CreateFreeze(condition);
    BasicBlock* edges[] = {newBlock(block.getName() + ".edge"),
                           newBlock(block.getName() + ".edge")};
    builder_.CreateCondBr(condition, edges[0], edges[1]);
    const unsigned stay = branch.getSuccessor(0) == &inside ? 0 : 1;
    builder_.SetInsertPoint(edges[1 - stay]);
    takeEdge(block, *branch.getSuccessor(1 - stay), masks);
    goOn(loop.getParentLoop(), stretch, lastStepOf(loop, stretch));
    builder_.SetInsertPoint(edges[stay]);
    takeEdge(block, *branch.getSuccessor(stay), masks);
  }

  /// Whether the step at `position` is the last of those of `loop`, in all of which masks count.
  bool isLastOf(const llvm::Loop& loop, const MaskedBlocks::Stretch& stretch,
                unsigned position) const {
    const BasicBlock* following =
        position + 1 < stretch.steps.size() ? stretch.steps[position + 1] : nullptr;
    return llvm::is_contained(stretch.blocks, loop.getHeader()) &&
           !(following && loop.contains(following));
  }

  /// Whether `block` is where all work-items that stay in its loop go on to the next iteration.
  bool endsIteration(const BasicBlock& block, const MaskedBlocks::Stretch& stretch,
                     unsigned position) const {
    const llvm::Loop* loop = plan_.loops.getLoopFor(&block);
    return loop && loop->getLoopLatch() == &block && block.getSingleSuccessor() &&
           isLastOf(*loop, stretch, position);
  }

  /// After a step, which lies in `loop`. After the last one of that and of those around it: again,
  /// while any work-item came back to its header.
  void goOn(const llvm::Loop* loop, const MaskedBlocks::Stretch& stretch, unsigned position) {
    for (; loop && isLastOf(*loop, stretch, position); loop = loop->getParentLoop()) {
      Value* again = values_.any(loadMasks(loop->getHeader(), "again"));
      BasicBlock* exit = newBlock(stretch.steps[position]->getName() + ".left");
      builder_.CreateCondBr(again, iterations_[loop], exit);
      builder_.SetInsertPoint(exit);
    }
    builder_.CreateBr(entries_[following(stretch, position + 1)]);
  }

  /// Accesses for the whole packet must not happen when no work-item asks for them.
  bool isWorthSkipping(const BasicBlock& block) const {
    return skippedOperations(block) >= TargetModel::worthSkipping;
  }

  /// Blocks that are not worth it one by one.
  bool isWorthSkipping(const MaskedBlocks::Stretch& stretch) const {
    unsigned sum = 0;
    for (const BasicBlock* block : stretch.blocks)
      sum += skippedOperations(*block);
    return stretch.steps.size() > 1 && sum >= TargetModel::worthSkipping;
  }

  /// What is left out where a block is skipped; a mask makes an access, and a function, more than
  /// one.
  unsigned skippedOperations(const BasicBlock& block) const {
    unsigned sum = 0;
    for (const llvm::Instruction& instruction : block) {
      const Value* pointer = llvm::getLoadStorePointerOperand(&instruction);
      const bool isCall = llvm::isa<llvm::CallInst>(instruction);
      if ((pointer && plan_.shapes.of(pointer).isUniform()) || instruction.isIntDivRem() ||
          (isCall && !llvm::isa<llvm::IntrinsicInst>(instruction)))
        return TargetModel::worthSkipping;
      sum += pointer ? 5 : isCall ? 3 : 1;
    }
    return sum;
  }

  const PacketPlan& plan_;
  llvm::Function& function_;
  llvm::IRBuilder<> builder_;
  PacketValues values_;
  PacketInstructions instructions_;
  llvm::VectorType* maskType_;
  const llvm::DominatorTree dominators_; ///< of the region
  Masks inside_;                         ///< of the packet, at the edge; else empty
  std::map<const llvm::Loop*, ConvergentLoop> convergentLoops_;
  /// Where the iterations of loops begin that work-items leave one by one.
  llvm::DenseMap<const llvm::Loop*, BasicBlock*> iterations_;
  llvm::DenseSet<const BasicBlock*> neverEmpty_; ///< of work-items, when they run
  llvm::DenseMap<const BasicBlock*, BasicBlock*> entries_;
  llvm::DenseMap<const BasicBlock*, llvm::SmallVector<llvm::AllocaInst*, 1>> masks_;
};

} // namespace

llvm::Function* emitPacket(const PacketPlan& plan, const AccessPlan& accesses,
                           const llvm::Twine& name) {
  return Emitter(plan, accesses, name).run();
}

} // namespace quern::compiler
