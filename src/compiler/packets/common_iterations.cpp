#include "compiler/packets/common_iterations.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Transforms/Utils/Cloning.h>

#include "compiler/il/loop.h"
#include "compiler/il/packet_condition.h"
#include "compiler/packets/lane_predicate.h"

namespace quern::compiler {
namespace {

using llvm::BasicBlock;

/// A second copy of a larger loop costs more time to compile than it saves.
constexpr uint64_t maxInstructions = 200;

/// The header runs once more, at the start of the second loop.
bool canRepeat(const BasicBlock& header) {
  return llvm::none_of(header, [](const llvm::Instruction& instruction) {
    return instruction.mayHaveSideEffects();
  });
}

/// Whether a number that changes over a packet by less than half of what its type holds is compared
/// with a uniform one.
bool comparesSteadily(llvm::Value* condition, const Shapes& shapes) {
  const auto comparison = laneComparison({condition, true}, shapes);
  return comparison && comparison->isRelational() && comparison->shape.isAffine() &&
         llvm::isInt<24>(comparison->shape.stride);
}

bool isSplittable(const llvm::Loop& loop, const Uniformity& inPacket, const Shapes& shapes,
                  const MaskedBlocks& masked) {
  const BasicBlock* header = loop.getHeader();
  const auto* branch = llvm::dyn_cast<llvm::BranchInst>(header->getTerminator());
  return branch && branch->isConditional() && inPacket.hasDivergentTerminator(*header) &&
         loop.getExitingBlock() == header && loop.getLoopPreheader() &&
         !masked.contains(loop.getLoopPreheader()) && canRepeat(*header) &&
         comparesSteadily(branch->getCondition(), shapes) &&
         instructionsOf(loop) <= maxInstructions;
}

void split(const llvm::Loop& loop) {
  BasicBlock* header = loop.getHeader();
  auto* branch = llvm::cast<llvm::BranchInst>(header->getTerminator());
  const bool staysOnTrue = loop.contains(branch->getSuccessor(0));
  BasicBlock* exit = branch->getSuccessor(staysOnTrue ? 1 : 0);
  llvm::ValueToValueMapTy map;
  llvm::SmallVector<BasicBlock*> rest;
  for (BasicBlock* block : loop.blocks()) {
    rest.push_back(llvm::CloneBasicBlock(block, map, ".rest", header->getParent()));
    map[block] = rest.back();
  }
  llvm::remapInstructionsInBlocks(rest, map);
  auto* restHeader = llvm::cast<BasicBlock>(map[header]);
  for (llvm::PHINode& phi : header->phis()) {
    auto* restPhi = llvm::cast<llvm::PHINode>(map[&phi]);
    const int entry = restPhi->getBasicBlockIndex(loop.getLoopPreheader());
    restPhi->setIncomingBlock(static_cast<unsigned>(entry), header);
    restPhi->setIncomingValue(static_cast<unsigned>(entry), &phi);
  }
  for (llvm::PHINode& phi : exit->phis()) {
    const int edge = phi.getBasicBlockIndex(header);
    phi.setIncomingBlock(static_cast<unsigned>(edge), restHeader);
    if (llvm::Value* restValue = map.lookup(phi.getIncomingValue(static_cast<unsigned>(edge))))
      phi.setIncomingValue(static_cast<unsigned>(edge), restValue);
  }
  llvm::IRBuilder<> builder(branch);
  auto* stays = llvm::cast<llvm::ICmpInst>(branch->getCondition());
  if (!staysOnTrue)
    stays = llvm::cast<llvm::ICmpInst>(builder.CreateICmp(
        stays->getInversePredicate(), stays->getOperand(0), stays->getOperand(1)));
  builder.CreateCondBr(addPacketAll(builder, stays), branch->getSuccessor(staysOnTrue ? 0 : 1),
                       restHeader);
  branch->eraseFromParent();
}

} // namespace

bool splitOffCommonIterations(const llvm::LoopInfo& loops, const Uniformity& inPacket,
                              const Shapes& shapes, const MaskedBlocks& masked) {
  // None of them lies in another: what is in a loop that work-items leave at different times is
  // masked.
  llvm::SmallVector<const llvm::Loop*> found;
  for (const llvm::Loop* loop : loops.getLoopsInPreorder())
    if (isSplittable(*loop, inPacket, shapes, masked))
      found.push_back(loop);
  for (const llvm::Loop* loop : found)
    split(*loop);
  return !found.empty();
}

} // namespace quern::compiler
