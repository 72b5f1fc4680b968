#include "compiler/il/argument_layout.h"

#include <algorithm>

#include <llvm/Support/MathExtras.h>

#include "compiler/il/address_space.h"

namespace quern::compiler {
namespace {

ArgumentPlace placeOf(const llvm::Function& function, unsigned index) {
  const llvm::DataLayout& layout = function.getDataLayout();
  llvm::Type* type = function.getArg(index)->getType();
  if (llvm::Type* byValue = function.getParamByValType(index))
    return {0, layout.getTypeAllocSize(byValue), function.getParamAlign(index).valueOrOne(), true};
  // A private pointer is a struct that became a pointer into the argument block.
  if (type->isPointerTy() && type->getPointerAddressSpace() == address_space::privateMemory)
    return {0, function.getParamDereferenceableBytes(index),
            function.getParamAlign(index).valueOrOne(), true};
  return {0, layout.getTypeAllocSize(type), layout.getABITypeAlign(type), false};
}

} // namespace

ArgumentLayout layOutArguments(const llvm::Function& function, unsigned count,
                               uint64_t maxAlignment) {
  ArgumentLayout layout;
  for (unsigned i = 0; i < count; ++i) {
    ArgumentPlace place = placeOf(function, i);
    place.alignment = std::min(place.alignment, llvm::Align(maxAlignment));
    place.offset = llvm::alignTo(layout.bytes, place.alignment);
    layout.bytes = place.offset + place.bytes;
    layout.places.push_back(place);
  }
  return layout;
}

} // namespace quern::compiler
