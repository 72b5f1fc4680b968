#include "compiler/packets/packet_emitter.h"

#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/IntrinsicInst.h>

#include "compiler/packets/packet_values.h"

namespace quern::compiler {
namespace {

using llvm::BasicBlock;
using llvm::Value;

/// Instructions of a masked block from which on it is skipped when no work-item runs it.
constexpr unsigned expensive = 12;

class Emitter {
public:
  explicit Emitter(const PacketPlan& plan)
      : plan_(plan), function_(create(plan.region)), builder_(function_.getContext()),
        values_(plan, function_, builder_), boolType_(builder_.getInt1Ty()),
        maskType_(llvm::FixedVectorType::get(boolType_, plan.width)) {}

  llvm::Function* run() {
    auto* start = BasicBlock::Create(function_.getContext(), "start", &function_);
    builder_.SetInsertPoint(start);
    values_.createVariables();
    for (BasicBlock& block : plan_.region) {
      entries_[&block] = BasicBlock::Create(function_.getContext(), block.getName(), &function_);
      if (plan_.masked.contains(&block))
        masks_[&block] = builder_.CreateAlloca(maskType_, nullptr, block.getName() + ".mask");
    }
    builder_.CreateBr(entries_[&plan_.region.getEntryBlock()]);
    for (BasicBlock& block : plan_.region)
      if (!plan_.masked.contains(&block))
        emitPlain(block);
    for (const MaskedBlocks::Stretch& stretch : plan_.masked.stretches())
      for (unsigned i = 0; i < stretch.blocks.size(); ++i)
        emitMasked(*stretch.blocks[i], stretch, i);
    return &function_;
  }

private:
  static llvm::Function& create(llvm::Function& region) {
    llvm::Function* function = llvm::Function::Create(region.getFunctionType(), region.getLinkage(),
                                                      region.getName() + ".packet");
    region.getParent()->getFunctionList().insert(std::next(region.getIterator()), function);
    function->copyAttributesFrom(&region);
    for (llvm::Argument& argument : function->args())
      argument.setName(region.getArg(argument.getArgNo())->getName());
    return *function;
  }

  /// A block that all work-items run together.
  void emitPlain(BasicBlock& block) {
    builder_.SetInsertPoint(entries_[&block]);
    values_.beginBlock(nullptr);
    for (llvm::Instruction& instruction : block)
      if (!instruction.isTerminator())
        values_.emit(instruction);
    llvm::Instruction& end = *block.getTerminator();
    builder_.SetCurrentDebugLocation(end.getDebugLoc());
    if (llvm::isa<llvm::ReturnInst>(end)) {
      builder_.CreateRet(values_.first(end.getOperand(0)));
      return;
    }
    auto& branch = llvm::cast<llvm::BranchInst>(end);
    values_.prepareEdges(block);
    if (branch.isUnconditional()) {
      leaveTogether(block, *branch.getSuccessor(0));
    } else if (plan_.shapes.of(branch.getCondition()).isUniform()) {
      Value* condition = values_.scalar(branch.getCondition());
      BasicBlock* edges[2];
      for (BasicBlock*& edge : edges)
        edge = BasicBlock::Create(function_.getContext(), block.getName() + ".edge", &function_);
      builder_.CreateCondBr(condition, edges[0], edges[1]);
      for (unsigned i = 0; i < 2; ++i) {
        builder_.SetInsertPoint(edges[i]);
        leaveTogether(block, *branch.getSuccessor(i));
      }
    } else {
      diverge(block, branch);
    }
  }

  void leaveTogether(BasicBlock& from, BasicBlock& to) {
    Value* all = nullptr;
    if (plan_.masked.contains(&to)) {
      clearMasks(plan_.masked.stretchOf(&to).blocks);
      all = llvm::Constant::getAllOnesValue(maskType_);
      builder_.CreateStore(all, masks_[&to]);
    }
    values_.passToPhis(from, to, nullptr);
    builder_.CreateBr(entries_[&to]);
  }

  void diverge(BasicBlock& block, llvm::BranchInst& branch) {
    const MaskedBlocks::Stretch* stretch = nullptr;
    for (BasicBlock* successor : branch.successors())
      if (plan_.masked.contains(successor))
        stretch = &plan_.masked.stretchOf(successor);
    Value* condition = values_.vector(branch.getCondition());
    // A branch on poison is undefined anyway, but only for a work-item that runs it.
    if (stretch)
      clearMasks(stretch->blocks);
    BasicBlock* first = nullptr;
    Value* taken[2] = {condition, builder_.CreateNot(condition)};
    for (unsigned i = 0; i < 2; ++i)
      takeEdge(block, *branch.getSuccessor(i), taken[i]);
    if (stretch)
      for (BasicBlock* candidate : stretch->blocks)
        if (!first && llvm::is_contained(branch.successors(), candidate))
          first = candidate;
    builder_.CreateBr(entries_[first ? first : branch.getSuccessor(0)]);
  }

  void clearMasks(const std::vector<BasicBlock*>& blocks) {
    for (BasicBlock* block : blocks)
      builder_.CreateStore(llvm::Constant::getNullValue(maskType_), masks_[block]);
  }

  /// The work-items of `mask` go from one block to another.
  void takeEdge(BasicBlock& from, BasicBlock& to, Value* mask) {
    values_.passToPhis(from, to, mask);
    if (!plan_.masked.contains(&to))
      return;
    Value* before = builder_.CreateLoad(maskType_, masks_[&to]);
    builder_.CreateStore(builder_.CreateOr(before, mask), masks_[&to]);
  }

  void emitMasked(BasicBlock& block, const MaskedBlocks::Stretch& stretch, unsigned position) {
    builder_.SetInsertPoint(entries_[&block]);
    Value* mask = builder_.CreateLoad(maskType_, masks_[&block], "mask");
    if (plan_.loops.isLoopHeader(&block))
      clearMasks(plan_.loops.getLoopFor(&block)->getBlocksVector());
    BasicBlock* after = nullptr;
    if (isWorthSkipping(block)) {
      auto* body = BasicBlock::Create(function_.getContext(), block.getName() + ".any", &function_);
      after = BasicBlock::Create(function_.getContext(), block.getName() + ".done", &function_);
      builder_.CreateCondBr(values_.any(mask), body, after);
      builder_.SetInsertPoint(body);
    }
    values_.beginBlock(mask);
    for (llvm::Instruction& instruction : block)
      if (!instruction.isTerminator())
        values_.emit(instruction);
    builder_.SetCurrentDebugLocation(block.getTerminator()->getDebugLoc());
    auto& branch = llvm::cast<llvm::BranchInst>(*block.getTerminator());
    values_.prepareEdges(block);
    if (branch.isUnconditional()) {
      takeEdge(block, *branch.getSuccessor(0), mask);
    } else {
      // A select: the condition may be poison for work-items that do not run this.
      Value* condition = values_.vector(branch.getCondition());
      Value* taken = builder_.CreateLogicalAnd(mask, condition);
      Value* notTaken = builder_.CreateLogicalAnd(mask, builder_.CreateNot(condition));
      takeEdge(block, *branch.getSuccessor(0), taken);
      takeEdge(block, *branch.getSuccessor(1), notTaken);
    }
    if (after) {
      builder_.CreateBr(after);
      builder_.SetInsertPoint(after);
    }
    repeatLoops(block, stretch, position);
    builder_.CreateBr(position + 1 < stretch.blocks.size() ? entries_[stretch.blocks[position + 1]]
                                                           : entries_[stretch.join]);
  }

  /// After the last block of a loop: again, while any work-item came back to its header.
  void repeatLoops(BasicBlock& block, const MaskedBlocks::Stretch& stretch, unsigned position) {
    const BasicBlock* following =
        position + 1 < stretch.blocks.size() ? stretch.blocks[position + 1] : nullptr;
    for (const llvm::Loop* loop = plan_.loops.getLoopFor(&block);
         loop && plan_.masked.contains(loop->getHeader()) &&
         !(following && loop->contains(following));
         loop = loop->getParentLoop()) {
      Value* again =
          values_.any(builder_.CreateLoad(maskType_, masks_[loop->getHeader()], "again"));
      auto* exit =
          BasicBlock::Create(function_.getContext(), block.getName() + ".left", &function_);
      builder_.CreateCondBr(again, entries_[loop->getHeader()], exit);
      builder_.SetInsertPoint(exit);
    }
  }

  /// Accesses for the whole packet must not happen when no work-item asks for them.
  bool isWorthSkipping(const BasicBlock& block) const {
    unsigned cost = 0;
    for (const llvm::Instruction& instruction : block) {
      if (const Value* pointer = llvm::getLoadStorePointerOperand(&instruction)) {
        if (plan_.shapes.of(pointer).isUniform())
          return true;
        cost += 4;
      }
      if (const auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction)) {
        if (!llvm::isa<llvm::IntrinsicInst>(call))
          return true;
        cost += 2;
      }
      if (instruction.isIntDivRem())
        return true;
      ++cost;
    }
    return cost >= expensive;
  }

  const PacketPlan& plan_;
  llvm::Function& function_;
  llvm::IRBuilder<> builder_;
  PacketValues values_;
  llvm::Type* boolType_;
  llvm::Type* maskType_;
  llvm::DenseMap<const BasicBlock*, BasicBlock*> entries_;
  llvm::DenseMap<const BasicBlock*, llvm::AllocaInst*> masks_;
};

} // namespace

llvm::Function* emitPacket(const PacketPlan& plan) {
  return Emitter(plan).run();
}

} // namespace quern::compiler
