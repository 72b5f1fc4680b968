#include "compiler/target/nvptx/occupancy.h"

#include <llvm/ADT/BitVector.h>
#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/ADT/StringExtras.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

#include "compiler/target/nvptx/kernels.h"
#include "compiler/target/nvptx/warp.h"

namespace quern::compiler {
namespace {

/// Of a multiprocessor, where the size of work-groups is known: enough to hide what is left of the
/// instructions' latencies, and few enough for every register that an instruction can name.
constexpr uint64_t itemsWanted = 256;
/// The largest work-group, which any kernel of unknown size must allow, leaves 64 registers to each
/// work-item: too few for kernels that keep more than these anyway.
constexpr unsigned largestGroup = 1024, mostKept = 40;
constexpr unsigned mostInstructions = 20000;

/// Counts the registers that the values of a function take where most are alive.
class Pressure {
public:
  explicit Pressure(llvm::Function& function) : function_(function) {
    for (llvm::Instruction& instruction : llvm::instructions(function))
      if (const unsigned registers = registersOf(*instruction.getType())) {
        numbers_[&instruction] = sizes_.size();
        sizes_.push_back(registers);
      }
  }

  unsigned most() {
    for (bool changed = true; changed;) {
      changed = false;
      for (llvm::BasicBlock* block : llvm::post_order(&function_))
        changed |= update(*block);
    }
    return most_;
  }

private:
  unsigned registersOf(llvm::Type& type) const {
    constexpr uint64_t registerBits = 32;
    // Conditions have registers of their own.
    if (!type.isSized() || type.getScalarType()->isIntegerTy(1))
      return 0;
    const uint64_t bits = function_.getDataLayout().getTypeSizeInBits(&type);
    return static_cast<unsigned>((bits + registerBits - 1) / registerBits);
  }

  void add(llvm::BitVector& alive, const llvm::Value* value) const {
    if (const auto found = numbers_.find(value); found != numbers_.end())
      alive.set(found->second);
  }

  unsigned sizeOf(const llvm::BitVector& alive) const {
    unsigned registers = 0;
    for (const unsigned number : alive.set_bits())
      registers += sizes_[number];
    return registers;
  }

  /// Goes through the block from its end. True when more turns out to be alive at its beginning.
  bool update(llvm::BasicBlock& block) {
    llvm::BitVector alive(sizes_.size());
    for (llvm::BasicBlock* next : llvm::successors(&block)) {
      if (const auto known = atBeginning_.find(next); known != atBeginning_.end())
        alive |= known->second;
      for (llvm::PHINode& phi : next->phis())
        add(alive, phi.getIncomingValueForBlock(&block));
    }
    unsigned registers = sizeOf(alive);
    for (llvm::Instruction& instruction : llvm::reverse(block)) {
      most_ = std::max(most_, registers);
      if (const auto own = numbers_.find(&instruction);
          own != numbers_.end() && alive.test(own->second)) {
        alive.reset(own->second);
        registers -= sizes_[own->second];
      }
      if (llvm::isa<llvm::PHINode>(instruction))
        continue;
      for (const llvm::Value* operand : instruction.operands())
        if (const auto used = numbers_.find(operand);
            used != numbers_.end() && !alive.test(used->second)) {
          alive.set(used->second);
          registers += sizes_[used->second];
        }
    }
    llvm::BitVector& known =
        atBeginning_.try_emplace(&block, llvm::BitVector(sizes_.size())).first->second;
    if (known == alive)
      return false;
    known = std::move(alive);
    return true;
  }

  llvm::Function& function_;
  llvm::DenseMap<const llvm::Value*, unsigned> numbers_;
  llvm::SmallVector<unsigned> sizes_;
  llvm::DenseMap<const llvm::BasicBlock*, llvm::BitVector> atBeginning_;
  unsigned most_ = 0;
};

/// The work-items of a group, at most, that the attributes for the driver's compiler say; 0 when
/// they say nothing.
uint64_t groupItems(const llvm::Function& kernel) {
  for (const char* name : {"nvvm.reqntid", "nvvm.maxntid"}) {
    const llvm::Attribute attribute = kernel.getFnAttribute(name);
    if (!attribute.isValid())
      continue;
    uint64_t items = 1;
    for (const llvm::StringRef part : llvm::split(attribute.getValueAsString(), ",")) {
      uint64_t size = 1;
      part.getAsInteger(10, size);
      items *= size;
    }
    return items;
  }
  return 0;
}

} // namespace

llvm::PreservedAnalyses OccupancyPass::run(llvm::Function& function,
                                           llvm::FunctionAnalysisManager&) {
  if (!isNvptxKernel(function))
    return llvm::PreservedAnalyses::all();
  if (const uint64_t items = groupItems(function)) {
    const uint64_t ofWarps = llvm::alignTo(items, warpItems);
    function.addFnAttr("nvvm.minctasm",
                       std::to_string(std::max<uint64_t>(1, itemsWanted / ofWarps)));
  } else if (function.getInstructionCount() <= mostInstructions &&
             Pressure(function).most() <= mostKept) {
    function.addFnAttr("nvvm.maxntid", std::to_string(largestGroup) + ",1,1");
    function.addFnAttr("nvvm.minctasm", "1");
  }
  return llvm::PreservedAnalyses::all();
}

} // namespace quern::compiler
