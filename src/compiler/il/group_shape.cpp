#include "compiler/il/group_shape.h"

#include <llvm/ADT/SmallVector.h>

#include "compiler/il/kernel_function.h"
#include "compiler/il/names.h"

namespace quern::compiler {

std::array<uint64_t, 3> groupShape(const llvm::Function& function) {
  if (!hasOwnShape(function))
    return requiredWorkGroupSize(function);
  llvm::SmallVector<llvm::StringRef> parts;
  function.getFnAttribute(names::groupShapeAttribute).getValueAsString().split(parts, ',');
  std::array<uint64_t, 3> shape = {0, 0, 0};
  for (unsigned i = 0; i < 3 && i < parts.size(); ++i)
    parts[i].getAsInteger(10, shape[i]);
  return shape;
}

void setGroupShape(llvm::Function& item, const std::array<uint64_t, 3>& shape, uint64_t shortRow) {
  item.addFnAttr(names::groupShapeAttribute, std::to_string(shape[0]) + "," +
                                                 std::to_string(shape[1]) + "," +
                                                 std::to_string(shape[2]));
  if (shortRow != 0)
    setNumberAttribute(item, names::shortRowAttribute, shortRow);
}

bool hasOwnShape(const llvm::Function& function) {
  return function.hasFnAttribute(names::groupShapeAttribute);
}

uint64_t shortRow(const llvm::Function& function) {
  return numberAttribute(function, names::shortRowAttribute);
}

bool groupsArePackets(const llvm::Function& function) {
  return function.hasFnAttribute(names::onePacketAttribute);
}

} // namespace quern::compiler
