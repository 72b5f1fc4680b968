#include "compiler/il/collective.h"

#include <llvm/ADT/StringExtras.h>

#include "compiler/il/names.h"

namespace quern::compiler {

llvm::StringRef combineName(llvm::StringRef function) {
  return function.split('.').first;
}

llvm::StringRef combineName(const llvm::CallInst& call) {
  return combineName(call.getArgOperand(0)->stripPointerCasts()->getName());
}

bool isOfFirst(llvm::StringRef combine) {
  return combine.starts_with("first_") && combine != "first_of"; // that of elections
}

bool isOfPlace(llvm::StringRef combine) {
  return combine.starts_with("pick_");
}

// As text: "group", "group_uniform" or "sub_group", the function, then "OFFSET:BYTES" or "-" for
// each slot.

void setCollective(llvm::Function& region, const Collective& collective) {
  std::string text = collective.ofSubGroup  ? "sub_group "
                     : collective.isUniform ? "group_uniform "
                                            : "group ";
  text += collective.combine;
  for (const auto& slot : collective.slots)
    text += slot ? " " + std::to_string(slot->offset) + ":" + std::to_string(slot->bytes) : " -";
  region.addFnAttr(names::collectiveAttribute, text);
}

std::optional<Collective> collectiveOf(const llvm::Function& region) {
  llvm::SmallVector<llvm::StringRef, 5> words;
  region.getFnAttribute(names::collectiveAttribute).getValueAsString().split(words, ' ', -1, false);
  Collective collective;
  if (words.size() != 2 + collective.slots.size())
    return std::nullopt;
  collective.ofSubGroup = words[0] == "sub_group";
  collective.isUniform = words[0] == "group_uniform";
  collective.combine = words[1].str();
  for (unsigned i = 0; i < collective.slots.size(); ++i) {
    const auto [offset, bytes] = words[2 + i].split(':');
    Collective::Slot slot{};
    if (!offset.getAsInteger(10, slot.offset) && !bytes.getAsInteger(10, slot.bytes))
      collective.slots[i] = slot;
  }
  return collective;
}

} // namespace quern::compiler
