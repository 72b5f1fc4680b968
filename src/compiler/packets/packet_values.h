#pragma once

#include <llvm/ADT/DenseMap.h>
#include <llvm/IR/IRBuilder.h>

#include "compiler/packets/packet_emitter.h"

namespace quern::compiler {

/// Makes the instructions of a packet from those of its region. A uniform value is one number, an
/// affine one is that of the packet's first work-item, a varying one is a vector.
class PacketValues {
public:
  PacketValues(const PacketPlan& plan, llvm::Function& function, llvm::IRBuilder<>& builder);

  /// Variables for what leaves its block, at the function's start.
  void createVariables();

  /// What follows belongs to one block, run by the work-items of `mask`; null for all.
  void beginBlock(llvm::Value* mask);
  void emit(llvm::Instruction& instruction);

  /// A value of the region as one number: for uniform and affine ones.
  llvm::Value* scalar(llvm::Value* value);
  /// A value of the region as a vector.
  llvm::Value* vector(llvm::Value* value);
  /// A value of the region for the packet's first work-item.
  llvm::Value* first(llvm::Value* value);

  /// Reads what the phis of the successors of `from` get from it. Before the first edge is taken,
  /// because that may change what the next one passes on.
  void prepareEdges(llvm::BasicBlock& from);
  /// Gives the phis of `to` what they have along the edge from `from`, for the work-items of
  /// `mask`; null for all.
  void passToPhis(llvm::BasicBlock& from, llvm::BasicBlock& to, llvm::Value* mask);

  /// Whether `mask` has a work-item.
  llvm::Value* any(llvm::Value* mask);

private:
  void createVariable(llvm::Value* value);
  void createVariablesOfExact(llvm::Value* value);
  llvm::Type* typeOf(const llvm::Value* value) const;
  llvm::VectorType* vectorType(llvm::Type* element) const;
  llvm::Value* current(llvm::Value* value);
  void define(llvm::Instruction& instruction, llvm::Value* value);
  llvm::Value* emitScalar(llvm::Instruction& instruction);
  llvm::Value* emitWide(llvm::Instruction& instruction);
  llvm::Value* emitVector(llvm::Instruction& instruction);
  llvm::Value* emitDivision(llvm::BinaryOperator& division);
  llvm::Value* emitAddress(llvm::GetElementPtrInst& address);
  llvm::Value* emitCall(llvm::CallInst& call);
  llvm::Value* emitLoad(llvm::LoadInst& load);
  void emitStore(llvm::StoreInst& store);
  void emitGroup(const AccessGroup& group);
  llvm::SmallVector<llvm::Value*, 16> rowAddresses(const AccessGroup& group);
  llvm::Value* pointerOf(const AccessGroup& group) const;
  llvm::Value* lowestMember(const AccessGroup& group, llvm::Value* pointer);
  llvm::AllocaInst* unusedMemory(const AccessGroup& group);
  int directionOf(llvm::Value* pointer, llvm::Type* type) const;
  llvm::Value* lowest(llvm::Value* pointer, llvm::Type* type, int direction);
  llvm::Value* exact(llvm::Value* value);
  llvm::Value* strided(llvm::Value* base, int64_t stride);
  llvm::Value* maskOrAll();

  const PacketPlan& plan_;
  llvm::Function& function_;
  llvm::IRBuilder<>& builder_;
  llvm::DenseMap<const llvm::Value*, llvm::AllocaInst*> variables_;
  llvm::DenseMap<const llvm::Value*, llvm::Value*> values_; ///< made in the current block
  llvm::Value* mask_ = nullptr;
};

} // namespace quern::compiler
