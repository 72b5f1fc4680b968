#include "compiler/packets/private_arrays.h"

#include "compiler/regions/array_uses.h"

namespace quern::compiler {

PrivateArrays::PrivateArrays(llvm::Function& region) {
  for (llvm::AllocaInst* variable : variablesOf(region)) {
    const auto size = variable->getAllocationSize(region.getDataLayout());
    const uint64_t bytes =
        llvm::alignTo(size ? size->getFixedValue() : 0, variable->getAlign().value());
    bytes_ += bytes;
    const ArrayUses uses = usesOfArray(*variable);
    const bool areTogether = uses.elementBytes != 0 && uses.fills.empty();
    strides_[variable] = areTogether ? uses.elementBytes : bytes;
    if (areTogether)
      interleaved_.insert_range(uses.pointers);
  }
}

uint64_t PrivateArrays::stride(const llvm::AllocaInst& variable) const {
  return strides_.lookup(&variable);
}

} // namespace quern::compiler
