#include "compiler/il/vector_parts.h"

#include <numeric>

namespace quern::compiler {

llvm::Value* vectorPart(llvm::IRBuilder<>& builder, llvm::Value* vector, unsigned first,
                        unsigned count) {
  const unsigned size = llvm::cast<llvm::FixedVectorType>(vector->getType())->getNumElements();
  if (first == 0 && count == size)
    return vector;
  llvm::SmallVector<int, 16> places(count, llvm::PoisonMaskElem);
  for (unsigned i = 0; i < count && first + i < size; ++i)
    places[i] = static_cast<int>(first + i);
  return builder.CreateShuffleVector(vector, places);
}

llvm::Value* joinRegisters(llvm::IRBuilder<>& builder, unsigned size, unsigned count,
                           llvm::function_ref<llvm::Value*(unsigned first)> function) {
  llvm::Value* result = function(0);
  for (unsigned first = count; first < size; first += count) {
    llvm::SmallVector<int, 16> all(first + count);
    std::iota(all.begin(), all.end(), 0);
    result =
        builder.CreateShuffleVector(result, vectorPart(builder, function(first), 0, first), all);
  }
  return vectorPart(builder, result, 0, size);
}

} // namespace quern::compiler
