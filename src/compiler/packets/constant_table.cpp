#include "compiler/packets/constant_table.h"

#include <llvm/IR/GlobalVariable.h>

#include "compiler/codegen/machine.h"

namespace quern::compiler {
namespace {

constexpr uint64_t bitsOfTwoRegisters = 2 * 512;

/// The index of the element that `address` is the address of, or null if it computes that from more
/// than one index.
llvm::Value* onlyIndex(const llvm::GetElementPtrInst& address, const llvm::ArrayType& array) {
  const auto* first = llvm::dyn_cast<llvm::ConstantInt>(address.getOperand(1));
  if (address.getSourceElementType() == array.getElementType() && address.getNumIndices() == 1)
    return address.getOperand(1);
  if (address.getSourceElementType() == &array && address.getNumIndices() == 2 && first &&
      first->isZero())
    return address.getOperand(2);
  return nullptr;
}

} // namespace

std::optional<TableLookup> tableLookup(const llvm::LoadInst& load,
                                       const llvm::TargetMachine& machine) {
  const auto* address = llvm::dyn_cast<llvm::GetElementPtrInst>(load.getPointerOperand());
  if (!address || load.isVolatile() || !hasFeature(machine, "avx512f"))
    return std::nullopt;
  const auto* variable = llvm::dyn_cast<llvm::GlobalVariable>(address->getPointerOperand());
  if (!variable || !variable->isConstant() || !variable->hasDefinitiveInitializer())
    return std::nullopt;
  const auto* table = llvm::dyn_cast<llvm::ConstantDataArray>(variable->getInitializer());
  if (!table || load.getType() != table->getElementType())
    return std::nullopt;
  const unsigned bits = load.getType()->getScalarSizeInBits();
  if ((bits != 32 && bits != 64) || table->getNumElements() * bits > bitsOfTwoRegisters)
    return std::nullopt;
  llvm::Value* index = onlyIndex(*address, *table->getType());
  if (!index)
    return std::nullopt;
  return TableLookup{table, index};
}

} // namespace quern::compiler
