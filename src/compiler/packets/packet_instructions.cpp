// Operations for which processors with AVX-512 have instructions that LLVM does not use by itself.
#include <llvm/IR/IntrinsicsX86.h>

#include "compiler/il/vector_parts.h"
#include "compiler/packets/packet_values.h"

namespace quern::compiler {

using llvm::Value;

namespace {

constexpr unsigned registerBits = 512;

/// Elements `first` to `first + count` of a table, and zeros where it has none.
llvm::Constant* registerOf(const llvm::ConstantDataArray& table, unsigned first, unsigned count) {
  llvm::SmallVector<llvm::Constant*, 16> elements(
      count, llvm::Constant::getNullValue(table.getElementType()));
  for (unsigned i = 0; i < count && first + i < table.getNumElements(); ++i)
    elements[i] = table.getElementAsConstant(first + i);
  return llvm::ConstantVector::get(elements);
}

llvm::Intrinsic::ID permutationOfTwo(const llvm::Type& element) {
  if (element.isDoubleTy())
    return llvm::Intrinsic::x86_avx512_vpermi2var_pd_512;
  if (element.isFloatTy())
    return llvm::Intrinsic::x86_avx512_vpermi2var_ps_512;
  return element.isIntegerTy(64) ? llvm::Intrinsic::x86_avx512_vpermi2var_q_512
                                 : llvm::Intrinsic::x86_avx512_vpermi2var_d_512;
}

} // namespace

/// No index is beyond the table: the program would read what does not exist.
Value* PacketValues::emitLookup(const TableLookup& lookup) {
  llvm::Type* element = lookup.table->getElementType();
  const unsigned bits = element->getScalarSizeInBits(), count = registerBits / bits;
  Value* indices =
      builder_.CreateSExtOrTrunc(vector(lookup.index), vectorType(builder_.getIntNTy(bits)));
  llvm::Constant* low = registerOf(*lookup.table, 0, count);
  llvm::Constant* high = registerOf(*lookup.table, count, count);
  return joinRegisters(builder_, plan_.width, count, [&](unsigned first) {
    return builder_.CreateIntrinsic(permutationOfTwo(*element), {},
                                    {low, vectorPart(builder_, indices, first, count), high});
  });
}

} // namespace quern::compiler
