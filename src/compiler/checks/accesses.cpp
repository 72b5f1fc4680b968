#include "compiler/checks/accesses.h"

#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>

#include "compiler/checks/names.h"
#include "compiler/il/names.h"

namespace quern::compiler {
namespace {

class Collector {
public:
  explicit Collector(llvm::Function& body) : layout_(body.getDataLayout()) {
    for (llvm::Instruction& instruction : llvm::instructions(body))
      visit(instruction);
  }

  std::vector<CheckedAccess> take() { return std::move(accesses_); }

private:
  void visit(llvm::Instruction& instruction) {
    if (auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction))
      add(instruction, load->getPointerOperand(), load->getType(), load->getAlign(), false,
          load->isAtomic());
    else if (auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction))
      add(instruction, store->getPointerOperand(), store->getValueOperand()->getType(),
          store->getAlign(), true, store->isAtomic());
    else if (auto* atomic = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction))
      add(instruction, atomic->getPointerOperand(), atomic->getType(), atomic->getAlign(), true,
          true);
    else if (auto* exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&instruction))
      add(instruction, exchange->getPointerOperand(), exchange->getNewValOperand()->getType(),
          exchange->getAlign(), true, true);
    else if (auto* transfer = llvm::dyn_cast<llvm::MemTransferInst>(&instruction)) {
      addRange(*transfer, transfer->getRawSource(), false);
      addRange(*transfer, transfer->getRawDest(), true);
    } else if (auto* fill = llvm::dyn_cast<llvm::MemSetInst>(&instruction)) {
      addRange(*fill, fill->getRawDest(), true);
    }
  }

  void add(llvm::Instruction& instruction, llvm::Value* pointer, llvm::Type* type,
           llvm::Align alignment, bool isWrite, bool isAtomic) {
    const uint64_t bytes = layout_.getTypeStoreSize(type).getFixedValue();
    if (bytes != 0)
      accesses_.push_back({.instruction = &instruction,
                           .pointer = pointer,
                           .bytes = bytes,
                           .alignment = alignment.value(),
                           .isWrite = isWrite,
                           .isAtomic = isAtomic,
                           .isOfProgram = instruction.hasMetadata(names::checkedMetadata)});
  }

  void addRange(llvm::MemIntrinsic& range, llvm::Value* pointer, bool isWrite) {
    CheckedAccess access = {.instruction = &range,
                            .pointer = pointer,
                            .isWrite = isWrite,
                            .isOfProgram = range.hasMetadata(names::checkedMetadata)};
    if (const auto* length = llvm::dyn_cast<llvm::ConstantInt>(range.getLength()))
      access.bytes = length->getZExtValue();
    else
      access.length = range.getLength();
    if (access.bytes != 0 || access.length)
      accesses_.push_back(access);
  }

  const llvm::DataLayout& layout_;
  std::vector<CheckedAccess> accesses_;
};

} // namespace

std::vector<CheckedAccess> checkedAccesses(llvm::Function& body) {
  return Collector(body).take();
}

void gatherVariables(llvm::Function& body) {
  llvm::BasicBlock& entry = body.getEntryBlock();
  llvm::SmallVector<llvm::AllocaInst*> variables;
  for (llvm::Instruction& instruction : entry)
    if (auto* variable = llvm::dyn_cast<llvm::AllocaInst>(&instruction);
        variable && variable->isStaticAlloca())
      variables.push_back(variable);
  for (llvm::AllocaInst* variable : llvm::reverse(variables))
    variable->moveBefore(entry, entry.begin());
}

} // namespace quern::compiler
