// The loops over a region's packets.

#include <tuple>

#include "compiler/codegen/loop_properties.h"
#include "compiler/codegen/work_group_function.h"
#include "compiler/il/kernel_function.h"
#include "compiler/il/names.h"
#include "compiler/packets/packet_emitter.h"

namespace quern::compiler {

/// Begins a loop that runs at least once.
WorkGroupFunction::Loop WorkGroupFunction::openLoop(llvm::Value* begin, llvm::Value* end,
                                                    uint64_t step, const llvm::Twine& name) {
  llvm::BasicBlock* before = builder_.GetInsertBlock();
  llvm::BasicBlock* body = newBlock(name);
  builder_.CreateBr(body);
  builder_.SetInsertPoint(body);
  llvm::PHINode* index = builder_.CreatePHI(int64_, 2, name);
  index->addIncoming(begin, before);
  return {index, end, step};
}

void WorkGroupFunction::closeLoop(const Loop& loop) {
  llvm::BasicBlock* body = loop.index->getParent();
  llvm::BasicBlock* done = newBlock(body->getName() + ".done");
  llvm::Value* following =
      builder_.CreateAdd(loop.index, builder_.getInt64(loop.step), "", true, true);
  loop.index->addIncoming(following, builder_.GetInsertBlock());
  builder_.CreateCondBr(builder_.CreateICmpULT(following, loop.end), body, done)
      ->setMetadata(llvm::LLVMContext::MD_loop, outerLoopProperties(*loop.end));
  builder_.SetInsertPoint(done);
}

llvm::Function& WorkGroupFunction::formOf(unsigned number, llvm::StringRef attribute) const {
  const llvm::Function& region = *regions_[number];
  return *region.getParent()->getFunction(region.getFnAttribute(attribute).getValueAsString());
}

/// All work-items of the group, in tiles of packets. Rows that a tile has in common are gone
/// through along dimension 1 first, for what tiles of the same columns load is the same.
void WorkGroupFunction::addPacketLoops(unsigned number) {
  const llvm::Function& region = *regions_[number];
  const PacketTile tile{static_cast<unsigned>(numberAttribute(region, names::tileColumnsAttribute)),
                        static_cast<unsigned>(numberAttribute(region, names::tileRowsAttribute))};
  const uint64_t width = numberAttribute(region, names::packetWidthAttribute);
  const uint64_t steps[] = {width * tile.columns, tile.rows};
  const unsigned outer = tile.rows > 1 ? 0 : 1;
  llvm::Value* zero = builder_.getInt64(0);
  std::array<llvm::Value*, 2> begins{zero, zero}, ends{size_[0], size_[1]};
  if (region.hasFnAttribute(names::activeRangeAttribute))
    std::tie(begins[0], ends[0]) = activeRange(number, steps[0]);
  std::array<Loop, 2> loops{};
  const Loop planes = openLoop(zero, size_[2], 1, "packets.z");
  for (unsigned dimension : {outer, 1 - outer})
    loops[dimension] = openLoop(begins[dimension], ends[dimension], steps[dimension],
                                "packets." + llvm::Twine("xy"[dimension]));
  runTile(number, {loops[0].index, loops[1].index, planes.index}, tile);
  closeLoop(loops[1 - outer]);
  closeLoop(loops[outer]);
  closeLoop(planes);
}

/// The first place in a row, a multiple of `step`, and the one after the last at which a work-item
/// does anything. What the group has in common may only be known from one that does nothing.
std::pair<llvm::Value*, llvm::Value*> WorkGroupFunction::activeRange(unsigned number,
                                                                     uint64_t step) {
  llvm::Value* zero = builder_.getInt64(0);
  llvm::Value* both = call(formOf(number, names::activeRangeAttribute), {zero, zero, zero}, zero);
  llvm::Value* begin = builder_.CreateAnd(both, UINT32_MAX);
  llvm::Value* end = builder_.CreateLShr(both, 32);
  begin = builder_.CreateSelect(builder_.CreateICmpULT(begin, end), begin, zero);
  return {builder_.CreateSub(begin, builder_.CreateURem(begin, builder_.getInt64(step))), end};
}

/// The tile of packets at `item`, as one where the region has a form for it, the group has room for
/// it and its guards hold.
void WorkGroupFunction::runTile(unsigned number, const Triple& item, PacketTile tile) {
  if (!regions_[number]->hasFnAttribute(names::tileAttribute)) {
    runPackets(number, item, tile);
    return;
  }
  const uint64_t width = numberAttribute(*regions_[number], names::packetWidthAttribute);
  llvm::BasicBlock* whole = newBlock("tile");
  llvm::BasicBlock* single = newBlock("packets.single");
  llvm::BasicBlock* done = newBlock("tile.done");
  const auto hasRoom = [&](unsigned dimension, uint64_t count) {
    return builder_.CreateICmpULE(builder_.CreateNUWAdd(item[dimension], builder_.getInt64(count)),
                                  size_[dimension]);
  };
  builder_.CreateCondBr(builder_.CreateAnd(hasRoom(0, width * tile.columns), hasRoom(1, tile.rows)),
                        whole, single);

  builder_.SetInsertPoint(whole);
  llvm::Value* next = runForm(formOf(number, names::tileAttribute), item);
  builder_.CreateStore(next, next_);
  llvm::Value* didNothing =
      builder_.CreateICmpEQ(next, builder_.getInt32(static_cast<uint32_t>(nothingDone)));
  builder_.CreateCondBr(didNothing, single, done);

  builder_.SetInsertPoint(single);
  runPackets(number, item, tile);
  builder_.CreateBr(done);
  builder_.SetInsertPoint(done);
}

/// The packets of the tile at `item` one after the other, as far as they lie in the group.
void WorkGroupFunction::runPackets(unsigned number, const Triple& item, PacketTile tile) {
  const uint64_t width = numberAttribute(*regions_[number], names::packetWidthAttribute);
  const uint64_t counts[] = {tile.columns, tile.rows};
  const uint64_t steps[] = {width, 1};
  Triple packet = item;
  std::vector<Loop> loops;
  for (const unsigned dimension : {1, 0}) {
    if (counts[dimension] == 1)
      continue;
    llvm::Value* end = builder_.CreateNUWAdd(
        item[dimension], builder_.getInt64(counts[dimension] * steps[dimension]));
    end = builder_.CreateBinaryIntrinsic(llvm::Intrinsic::umin, end, size_[dimension]);
    loops.push_back(
        openLoop(item[dimension], end, steps[dimension], "packet." + llvm::Twine("xy"[dimension])));
    packet[dimension] = loops.back().index;
  }
  builder_.CreateStore(runForm(formOf(number, names::packetAttribute), packet), next_);
  for (; !loops.empty(); loops.pop_back())
    closeLoop(loops.back());
}

llvm::Value* WorkGroupFunction::runForm(llvm::Function& form, const Triple& item) {
  llvm::Value* row = builder_.CreateNUWAdd(builder_.CreateNUWMul(item[2], size_[1]), item[1]);
  return call(form, item, builder_.CreateNUWAdd(builder_.CreateNUWMul(row, size_[0]), item[0]));
}

} // namespace quern::compiler
