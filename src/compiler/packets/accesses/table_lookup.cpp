// Tables that stay in registers, where processors have instructions that LLVM does not use by
// itself.
#include <llvm/IR/GlobalVariable.h>

#include "compiler/il/vector_parts.h"
#include "compiler/packets/accesses/access_forms.h"
#include "compiler/packets/packet_values.h"
#include "compiler/target/target_model.h"
#include "compiler/target/x86/permutations.h"

namespace quern::compiler {
namespace {

using llvm::Value;

/// The index of the element that `address` is the address of, or null if it computes that from more
/// than one index.
Value* onlyIndex(const llvm::GetElementPtrInst& address, const llvm::ArrayType& array) {
  const auto* first = llvm::dyn_cast<llvm::ConstantInt>(address.getOperand(1));
  if (address.getSourceElementType() == array.getElementType() && address.getNumIndices() == 1)
    return address.getOperand(1);
  if (address.getSourceElementType() == &array && address.getNumIndices() == 2 && first &&
      first->isZero())
    return address.getOperand(2);
  return nullptr;
}

/// Elements `first` to `first + count` of a table, and zeros where it has none.
llvm::Constant* registerOf(const llvm::ConstantDataArray& table, unsigned first, unsigned count) {
  llvm::SmallVector<llvm::Constant*, 16> elements(
      count, llvm::Constant::getNullValue(table.getElementType()));
  for (unsigned i = 0; i < count && first + i < table.getNumElements(); ++i)
    elements[i] = table.getElementAsConstant(first + i);
  return llvm::ConstantVector::get(elements);
}

/// No index is beyond the table: the program would read what does not exist.
class TableLookup final : public AccessLowering {
public:
  TableLookup(const PacketAccess& access, const llvm::ConstantDataArray& table, Value& index)
      : AccessLowering(access), table_(table), index_(index) {}

  const char* name() const override { return "looked up in registers"; }

  double cost(const TargetModel& target, bool /*isMasked*/) const override {
    return 2 * target.permutation(access_.element(), access_.plan.width);
  }

  void emit(PacketValues& values) const override {
    llvm::IRBuilder<>& builder = values.builder();
    llvm::Type* element = table_.getElementType();
    const unsigned bits = element->getScalarSizeInBits(), count = permutationBits / bits;
    Value* indices = builder.CreateSExtOrTrunc(values.vector(&index_),
                                               values.vectorType(builder.getIntNTy(bits)));
    llvm::Constant* low = registerOf(table_, 0, count);
    llvm::Constant* high = registerOf(table_, count, count);
    values.define(
        access_.instruction, joinRegisters(builder, access_.plan.width, count, [&](unsigned first) {
          return builder.CreateIntrinsic(pairPermutation(access_.plan.machine, *element), {},
                                         {low, vectorPart(builder, indices, first, count), high});
        }));
  }

private:
  const llvm::ConstantDataArray& table_;
  Value& index_;
};

} // namespace

std::unique_ptr<AccessLowering> tableLookup(const PacketAccess& access) {
  const auto* address = llvm::dyn_cast<llvm::GetElementPtrInst>(access.pointer());
  if (!access.isLoad() || !address || access.instruction.isVolatile() ||
      pairPermutation(access.plan.machine, *access.element()) == llvm::Intrinsic::not_intrinsic)
    return nullptr;
  const auto* variable = llvm::dyn_cast<llvm::GlobalVariable>(address->getPointerOperand());
  if (!variable || !variable->isConstant() || !variable->hasDefinitiveInitializer())
    return nullptr;
  const auto* table = llvm::dyn_cast<llvm::ConstantDataArray>(variable->getInitializer());
  if (!table || access.element() != table->getElementType())
    return nullptr;
  const unsigned bits = access.element()->getScalarSizeInBits();
  if ((bits != 32 && bits != 64) || table->getNumElements() * bits > 2 * permutationBits)
    return nullptr;
  Value* index = onlyIndex(*address, *table->getType());
  return index ? std::make_unique<TableLookup>(access, *table, *index) : nullptr;
}

} // namespace quern::compiler
