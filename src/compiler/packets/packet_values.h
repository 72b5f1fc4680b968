#pragma once

#include <optional>

#include <llvm/ADT/DenseMap.h>
#include <llvm/IR/IRBuilder.h>

#include "compiler/packets/packet_emitter.h"
#include "compiler/packets/whole_vectors.h"

namespace quern::compiler {

/// The work-items that run something, as a vector of bits for each packet of a tile. Empty: all.
using Masks = llvm::SmallVector<llvm::Value*, 1>;

/// What the values of a region are in a tile of packets, while its code is made. In each packet a
/// uniform value is one number, an affine one is that of the packet's first work-item, a varying
/// one is a vector. What packets share (TileSharing) is made once.
class PacketValues {
public:
  PacketValues(const PacketPlan& plan, llvm::Function& function, llvm::IRBuilder<>& builder)
      : plan_(plan), function_(function), builder_(builder) {}

  const PacketPlan& plan() const { return plan_; }
  llvm::Function& function() const { return function_; }
  llvm::IRBuilder<>& builder() const { return builder_; }

  /// The packets' positions, and variables for phis, at the function's start.
  void createVariables();
  /// Memory of the function, for one value of a type.
  llvm::AllocaInst* memoryOf(llvm::Type* type);
  /// The same memory for each instruction that asks for that of a type and a number.
  llvm::AllocaInst* scratchOf(llvm::Type* type, unsigned number);

  /// What follows belongs to one block of the region, run by the work-items of `masks`. The blocks
  /// that dominate it came before.
  void beginBlock(Masks masks);
  /// Before `block`: the phis that it is the first to lead to have no value yet.
  void forgetPhis(llvm::BasicBlock& block);
  /// Where `branch` does not lead into `block`, what that makes has no value.
  void noteSkip(llvm::BasicBlock& block, llvm::Instruction& branch) { skips_[&block] = &branch; }
  bool isMasked() const { return !masks_.empty(); }

  /// The packet that the following functions speak of; 0 when a block begins.
  void setPacket(unsigned packet) { packet_ = packet; }
  unsigned packet() const { return packet_; }

  /// What follows is done for the packets that differ only in other dimensions than
  /// `varyingDimensions` from the current one; without any it asks for no mask.
  void setMask(std::optional<unsigned> varyingDimensions) {
    mask_ = varyingDimensions ? maskOf(*varyingDimensions, masks_) : nullptr;
  }
  /// The work-items that run the current instruction; null for all.
  llvm::Value* mask() const { return mask_; }
  llvm::Value* maskOrAll() const;
  /// As a number of a bit for each.
  llvm::Value* maskBits();
  /// Those of them for which `predicate` is not 0.
  llvm::Value* holdingBits(llvm::Value* predicate);
  /// Whether nobody may run the current instruction: a block is skipped when no work-item runs it,
  /// which says little about each of several packets.
  bool mustNotFault() const { return mask_ && plan_.sharing.tile().packets() > 1; }

  /// Of a value of a type of the region's; the program's own vectors are whole (VectorForm).
  llvm::VectorType* vectorType(llvm::Type* type) const {
    return llvm::FixedVectorType::get(type->getScalarType(), elementsOf(type) * plan_.width);
  }
  /// The mask of the current instruction for each element of a vector of `type`, which is one of
  /// the region's; null for all.
  llvm::Value* maskFor(llvm::Type* type) const {
    return mask_ ? forEachElement(builder_, mask_, elementsOf(type)) : nullptr;
  }
  /// A value of the region as one number: for uniform and affine ones.
  llvm::Value* scalar(llvm::Value* value);
  /// A value of the region as a vector.
  llvm::Value* vector(llvm::Value* value);
  /// A value of the region for the packet's first work-item.
  llvm::Value* first(llvm::Value* value);
  void define(llvm::Instruction& instruction, llvm::Value* value) {
    values_[key(&instruction)] = made_[key(&instruction)] = value;
  }

  /// Reads what the phis of the successors of `from` get from it. Before the first edge is taken,
  /// because that may change what the next one passes on.
  void prepareEdges(llvm::BasicBlock& from);
  /// Gives the phis of `to` what they have along the edge from `from`, for the work-items of
  /// `masks`.
  void passToPhis(llvm::BasicBlock& from, llvm::BasicBlock& to, const Masks& masks);

  /// Whether any of `masks`, which are not empty, has a work-item.
  llvm::Value* any(const Masks& masks);

private:
  void createPositions();
  void findFirstBlocks();
  llvm::AllocaInst* createVariable(const llvm::Value& value);
  llvm::Type* typeOf(const llvm::Value* value) const;
  llvm::Value* fromOtherBlock(const llvm::Value& value);
  llvm::Value* shifted(llvm::Value* base, const Shape& shape);
  llvm::Value* maskOf(unsigned varyingDimensions, const Masks& masks);

  using Key = std::pair<const llvm::Value*, unsigned>;
  Key key(const llvm::Value* value) const {
    return {value, plan_.sharing.owner(plan_.sharing.varyingDimensions(value), packet_)};
  }

  const PacketPlan& plan_;
  llvm::Function& function_;
  llvm::IRBuilder<>& builder_;
  llvm::DenseMap<Key, llvm::Value*> positions_;      ///< of parameters that depend on the packet
  llvm::DenseMap<Key, llvm::AllocaInst*> variables_; ///< of phis, and what other blocks ask for
  llvm::DenseMap<const llvm::BasicBlock*, llvm::SmallVector<llvm::PHINode*, 4>> phisAfter_;
  llvm::DenseMap<const llvm::BasicBlock*, llvm::Instruction*> skips_;
  llvm::DenseMap<Key, llvm::Value*> made_;   ///< in all blocks so far
  llvm::DenseMap<Key, llvm::Value*> values_; ///< made in the current block
  llvm::DenseMap<std::pair<llvm::Type*, unsigned>, llvm::AllocaInst*> scratch_;
  Masks masks_;
  unsigned packet_ = 0;
  llvm::Value* mask_ = nullptr;
};

} // namespace quern::compiler
