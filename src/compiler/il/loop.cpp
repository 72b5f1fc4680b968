#include "compiler/il/loop.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/Transforms/Utils/LoopUtils.h>

#include "compiler/il/boundary.h"
#include "compiler/il/packet_operation.h"

namespace quern::compiler {

uint64_t instructionsOf(const llvm::Loop& loop) {
  uint64_t count = 0;
  for (const llvm::BasicBlock* block : loop.blocks())
    count += block->size();
  return count;
}

bool isConvergent(const llvm::Loop& loop) {
  return llvm::any_of(loop.blocks(), [](const llvm::BasicBlock* block) {
    return llvm::any_of(*block, [](const llvm::Instruction& instruction) {
      const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
      return call && call->isConvergent() && !isPacketOperation(*call) && !isPacketBarrier(*call);
    });
  });
}

llvm::PHINode* addIterationCounter(const llvm::Loop& loop) {
  llvm::BasicBlock *header = loop.getHeader(), *latch = loop.getLoopLatch();
  llvm::IRBuilder<> builder(header, header->begin());
  llvm::PHINode* counter = builder.CreatePHI(builder.getInt64Ty(), 2, "iteration");
  builder.SetInsertPoint(latch->getTerminator());
  counter->addIncoming(builder.getInt64(0), loop.getLoopPredecessor());
  counter->addIncoming(
      builder.CreateAdd(counter, builder.getInt64(1), "", /*HasNUW=*/true, /*HasNSW=*/true), latch);
  return counter;
}

bool hasUnrollingOption(const llvm::Loop& loop) {
  constexpr llvm::StringRef options[] = {"llvm.loop.unroll.count", "llvm.loop.unroll.full",
                                         "llvm.loop.unroll.enable", "llvm.loop.unroll.disable"};
  return llvm::any_of(options, [&](llvm::StringRef option) {
    return llvm::findOptionMDForLoop(&loop, option) != nullptr;
  });
}

void setUnrollCount(llvm::Loop& loop, unsigned count) {
  llvm::LLVMContext& context = loop.getHeader()->getContext();
  llvm::Metadata* const option[] = {llvm::MDString::get(context, "llvm.loop.unroll.count"),
                                    llvm::ConstantAsMetadata::get(llvm::ConstantInt::get(
                                        llvm::Type::getInt32Ty(context), count))};
  loop.setLoopID(llvm::makePostTransformationMetadata(
      context, loop.getLoopID(), {"llvm.loop.unroll."}, {llvm::MDNode::get(context, option)}));
}

} // namespace quern::compiler
