#pragma once

#include <vector>

#include <llvm/ADT/SetVector.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>

#include "compiler/il/atomic_operations.h"

namespace quern::compiler {

/// Integers in global memory, from `base` on, that a loop changes.
struct CounterArray {
  llvm::Value* base;
  llvm::AtomicRMWInst::BinOp operation;
  llvm::Type* type;
  bool isOne; ///< it changes only the one at `base`
  std::vector<llvm::AtomicRMWInst*> changes;
  /// Instructions that come before them, where it is time to test whether a table pays.
  llvm::SmallSetVector<llvm::Instruction*, 4> starts;

  /// Of the operands of its operations, which are joinable.
  Associative joining() const { return *joiningOf(operation); }
};

/// Makes loops of a function do atomic operations on a table of the thread's own first
/// (loops/private_counters.h).
///
/// The table stands for the first `tableBytes` of the array. It is only used once the loop has made
/// a few dozen operations, because preparing and reading it takes as long as some of them.
class CounterTables {
public:
  static constexpr uint64_t tableBytes = 16 << 10;
  static constexpr int64_t operationsBefore = 64;

  explicit CounterTables(llvm::Function& function);

  /// `before` leads to a loop, `exits` are where it may end, and only it. The arrays share no
  /// memory with each other.
  void addLoop(llvm::BasicBlock& before, llvm::ArrayRef<llvm::BasicBlock*> exits,
               const std::vector<CounterArray>& arrays);
  /// Makes values of what counts the operations. Once, after all loops.
  void finish();

private:
  /// What the loop knows of one table at run time.
  struct Table {
    llvm::AllocaInst* memory;
    llvm::AllocaInst* limit; ///< bytes of the array that the table stands for now, 0 at first
    llvm::AllocaInst* left;  ///< operations until the table is used
  };

  llvm::AllocaInst* makeVariable(llvm::Type* type, const char* name);
  llvm::AllocaInst* tableMemory(size_t index);
  llvm::Value* placeIn(const Table& table, llvm::Value* offset);

  void addOne(llvm::BasicBlock& before, llvm::ArrayRef<llvm::BasicBlock*> exits,
              const CounterArray& array);
  /// All but what collects the changes.
  Table addTable(llvm::BasicBlock& before, llvm::ArrayRef<llvm::BasicBlock*> exits,
                 const CounterArray& array, size_t index);
  void collect(const Table& table, const CounterArray& array, llvm::AtomicRMWInst& change);
  void startAt(const Table& table, const CounterArray& array, llvm::Instruction& place);
  void endAt(const Table& table, const CounterArray& array, llvm::Instruction& place);
  /// Does to the array what one vector's worth of the table, at `offset`, says.
  void endChunk(const Table& table, const CounterArray& array, llvm::Value* offset,
                llvm::Instruction& place);
  void apply(const CounterArray& array, llvm::Value* place, llvm::Value* operand);

  llvm::Function& function_;
  llvm::IRBuilder<> builder_;
  std::vector<llvm::AllocaInst*> memories_;  ///< loops, none of which is in another, share them
  std::vector<llvm::AllocaInst*> variables_; ///< to become values
};

} // namespace quern::compiler
