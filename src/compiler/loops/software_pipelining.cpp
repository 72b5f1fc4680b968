#include "compiler/loops/software_pipelining.h"

#include <vector>

#include <llvm/Analysis/ConstantFolding.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/Transforms/Utils/Local.h>
#include <llvm/Transforms/Utils/LoopSimplify.h>
#include <llvm/Transforms/Utils/LoopUtils.h>
#include <llvm/Transforms/Utils/ValueMapper.h>

#include "compiler/loops/pipeline_stages.h"

namespace quern::compiler {
namespace {

class Overlap {
public:
  Overlap(const llvm::Loop& loop, PipelineStages stages)
      : stages_(std::move(stages)), loop_(*loop.getHeader()), before_(*loop.getLoopPreheader()),
        exit_(*loop.getExitBlock()),
        first_(*llvm::BasicBlock::Create(loop_.getContext(), "iterations.first", loop_.getParent(),
                                         &loop_)),
        last_(*llvm::BasicBlock::Create(loop_.getContext(), "iterations.last", loop_.getParent(),
                                        loop_.getNextNode())) {
    for (llvm::Instruction& instruction : loop_)
      if (auto* phi = llvm::dyn_cast<llvm::PHINode>(&instruction))
        phis_.push_back(phi);
      else if (!instruction.isTerminator())
        (stages_.early.contains(&instruction) ? early_ : late_).push_back(&instruction);
  }

  void run() {
    llvm::ValueToValueMapTy firsts;
    for (llvm::PHINode* phi : phis_)
      firsts[phi] = phi->getIncomingValueForBlock(&before_);
    copy(early_, first_, firsts);
    carry(firsts);
    enter(firsts);
    leave(firsts);
    overlap();
    llvm::ConstantFoldTerminator(&first_);
    for (llvm::BasicBlock* block : {&last_, &loop_})
      for (llvm::PHINode& phi : llvm::make_early_inc_range(block->phis()))
        llvm::RecursivelyDeleteDeadPHINode(&phi);
  }

private:
  /// What an early value is in the iteration whose second stage the loop makes.
  llvm::Value* current(llvm::Value* value) const {
    const auto found = current_.find(value);
    return found == current_.end() ? value : found->second;
  }

  llvm::Value* atNextIteration(llvm::PHINode* phi) const {
    return current(phi->getIncomingValueForBlock(&loop_));
  }

  static void copy(llvm::ArrayRef<llvm::Instruction*> originals, llvm::BasicBlock& block,
                   llvm::ValueToValueMapTy& values) {
    for (llvm::Instruction* original : originals) {
      llvm::Instruction* copy = original->clone();
      copy->insertInto(&block, block.end());
      llvm::RemapInstruction(copy, values,
                             llvm::RF_NoModuleLevelChanges | llvm::RF_IgnoreMissingLocals);
      llvm::Constant* constant = llvm::ConstantFoldInstruction(copy, block.getDataLayout());
      if (constant)
        copy->eraseFromParent();
      else
        copy->setName(original->getName());
      values[original] = constant ? static_cast<llvm::Value*>(constant) : copy;
    }
  }

  void carry(const llvm::ValueToValueMapTy& firsts) {
    llvm::IRBuilder<> builder(&loop_, loop_.begin());
    for (llvm::Instruction* value : early_) {
      llvm::PHINode* phi = builder.CreatePHI(value->getType(), 2, value->getName() + ".now");
      phi->addIncoming(firsts.lookup(value), &first_);
      phi->addIncoming(value, &loop_);
      current_[value] = phi;
    }
  }

  void enter(llvm::ValueToValueMapTy& firsts) {
    before_.getTerminator()->replaceSuccessorWith(&loop_, &first_);
    loop_.getTerminator()->replaceSuccessorWith(&exit_, &last_);
    llvm::Instruction* branch = loop_.getTerminator()->clone();
    branch->setMetadata(llvm::LLVMContext::MD_loop, nullptr);
    branch->insertInto(&first_, first_.end());
    llvm::RemapInstruction(branch, firsts,
                           llvm::RF_NoModuleLevelChanges | llvm::RF_IgnoreMissingLocals);
  }

  /// The second stage of the last iteration.
  void leave(const llvm::ValueToValueMapTy& firsts) {
    llvm::IRBuilder<> builder(&last_);
    llvm::ValueToValueMapTy lasts;
    const auto join = [&](llvm::Value* value, llvm::Value* inLoop) {
      llvm::PHINode* phi = builder.CreatePHI(value->getType(), 2, value->getName() + ".last");
      phi->addIncoming(firsts.lookup(value), &first_);
      phi->addIncoming(inLoop, &loop_);
      lasts[value] = phi;
    };
    for (llvm::PHINode* phi : phis_)
      join(phi, stages_.earlyPhis.contains(phi) ? atNextIteration(phi)
                                                : phi->getIncomingValueForBlock(&loop_));
    for (llvm::Instruction* value : early_)
      join(value, value);
    copy(late_, last_, lasts);
    llvm::BranchInst::Create(&exit_, &last_);
    for (llvm::PHINode& phi : exit_.phis())
      for (unsigned i = 0; i < phi.getNumIncomingValues(); ++i)
        if (phi.getIncomingBlock(i) == &loop_) {
          phi.setIncomingBlock(i, &last_);
          if (llvm::Value* copy = lasts.lookup(phi.getIncomingValue(i)))
            phi.setIncomingValue(i, copy);
        }
  }

  /// Lets the first stage in the loop be that of the next iteration.
  void overlap() {
    llvm::SmallDenseMap<llvm::Value*, llvm::Value*, 8> following;
    for (llvm::PHINode* phi : phis_)
      if (stages_.earlyPhis.contains(phi))
        following[phi] = atNextIteration(phi);
    for (llvm::Instruction* instruction : early_)
      for (llvm::Use& operand : instruction->operands())
        if (const auto next = following.find(operand); next != following.end())
          operand.set(next->second);
    for (llvm::Instruction* instruction : late_)
      for (llvm::Use& operand : instruction->operands())
        operand.set(current(operand));
    for (llvm::PHINode* phi : phis_) {
      if (const auto next = following.find(phi); next != following.end())
        phi->setIncomingValueForBlock(&loop_, next->second);
      phi->replaceIncomingBlockWith(&before_, &first_);
    }
  }

  PipelineStages stages_;
  llvm::BasicBlock &loop_, &before_, &exit_, &first_, &last_;
  llvm::SmallVector<llvm::PHINode*> phis_;
  llvm::SmallVector<llvm::Instruction*> early_, late_;
  llvm::SmallDenseMap<llvm::Value*, llvm::Value*, 32> current_;
};

} // namespace

llvm::PreservedAnalyses SoftwarePipeliningPass::run(llvm::Function& function,
                                                    llvm::FunctionAnalysisManager& analyses) {
  const auto& machine = analyses.getResult<llvm::TargetIRAnalysis>(function);
  auto& loops = analyses.getResult<llvm::LoopAnalysis>(function);
  auto& dominators = analyses.getResult<llvm::DominatorTreeAnalysis>(function);
  std::vector<Overlap> overlaps;
  for (llvm::Loop* loop : loops.getLoopsInPreorder())
    if (std::optional<PipelineStages> stages = pipelineStagesOf(*loop, machine)) {
      if (!llvm::InsertPreheaderForLoop(loop, &dominators, &loops, nullptr, false))
        continue;
      llvm::formLCSSA(*loop, dominators, &loops, nullptr);
      overlaps.emplace_back(*loop, std::move(*stages));
    }
  for (Overlap& overlap : overlaps)
    overlap.run();
  return overlaps.empty() ? llvm::PreservedAnalyses::all() : llvm::PreservedAnalyses::none();
}

} // namespace quern::compiler
