#pragma once

#include <functional>
#include <optional>

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/STLFunctionalExtras.h>
#include <llvm/IR/IRBuilder.h>

#include "compiler/packets/access_pattern.h"
#include "compiler/packets/constant_table.h"
#include "compiler/packets/no_wrap_speculation.h"
#include "compiler/packets/packet_emitter.h"
#include "compiler/packets/packet_steps.h"

namespace quern::compiler {

/// The work-items that run something, as a vector of bits for each packet of a tile. Empty: all.
using Masks = llvm::SmallVector<llvm::Value*, 1>;

/// Makes the instructions of a tile of packets from those of its region. In each packet a uniform
/// value is one number, an affine one is that of the packet's first work-item, a varying one is a
/// vector. What packets share (TileSharing) is made once.
class PacketValues {
public:
  PacketValues(const PacketPlan& plan, llvm::Function& function, llvm::IRBuilder<>& builder);

  /// The packets' positions, and variables for phis, at the function's start.
  void createVariables();

  /// What follows belongs to one block of the region, run by the work-items of `masks`. The blocks
  /// that dominate it came before.
  void beginBlock(Masks masks);
  void emit(llvm::Instruction& instruction);

  /// The packet that the following functions speak of; 0 when a block begins.
  void setPacket(unsigned packet) { packet_ = packet; }
  /// A value of the region as one number: for uniform and affine ones.
  llvm::Value* scalar(llvm::Value* value) { return current(value); }
  /// A value of the region as a vector.
  llvm::Value* vector(llvm::Value* value);
  /// A value of the region for the packet's first work-item.
  llvm::Value* first(llvm::Value* value);

  /// Whether `condition` holds for all work-items of the tile.
  llvm::Value* holdsForAll(llvm::Value* condition) { return holdsForAll(condition, true, 0); }

  /// Reads what the phis of the successors of `from` get from it. Before the first edge is taken,
  /// because that may change what the next one passes on.
  void prepareEdges(llvm::BasicBlock& from);
  /// Gives the phis of `to` what they have along the edge from `from`, for the work-items of
  /// `masks`.
  void passToPhis(llvm::BasicBlock& from, llvm::BasicBlock& to, const Masks& masks);

  /// Whether any of `masks`, which are not empty, has a work-item.
  llvm::Value* any(const Masks& masks);

  /// Once the function is complete: what was called of the built-in library becomes part of it.
  void inlineCombines();

private:
  void createPositions();
  llvm::AllocaInst* createVariable(const llvm::Value& value);
  llvm::Type* typeOf(const llvm::Value* value) const;
  llvm::VectorType* vectorType(llvm::Type* element) const;
  llvm::Value* current(llvm::Value* value);
  llvm::Value* fromOtherBlock(const llvm::Value& value);
  void emitOne(llvm::Instruction& instruction);
  void define(llvm::Instruction& instruction, llvm::Value* value);
  llvm::Value* shifted(llvm::Value* base, const Shape& shape);
  /// The work-items of `masks` in the packets that differ only in other dimensions than
  /// `varyingDimensions` from the current one; null for all.
  llvm::Value* maskOf(unsigned varyingDimensions, const Masks& masks);
  llvm::Value* maskOrAll();
  bool mustNotFault() const;

  // packet_conditions.cpp
  llvm::Value* holdsForAll(llvm::Value* condition, bool wanted, unsigned depth);
  llvm::Value* holdsForNumbers(llvm::Value* number, llvm::CmpInst::Predicate predicate,
                               llvm::Value* limit);

  // packet_rows.cpp
  llvm::Value* fromOtherRow(llvm::Instruction& instruction);

  // packet_operations.cpp
  llvm::Value* emitScalar(llvm::Instruction& instruction);
  llvm::Value* emitWide(llvm::Instruction& instruction);
  llvm::Value* exact(llvm::Value* value);
  llvm::Value* emitVector(llvm::Instruction& instruction);
  llvm::Value* emitComparison(llvm::CmpInst& comparison);
  bool isShortId(const llvm::Value* value) const;
  llvm::Value* shortened(llvm::Value* value);
  llvm::Value* emitAddress(llvm::GetElementPtrInst& address);
  llvm::Value* emitVariable(llvm::AllocaInst& variable);
  llvm::Value* emitInterleavedAddress(llvm::GetElementPtrInst& address);
  llvm::Value* emitCall(llvm::CallInst& call);

  // packet_divisions.cpp
  llvm::Value* emitDivision(llvm::BinaryOperator& division);
  llvm::Value* emitNarrowDivision(llvm::BinaryOperator& division);
  llvm::Value* emitFloatDivision(llvm::Value* dividend, llvm::Value* divisor,
                                 llvm::Value* uniformDivisor, llvm::Instruction::BinaryOps opcode);

  // packet_instructions.cpp
  llvm::Value* emitLookup(const TableLookup& lookup);

  // packet_each_item.cpp
  using OfItem = std::function<llvm::Value*(llvm::Value* item)>;
  OfItem operandOfItem(const llvm::Instruction& user, unsigned number, llvm::Value* operand);
  void emitEachItem(llvm::Instruction& instruction);
  void emitAllItems(llvm::function_ref<llvm::Value*(llvm::Value*)> emitFor);
  void emitActiveItems(llvm::Instruction& instruction,
                       llvm::function_ref<llvm::Value*(llvm::Value*)> emitFor);
  void emitCombined(llvm::AtomicRMWInst& atomic);

  // packet_sub_groups.cpp
  llvm::Value* emitSubGroupOperation(llvm::CallInst& call);
  llvm::Value* maskBits();
  llvm::Value* itemsOfPacket();
  llvm::Value* holdingBits(llvm::Value* predicate);
  llvm::Value* voted(llvm::CallInst& call, llvm::StringRef name);
  llvm::Value* fromFirst(llvm::CallInst& call);
  llvm::Value* picked(llvm::CallInst& call);
  llvm::Value* permuted(llvm::Value* values, llvm::Value* items);
  llvm::AllocaInst* memoryOf(llvm::Type* vector);
  llvm::Value* combineInMemory(llvm::CallInst& call);

  // packet_collectives.cpp
  llvm::Value* emitGroupCollective(llvm::CallInst& call);

  // packet_accesses.cpp
  llvm::Value* emitLoad(llvm::LoadInst& load);
  llvm::Value* emitScalarLoad(llvm::LoadInst& load);
  void emitStore(llvm::StoreInst& store);
  void emitGroup(const InterleaveGroup& group);
  llvm::SmallVector<llvm::Value*, 16> rowAddresses(const InterleaveGroup& group);
  llvm::Value* pointerOf(const InterleaveGroup& group) const;
  llvm::Value* lowestMember(const InterleaveGroup& group, llvm::Value* pointer);
  llvm::AllocaInst* unusedMemory(const InterleaveGroup& group);
  int directionOf(llvm::Value* pointer, llvm::Type* type) const;
  llvm::Value* lowest(llvm::Value* first, llvm::Type* type, int direction);
  llvm::Value* loadNeighbours(llvm::LoadInst& load, llvm::Value* first, int direction);
  void storeNeighbours(llvm::StoreInst& store, llvm::Value* values, llvm::Value* first,
                       int direction);
  bool isForGroup(const llvm::StoreInst& store) const;
  void storeForGroup(llvm::StoreInst& store);
  void emitScalarStore(llvm::StoreInst& store);

  // packet_patterns.cpp
  std::optional<AccessPattern> patternOf(const llvm::Instruction& access) const;
  llvm::Value* loadPattern(llvm::LoadInst& load);
  bool storePattern(llvm::StoreInst& store, llvm::Value* values);
  llvm::Value* ofOwners(llvm::Value* mask, llvm::ArrayRef<int> items);

  // packet_chunks.cpp
  struct Chunks;
  std::optional<Chunks> chunksOf(llvm::Instruction& access);
  llvm::Value* rebuilt(llvm::Value* value, unsigned depth);
  llvm::Value* loadFromChunks(llvm::LoadInst& load);
  bool storeToChunks(llvm::StoreInst& store, llvm::Value* values);

  // packet_short_rows.cpp
  bool isInShortRows(const llvm::Instruction& access) const;
  ShortRows::Access rowAccess(const llvm::Instruction& access) const;
  unsigned shortRowCount() const;
  llvm::Value* valueFor(llvm::Value* value, unsigned item);
  llvm::Value* maskOfRow(unsigned row);
  llvm::Value* loadShortRows(llvm::LoadInst& load);
  llvm::Value* loadForRows(llvm::LoadInst& load);
  void storeShortRows(llvm::StoreInst& store, llvm::Value* values);

  // packet_no_wrap.cpp
  /// Addresses that lie next to each other, or are the same, where no number wraps.
  struct Neighbours {
    llvm::Value* noneWraps; ///< whether that is so
    llvm::Value* first;     ///< the first work-item's, if it is
    int direction;          ///< 0: they are all the same
  };
  std::optional<Neighbours> neighboursUnlessWrapped(llvm::Instruction& access);
  llvm::Value* unwrapped(llvm::Value* value);
  llvm::Value* staysInRange(const NoWrapSpeculation::Condition& condition);
  llvm::Value* staysInRow(const NoWrapSpeculation::Condition& condition);
  llvm::Value* positive(llvm::Value* divisor);
  llvm::Value* either(llvm::Value* condition, llvm::function_ref<llvm::Value*()> ifTrue,
                      llvm::function_ref<llvm::Value*()> ifFalse);

  using Key = std::pair<const llvm::Value*, unsigned>;
  Key key(const llvm::Value* value) const {
    return {value, plan_.sharing.owner(plan_.sharing.varyingDimensions(value), packet_)};
  }

  const PacketPlan& plan_;
  llvm::Function& function_;
  llvm::IRBuilder<>& builder_;
  PacketSteps steps_;
  llvm::DenseMap<Key, llvm::Value*> positions_;      ///< of parameters that depend on the packet
  llvm::DenseMap<Key, llvm::AllocaInst*> variables_; ///< of phis, and what other blocks ask for
  llvm::DenseMap<Key, llvm::Value*> made_;           ///< in all blocks so far
  llvm::DenseMap<Key, llvm::Value*> values_;         ///< made in the current block
  /// By type and number of an operand, for loops over work-items.
  llvm::DenseMap<std::pair<llvm::Type*, unsigned>, llvm::AllocaInst*> itemMemory_;
  Masks masks_;
  unsigned packet_ = 0;
  llvm::SmallVector<llvm::CallInst*> combines_;
  llvm::Value* mask_ = nullptr; ///< of the packets that share the current instruction; null for all
};

} // namespace quern::compiler
