// The loops over a region's packets.

#include <optional>
#include <tuple>

#include "compiler/codegen/loop_properties.h"
#include "compiler/codegen/work_group_function.h"
#include "compiler/il/kernel_function.h"
#include "compiler/il/names.h"
#include "compiler/packets/packet_emitter.h"

namespace quern::compiler {

/// Begins a loop that runs at least once.
WorkGroupFunction::Loop WorkGroupFunction::openLoop(llvm::Value* begin, llvm::Value* end,
                                                    llvm::Value* step, const llvm::Twine& name) {
  llvm::BasicBlock* before = builder_.GetInsertBlock();
  llvm::BasicBlock* body = newBlock(name);
  builder_.CreateBr(body);
  builder_.SetInsertPoint(body);
  llvm::PHINode* index = builder_.CreatePHI(int64_, 2, name);
  index->addIncoming(begin, before);
  return {index, end, step};
}

WorkGroupFunction::Loop WorkGroupFunction::openLoop(llvm::Value* begin, llvm::Value* end,
                                                    uint64_t step, const llvm::Twine& name) {
  return openLoop(begin, end, builder_.getInt64(step), name);
}

void WorkGroupFunction::closeLoop(const Loop& loop) {
  llvm::BasicBlock* body = loop.index->getParent();
  llvm::BasicBlock* done = newBlock(body->getName() + ".done");
  llvm::Value* following = builder_.CreateAdd(loop.index, loop.step, "", true, true);
  loop.index->addIncoming(following, builder_.GetInsertBlock());
  builder_.CreateCondBr(builder_.CreateICmpULT(following, loop.end), body, done)
      ->setMetadata(llvm::LLVMContext::MD_loop, outerLoopProperties(*loop.end, loop.repeats));
  builder_.SetInsertPoint(done);
}

llvm::Function& WorkGroupFunction::formOf(const llvm::Function& region, llvm::StringRef attribute) {
  return *region.getParent()->getFunction(region.getFnAttribute(attribute).getValueAsString());
}

/// Packets along another dimension where enough of each has work-items, and what the region has
/// along dimension 0 otherwise.
void WorkGroupFunction::addEitherDimension(unsigned number) {
  const llvm::Function& region = *regions_[number];
  llvm::Function& exchanged = formOf(region, names::exchangedAttribute);
  llvm::BasicBlock* columns = newBlock("columns");
  llvm::BasicBlock* rows = newBlock("rows");
  llvm::BasicBlock* done = newBlock("rows.done");
  llvm::Value* width = builder_.getInt64(numberAttribute(exchanged, names::packetWidthAttribute));
  llvm::Value* size = size_[numberAttribute(exchanged, names::packetDimensionAttribute)];
  llvm::Value* packets = builder_.CreateUDiv(
      builder_.CreateNUWAdd(size, builder_.CreateNUWSub(width, builder_.getInt64(1))), width);
  llvm::Value* places = builder_.CreateNUWMul(packets, width);
  llvm::Value* least = builder_.CreateNUWMul(
      places, builder_.getInt64(numberAttribute(exchanged, names::leastFilledAttribute)));
  builder_.CreateCondBr(
      builder_.CreateICmpUGE(builder_.CreateNUWMul(size, builder_.getInt64(16)), least), columns,
      rows);

  builder_.SetInsertPoint(columns);
  addExchangedLoops(region, exchanged);
  builder_.CreateBr(done);

  builder_.SetInsertPoint(rows);
  addPacketsOrItems(number);
  builder_.CreateBr(done);
  builder_.SetInsertPoint(done);
}

/// What the region has along dimension 0: packets, one work-item after the other, or both, of which
/// packets run where they have enough work-items.
void WorkGroupFunction::addPacketsOrItems(unsigned number) {
  llvm::Function& region = *regions_[number];
  if (!region.hasFnAttribute(names::packetAttribute)) {
    builder_.CreateStore(addItemLoops(number), next_);
    return;
  }
  if (!region.hasFnAttribute(names::leastColumnsAttribute)) {
    addPacketLoops(region);
    return;
  }
  llvm::BasicBlock* packets = newBlock("enough.columns");
  llvm::BasicBlock* items = newBlock("few.columns");
  llvm::BasicBlock* done = newBlock("columns.done");
  llvm::Value* least = builder_.getInt64(numberAttribute(region, names::leastColumnsAttribute));
  builder_.CreateCondBr(builder_.CreateICmpUGE(size_[0], least), packets, items);
  builder_.SetInsertPoint(packets);
  addPacketLoops(region);
  builder_.CreateBr(done);
  builder_.SetInsertPoint(items);
  builder_.CreateStore(addItemLoops(number), next_);
  builder_.CreateBr(done);
  builder_.SetInsertPoint(done);
}

/// As addPacketLoops. Where a row of tiles is one group, each of them is left as it is: what is
/// long in the dimension of packets is gone through along it.
void WorkGroupFunction::addExchangedLoops(const llvm::Function& region, llvm::Function& exchanged) {
  const std::array<Triple, 3> before = {group_, size_, first_};
  std::optional<Loop> tiles;
  if (isFlat(region, 0)) {
    tiles = openLoop(builder_.getInt64(0), size_[0], launchSize_[0], "tiles.x");
    first_[0] = builder_.CreateNUWAdd(first_[0], tiles->index);
    size_[0] = builder_.CreateBinaryIntrinsic(
        llvm::Intrinsic::umin, builder_.CreateNUWSub(size_[0], tiles->index), launchSize_[0]);
  }
  for (Triple* triple : {&group_, &size_, &first_})
    std::swap((*triple)[0], (*triple)[numberAttribute(exchanged, names::packetDimensionAttribute)]);
  addPacketLoops(exchanged);
  std::tie(group_, size_, first_) = std::tie(before[0], before[1], before[2]);
  if (tiles)
    closeLoop(*tiles);
}

/// All work-items of the group, in tiles of packets. Rows that a tile has in common are gone
/// through along dimension 1 first, for what tiles of the same columns load is the same.
void WorkGroupFunction::addPacketLoops(llvm::Function& region) {
  const PacketTile tile{static_cast<unsigned>(numberAttribute(region, names::tileColumnsAttribute)),
                        static_cast<unsigned>(numberAttribute(region, names::tileRowsAttribute))};
  const uint64_t width = numberAttribute(region, names::packetWidthAttribute);
  const uint64_t steps[] = {width * tile.columns, tile.rows};
  const unsigned outer = tile.rows > 1 ? 0 : 1;
  llvm::Value* zero = builder_.getInt64(0);
  std::array<llvm::Value*, 2> begins{zero, zero}, ends{size_[0], size_[1]};
  if (region.hasFnAttribute(names::activeRangeAttribute))
    std::tie(begins[0], ends[0]) = activeRange(region, steps[0]);
  std::array<Loop, 2> loops{};
  Loop planes = openLoop(zero, size_[2], 1, "packets.z");
  planes.repeats = repeats(region, 2);
  for (unsigned dimension : {outer, 1 - outer})
    loops[dimension] = openLoop(begins[dimension], ends[dimension], steps[dimension],
                                "packets." + llvm::Twine("xy"[dimension]));
  loops[1].repeats = repeats(region, 1);
  runTile(region, {loops[0].index, loops[1].index, planes.index}, tile);
  closeLoop(loops[1 - outer]);
  closeLoop(loops[outer]);
  closeLoop(planes);
}

/// The first place in a row, a multiple of `step`, and the one after the last at which a work-item
/// does anything. What the group has in common may only be known from one that does nothing.
std::pair<llvm::Value*, llvm::Value*> WorkGroupFunction::activeRange(const llvm::Function& region,
                                                                     uint64_t step) {
  llvm::Value* zero = builder_.getInt64(0);
  llvm::Value* both = call(formOf(region, names::activeRangeAttribute), {zero, zero, zero}, zero);
  llvm::Value* begin = builder_.CreateAnd(both, UINT32_MAX);
  llvm::Value* end = builder_.CreateLShr(both, 32);
  begin = builder_.CreateSelect(builder_.CreateICmpULT(begin, end), begin, zero);
  return {builder_.CreateSub(begin, builder_.CreateURem(begin, builder_.getInt64(step))), end};
}

/// The tile of packets at `item`, as one where the region has a form for it, the group has room for
/// it and its guards hold.
void WorkGroupFunction::runTile(const llvm::Function& region, const Triple& item, PacketTile tile) {
  if (!region.hasFnAttribute(names::tileAttribute)) {
    runPackets(region, item, tile);
    return;
  }
  const uint64_t width = numberAttribute(region, names::packetWidthAttribute);
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
  llvm::Value* next = runForm(formOf(region, names::tileAttribute), item);
  builder_.CreateStore(next, next_);
  llvm::Value* didNothing =
      builder_.CreateICmpEQ(next, builder_.getInt32(static_cast<uint32_t>(nothingDone)));
  builder_.CreateCondBr(didNothing, single, done);

  builder_.SetInsertPoint(single);
  runPackets(region, item, tile);
  builder_.CreateBr(done);
  builder_.SetInsertPoint(done);
}

/// The packets of the tile at `item` one after the other, as far as they lie in the group.
void WorkGroupFunction::runPackets(const llvm::Function& region, const Triple& item,
                                   PacketTile tile) {
  const uint64_t width = numberAttribute(region, names::packetWidthAttribute);
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
  builder_.CreateStore(runForm(formOf(region, names::packetAttribute), packet), next_);
  for (; !loops.empty(); loops.pop_back())
    closeLoop(loops.back());
}

llvm::Value* WorkGroupFunction::runForm(llvm::Function& form, const Triple& item) {
  llvm::Value* row = builder_.CreateNUWAdd(builder_.CreateNUWMul(item[2], size_[1]), item[1]);
  return call(form, item, builder_.CreateNUWAdd(builder_.CreateNUWMul(row, size_[0]), item[0]));
}

} // namespace quern::compiler
