#include "compiler/regions/context_layout.h"

#include <algorithm>

#include <llvm/Support/MathExtras.h>

#include "compiler/regions/slot_sharing.h"

namespace quern::compiler {
namespace {

/// Alignment of the context itself (abi/cpu_kernel.h), which nothing in it can exceed.
constexpr uint64_t contextAlignment = 128;

struct Wanted {
  const llvm::Value* value;
  uint64_t bytes, alignment;
};

Wanted wantedFor(const llvm::DataLayout& layout, const llvm::Instruction& value) {
  uint64_t bytes = 0, alignment = 1;
  if (const auto* variable = llvm::dyn_cast<llvm::AllocaInst>(&value)) {
    bytes = variable->getAllocationSize(layout)->getFixedValue();
    alignment = variable->getAlign().value();
  } else {
    bytes = layout.getTypeAllocSize(value.getType());
    alignment = layout.getABITypeAlign(value.getType()).value();
  }
  alignment = std::min(alignment, contextAlignment);
  return {&value, llvm::alignTo(bytes, alignment), alignment};
}

/// Offsets one after the other, largest alignment first, so that no padding is needed and every
/// offset is a multiple of its own alignment: then so is the product of an offset and any count of
/// work-items.
template <typename Place> uint64_t assign(const std::vector<Wanted>& wanted, Place place) {
  uint64_t offset = 0;
  for (uint64_t alignment = contextAlignment; alignment > 0; alignment /= 2)
    for (const Wanted& one : wanted)
      if (one.alignment == alignment) {
        place(one, offset);
        offset += one.bytes;
      }
  return offset;
}

} // namespace

ContextLayout::ContextLayout(const llvm::DataLayout& layout, const LiveValues& values,
                             const PrivateVariables& variables) {
  std::vector<Wanted> uniform, shared, item;
  const auto sharedSlots = shareSlots(values, layout);
  for (const llvm::Instruction* value : values.allCarried())
    if (values.transport(value) == Transport::Uniform)
      uniform.push_back(wantedFor(layout, *value));
  for (const std::vector<llvm::Instruction*>& slot : sharedSlots)
    item.push_back(wantedFor(layout, *slot.front()));
  for (const llvm::AllocaInst* variable : variables.all()) {
    if (variables.place(variable) == VariablePlace::Context)
      item.push_back(wantedFor(layout, *variable));
    else if (variables.place(variable) == VariablePlace::Group)
      uniform.push_back(wantedFor(layout, *variable));
    else if (variables.place(variable) == VariablePlace::Scratch)
      shared.push_back(wantedFor(layout, *variable));
  }
  uniformBytes_ = assign(uniform, [&](const Wanted& one, uint64_t offset) {
    uniformOffsets_[one.value] = offset;
    slots_[one.value] = {offset, one.bytes};
  });
  sharedBytes_ =
      llvm::alignTo(assign(shared, [&](const Wanted& one,
                                       uint64_t offset) { sharedOffsets_[one.value] = offset; }),
                    contextAlignment);
  itemBytes_ = assign(
      item, [&](const Wanted& one, uint64_t offset) { slots_[one.value] = {offset, one.bytes}; });
  for (const std::vector<llvm::Instruction*>& slot : sharedSlots)
    for (const llvm::Instruction* value : slot)
      slots_[value] = slotOf(slot.front());
}

llvm::Value* ContextLayout::itemAddress(llvm::IRBuilder<>& builder, const llvm::Value* value,
                                        uint64_t elementBytes, llvm::Value* context,
                                        llvm::Value* items, llvm::Value* item) const {
  const Collective::Slot slot = slots_.lookup(value);
  llvm::Type* byte = builder.getInt8Ty();
  llvm::Value* start = builder.CreateNUWAdd(
      builder.CreateNUWMul(items, builder.getInt64(slot.offset)), builder.getInt64(sharedBytes_));
  llvm::Value* array = builder.CreateInBoundsGEP(byte, context, start);
  return builder.CreateInBoundsGEP(byte, array,
                                   builder.CreateNUWMul(item, builder.getInt64(elementBytes)),
                                   value->getName() + ".slot");
}

} // namespace quern::compiler
