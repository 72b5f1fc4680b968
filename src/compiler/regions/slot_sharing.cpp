#include "compiler/regions/slot_sharing.h"

#include <llvm/ADT/BitVector.h>
#include <llvm/IR/DataLayout.h>

namespace quern::compiler {
namespace {

class SlotSharing {
public:
  SlotSharing(const LiveValues& values, const llvm::DataLayout& layout) : layout_(layout) {
    for (unsigned region = 0; region < values.regionCount(); ++region)
      for (const llvm::Instruction* value : values.carriedInto(region)) {
        llvm::BitVector& regions = regionsOf_[value];
        regions.resize(values.regionCount());
        regions.set(region);
      }
    for (llvm::Instruction* value : values.allCarried())
      if (values.transport(value) == Transport::Context)
        place(*value);
  }

  std::vector<std::vector<llvm::Instruction*>> take() { return std::move(slots_); }

private:
  void place(llvm::Instruction& value) {
    for (llvm::User* user : value.users())
      if (auto* phi = llvm::dyn_cast<llvm::PHINode>(user); phi && placeWith(value, *phi))
        return;
    if (const auto* phi = llvm::dyn_cast<llvm::PHINode>(&value))
      for (llvm::Value* incoming : phi->incoming_values())
        if (placeWith(value, *incoming))
          return;
    for (unsigned slot = 0; slot < slots_.size(); ++slot)
      if (placeIn(value, slot))
        return;
    numbers_[&value] = static_cast<unsigned>(slots_.size());
    slots_.push_back({&value});
    regionsOfSlots_.push_back(regionsOf_[&value]);
  }

  bool placeWith(llvm::Instruction& value, const llvm::Value& other) {
    const auto found = numbers_.find(&other);
    return found != numbers_.end() && placeIn(value, found->second);
  }

  bool placeIn(llvm::Instruction& value, unsigned slot) {
    const llvm::BitVector& regions = regionsOf_[&value];
    llvm::Type* held = slots_[slot].front()->getType();
    if (layout_.getTypeAllocSize(held) != layout_.getTypeAllocSize(value.getType()) ||
        layout_.getABITypeAlign(held) != layout_.getABITypeAlign(value.getType()) ||
        regions.anyCommon(regionsOfSlots_[slot]))
      return false;
    numbers_[&value] = slot;
    slots_[slot].push_back(&value);
    regionsOfSlots_[slot] |= regions;
    return true;
  }

  const llvm::DataLayout& layout_;
  llvm::DenseMap<const llvm::Instruction*, llvm::BitVector> regionsOf_;
  llvm::DenseMap<const llvm::Value*, unsigned> numbers_;
  std::vector<std::vector<llvm::Instruction*>> slots_;
  std::vector<llvm::BitVector> regionsOfSlots_;
};

} // namespace

std::vector<std::vector<llvm::Instruction*>> shareSlots(const LiveValues& values,
                                                        const llvm::DataLayout& layout) {
  return SlotSharing(values, layout).take();
}

} // namespace quern::compiler
