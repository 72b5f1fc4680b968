#include "compiler/codegen/counter_table.h"

#include <llvm/IR/Dominators.h>
#include <llvm/IR/MDBuilder.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/PromoteMemToReg.h>

#include "compiler/codegen/loop_properties.h"
#include "compiler/il/atomic_operations.h"

namespace quern::compiler {

using llvm::Value;

namespace {

constexpr uint64_t chunkBytes = 64;

uint64_t bytesOf(const CounterArray& array) {
  return array.type->getIntegerBitWidth() / 8;
}

llvm::VectorType* chunkType(const CounterArray& array) {
  return llvm::FixedVectorType::get(array.type, chunkBytes / bytesOf(array));
}

/// Makes the code before `place` a loop of its own over the chunks of a table; returns the chunk's
/// offset and where the body goes.
std::pair<Value*, llvm::Instruction*> chunkLoop(llvm::Instruction& place) {
  llvm::BasicBlock* before = place.getParent();
  llvm::BasicBlock* body = llvm::SplitBlock(before, &place);
  llvm::BasicBlock* after = llvm::SplitBlock(body, &place);
  body->setName("chunk");
  llvm::IRBuilder<> builder(body->getTerminator());
  llvm::PHINode* offset =
      llvm::PHINode::Create(builder.getInt64Ty(), 2, "chunk.offset", body->getFirstNonPHIIt());
  llvm::Instruction* next = llvm::cast<llvm::Instruction>(
      builder.CreateNUWAdd(offset, builder.getInt64(chunkBytes), "chunk.next"));
  builder
      .CreateCondBr(builder.CreateICmpULT(next, builder.getInt64(CounterTables::tableBytes)), body,
                    after)
      ->setMetadata(llvm::LLVMContext::MD_loop, outerLoopProperties(*offset));
  body->getTerminator()->eraseFromParent();
  offset->addIncoming(builder.getInt64(0), before);
  offset->addIncoming(next, body);
  return {offset, next};
}

} // namespace

CounterTables::CounterTables(llvm::Function& function)
    : function_(function), builder_(function.getContext()) {}

llvm::AllocaInst* CounterTables::makeVariable(llvm::Type* type, const char* name) {
  builder_.SetInsertPoint(function_.getEntryBlock().begin());
  variables_.push_back(builder_.CreateAlloca(type, nullptr, name));
  return variables_.back();
}

llvm::AllocaInst* CounterTables::tableMemory(size_t index) {
  while (index >= memories_.size()) {
    builder_.SetInsertPoint(function_.getEntryBlock().begin());
    memories_.push_back(builder_.CreateAlloca(
        llvm::ArrayType::get(builder_.getInt8Ty(), tableBytes), nullptr, "counters"));
    memories_.back()->setAlignment(llvm::Align(chunkBytes));
  }
  return memories_[index];
}

Value* CounterTables::placeIn(const Table& table, Value* offset) {
  return builder_.CreateInBoundsGEP(builder_.getInt8Ty(), table.memory, offset);
}

void CounterTables::addLoop(llvm::BasicBlock& before, llvm::ArrayRef<llvm::BasicBlock*> exits,
                            const std::vector<CounterArray>& arrays) {
  // Changes of one array may be where another one starts.
  std::vector<std::pair<const CounterArray*, Table>> tables;
  for (const CounterArray& array : arrays)
    if (!array.isOne)
      tables.emplace_back(&array, addTable(before, exits, array, tables.size()));
  for (const CounterArray& array : arrays)
    if (array.isOne)
      addOne(before, exits, array);
  for (const auto& [array, table] : tables)
    for (llvm::AtomicRMWInst* change : array->changes)
      collect(table, *array, *change);
}

void CounterTables::finish() {
  llvm::DominatorTree dominators(function_);
  llvm::PromoteMemToReg(variables_, dominators);
}

/// A value instead of a table.
void CounterTables::addOne(llvm::BasicBlock& before, llvm::ArrayRef<llvm::BasicBlock*> exits,
                           const CounterArray& array) {
  llvm::AllocaInst* all = makeVariable(array.type, "counter");
  llvm::Constant* nothing = neutral(array.joining(), array.type);
  builder_.SetInsertPoint(before.getTerminator());
  builder_.CreateStore(nothing, all);
  for (llvm::BasicBlock* exit : exits) {
    llvm::Instruction* place = &*exit->getFirstInsertionPt();
    builder_.SetInsertPoint(place);
    Value* operand = builder_.CreateLoad(array.type, all);
    builder_.SetInsertPoint(
        llvm::SplitBlockAndInsertIfThen(builder_.CreateICmpNE(operand, nothing), place, false));
    apply(array, array.base, operand);
  }
  for (llvm::AtomicRMWInst* change : array.changes) {
    builder_.SetInsertPoint(change);
    builder_.CreateStore(joined(builder_, array.joining(), builder_.CreateLoad(array.type, all),
                                change->getValOperand()),
                         all);
    change->eraseFromParent();
  }
}

CounterTables::Table CounterTables::addTable(llvm::BasicBlock& before,
                                             llvm::ArrayRef<llvm::BasicBlock*> exits,
                                             const CounterArray& array, size_t index) {
  const Table table = {tableMemory(index), makeVariable(builder_.getInt64Ty(), "limit"),
                       makeVariable(builder_.getInt64Ty(), "left")};
  builder_.SetInsertPoint(before.getTerminator());
  builder_.CreateStore(builder_.getInt64(0), table.limit);
  builder_.CreateStore(builder_.getInt64(operationsBefore), table.left);
  for (llvm::BasicBlock* exit : exits)
    endAt(table, array, *exit->getFirstInsertionPt());
  for (llvm::Instruction* start : array.starts)
    startAt(table, array, *start);
  return table;
}

void CounterTables::collect(const Table& table, const CounterArray& array,
                            llvm::AtomicRMWInst& change) {
  builder_.SetInsertPoint(&change);
  Value* offset =
      builder_.CreateSub(builder_.CreatePtrToInt(change.getPointerOperand(), builder_.getInt64Ty()),
                         builder_.CreatePtrToInt(array.base, builder_.getInt64Ty()), "offset");
  Value* isInTable =
      builder_.CreateICmpULT(offset, builder_.CreateLoad(builder_.getInt64Ty(), table.limit));
  llvm::Instruction *own, *shared;
  llvm::SplitBlockAndInsertIfThenElse(
      isInTable, &change, &own, &shared,
      llvm::MDBuilder(builder_.getContext()).createLikelyBranchWeights());
  builder_.SetInsertPoint(own);
  Value* place = placeIn(table, offset);
  const llvm::Align alignment(bytesOf(array));
  builder_.CreateAlignedStore(joined(builder_, array.joining(),
                                     builder_.CreateAlignedLoad(array.type, place, alignment),
                                     change.getValOperand()),
                              place, alignment);
  change.moveBefore(shared->getIterator());
  builder_.SetInsertPoint(shared);
  builder_.CreateStore(builder_.CreateSub(builder_.CreateLoad(builder_.getInt64Ty(), table.left),
                                          builder_.getInt64(1)),
                       table.left);
}

/// Tables are for arrays whose integers lie where those of a table do.
void CounterTables::startAt(const Table& table, const CounterArray& array,
                            llvm::Instruction& place) {
  builder_.SetInsertPoint(&place);
  Value* isTime = builder_.CreateICmpSLE(builder_.CreateLoad(builder_.getInt64Ty(), table.left),
                                         builder_.getInt64(0));
  llvm::Instruction* start = llvm::SplitBlockAndInsertIfThen(
      isTime, &place, false, llvm::MDBuilder(builder_.getContext()).createUnlikelyBranchWeights());
  builder_.SetInsertPoint(start);
  builder_.CreateStore(builder_.getInt64(INT64_MAX), table.left);
  Value* apart = builder_.CreateAnd(builder_.CreatePtrToInt(array.base, builder_.getInt64Ty()),
                                    bytesOf(array) - 1);
  builder_.CreateStore(builder_.CreateSelect(builder_.CreateICmpEQ(apart, builder_.getInt64(0)),
                                             builder_.getInt64(tableBytes), builder_.getInt64(0)),
                       table.limit);
  const auto [offset, inside] = chunkLoop(*start);
  builder_.SetInsertPoint(inside);
  builder_.CreateAlignedStore(neutral(array.joining(), chunkType(array)), placeIn(table, offset),
                              llvm::Align(chunkBytes));
}

void CounterTables::endAt(const Table& table, const CounterArray& array, llvm::Instruction& place) {
  builder_.SetInsertPoint(&place);
  Value* isUsed = builder_.CreateICmpNE(builder_.CreateLoad(builder_.getInt64Ty(), table.limit),
                                        builder_.getInt64(0));
  const auto [offset, inside] = chunkLoop(*llvm::SplitBlockAndInsertIfThen(isUsed, &place, false));
  endChunk(table, array, offset, *inside);
}

void CounterTables::endChunk(const Table& table, const CounterArray& array, Value* offset,
                             llvm::Instruction& place) {
  llvm::VectorType* type = chunkType(array);
  builder_.SetInsertPoint(&place);
  Value* operands =
      builder_.CreateAlignedLoad(type, placeIn(table, offset), llvm::Align(chunkBytes));
  llvm::Type* bitsType = builder_.getIntNTy(type->getElementCount().getFixedValue());
  Value* all = builder_.CreateBitCast(
      builder_.CreateICmpNE(operands, neutral(array.joining(), type)), bitsType);
  Value* none = llvm::ConstantInt::get(bitsType, 0);
  llvm::Instruction* found =
      llvm::SplitBlockAndInsertIfThen(builder_.CreateICmpNE(all, none), &place, false);
  llvm::BasicBlock* before = found->getParent();
  llvm::BasicBlock* each = llvm::SplitBlock(before, found);
  llvm::BasicBlock* after = llvm::SplitBlock(each, found);
  each->setName("each.counter");
  builder_.SetInsertPoint(each->getTerminator());
  llvm::PHINode* bits = builder_.CreatePHI(bitsType, 2, "counters.left");
  Value* own = builder_.CreateNUWAdd(
      offset,
      builder_.CreateMul(builder_.CreateZExt(builder_.CreateBinaryIntrinsic(
                                                 llvm::Intrinsic::cttz, bits, builder_.getTrue()),
                                             builder_.getInt64Ty()),
                         builder_.getInt64(bytesOf(array))));
  Value* operand =
      builder_.CreateAlignedLoad(array.type, placeIn(table, own), llvm::Align(bytesOf(array)));
  apply(array, builder_.CreateGEP(builder_.getInt8Ty(), array.base, own), operand);
  Value* left =
      builder_.CreateAnd(bits, builder_.CreateSub(bits, llvm::ConstantInt::get(bitsType, 1)));
  builder_.CreateCondBr(builder_.CreateICmpNE(left, none), each, after);
  each->getTerminator()->eraseFromParent();
  bits->addIncoming(all, before);
  bits->addIncoming(left, each);
}

void CounterTables::apply(const CounterArray& array, Value* place, Value* operand) {
  const llvm::AtomicRMWInst& like = *array.changes.front();
  llvm::AtomicRMWInst* change =
      builder_.CreateAtomicRMW(array.operation, place, operand, llvm::MaybeAlign(bytesOf(array)),
                               like.getOrdering(), like.getSyncScopeID());
  change->setVolatile(like.isVolatile());
}

} // namespace quern::compiler
