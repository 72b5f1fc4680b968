#include "compiler/loops/fetch_ahead.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/IR/IRBuilder.h>

#include "compiler/il/names.h"
#include "compiler/il/preserved_analyses.h"
#include "compiler/loops/ordered_reads.h"
#include "compiler/packets/report.h"
#include "compiler/target/target_model.h"

namespace quern::compiler {
namespace {

/// Bytes from what is read to what is fetched. Half of it is not enough for the third level of
/// caches when many threads read it.
constexpr uint64_t fetchDistance = 2048;
/// Bytes between fetches: several for each line, for processors drop some when they are busy.
/// With fewer a sparse matrix took 5 % longer, with more a small vector.
constexpr int64_t spacing = 16;

using ReadsOfLoop = std::pair<const llvm::Loop*, std::vector<OrderedReads>>;

/// Leaves out loops over the few iterations that those with larger steps through the same buffer
/// leave.
void leaveOutRests(std::vector<ReadsOfLoop>& loops, llvm::ScalarEvolution& evolution) {
  llvm::SmallDenseMap<const llvm::SCEV*, uint64_t> largest;
  const auto largestStep = [&](const OrderedReads& reads) -> uint64_t& {
    return largest[evolution.getPointerBase(reads.course)];
  };
  for (const auto& [loop, buffers] : loops)
    for (const OrderedReads& reads : buffers)
      largestStep(reads) = std::max(largestStep(reads), reads.step);
  std::erase_if(loops, [&](const ReadsOfLoop& loop) {
    return llvm::all_of(loop.second,
                        [&](const OrderedReads& reads) { return reads.step < largestStep(reads); });
  });
}

void fetch(llvm::LoadInst& load, uint64_t ahead) {
  constexpr uint32_t forReading = 0, intoAllCaches = 3, ofData = 1;
  llvm::IRBuilder<> builder(&load);
  llvm::Value* place = builder.CreatePtrAdd(load.getPointerOperand(), builder.getInt64(ahead));
  builder.CreateIntrinsic(llvm::Intrinsic::prefetch, {place->getType()},
                          {place, builder.getInt32(forReading), builder.getInt32(intoAllCaches),
                           builder.getInt32(ofData)});
}

void fetchAheadOf(const OrderedReads& reads) {
  int64_t next = INT64_MIN;
  for (const auto& [load, offset] : reads.loads) {
    if (offset < next)
      continue;
    next = offset + spacing;
    const uint64_t bytes = load->getDataLayout().getTypeStoreSize(load->getType());
    for (uint64_t line = 0; line < bytes; line += TargetModel::lineBytes)
      fetch(*load, fetchDistance + line);
  }
}

} // namespace

llvm::PreservedAnalyses FetchAheadPass::run(llvm::Function& function,
                                            llvm::FunctionAnalysisManager& analyses) {
  auto& evolution = analyses.getResult<llvm::ScalarEvolutionAnalysis>(function);
  std::vector<ReadsOfLoop> loops;
  for (const llvm::Loop* loop :
       analyses.getResult<llvm::LoopAnalysis>(function).getLoopsInPreorder())
    if (std::vector<OrderedReads> buffers = orderedReads(*loop, evolution); !buffers.empty())
      loops.emplace_back(loop, std::move(buffers));
  if (loops.empty())
    return llvm::PreservedAnalyses::all();
  leaveOutRests(loops, evolution);
  for (const auto& [loop, buffers] : loops)
    for (const OrderedReads& reads : buffers)
      fetchAheadOf(reads);
  if (function.hasFnAttribute(names::kernelAttribute))
    addToReportOfKernel(function, "what loops over lists read in order is fetched ahead");
  return preservedWithCfg(true);
}

} // namespace quern::compiler
