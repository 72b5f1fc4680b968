#include "compiler/il/aligned_ids.h"

#include <llvm/IR/PatternMatch.h>
#include <llvm/Support/MathExtras.h>

#include "abi/cpu_kernel.h"
#include "compiler/il/group_shape.h"
#include "compiler/il/kernel_function.h"

namespace quern::compiler {
namespace {

using namespace llvm::PatternMatch;

/// `value`, or what an integer that holds ids was made of.
const llvm::Value* withoutTrunc(const llvm::Value* value) {
  const llvm::Value* wide = nullptr;
  return match(value, m_Trunc(m_Value(wide))) && value->getType()->getIntegerBitWidth() >= 32
             ? wide
             : value;
}

} // namespace

AlignedIds::AlignedIds(llvm::Function& region, uint64_t alignment)
    : alignment_(alignment),
      row_(isFlat(region, 0) || hasOwnShape(region) ? 0 : groupShape(region)[0]),
      multipleOfFirst_(!hasZeroOffset(region) ? 0
                       : isFlat(region, 0)    ? abi::cpuKernelTileMultiple
                                              : row_),
      item_(implicitArgument(region, ImplicitArgument::Item)),
      first_(implicitArgument(region, ImplicitArgument::First)),
      group_(implicitArgument(region, ImplicitArgument::Group)) {}

uint64_t AlignedIds::unit(const llvm::Value* value) const {
  if (alignment_ <= 1)
    return 0;
  const llvm::Value* id = withoutTrunc(value);
  if (id == item_)
    return alignment_;
  // A global id fits any type that holds ids. Other sums may wrap, at a power of two.
  if (match(id, m_c_Add(m_Specific(item_), m_Specific(first_))))
    return unitOfSum(multipleOfFirst_);
  const llvm::Value *left = nullptr, *right = nullptr;
  const llvm::APInt* count = nullptr;
  if (match(id, m_Shift(m_Value(left), m_APInt(count))) && count->ult(31))
    return shifted(unit(left), match(id, m_Shl(m_Value(), m_Value())), count->getZExtValue());
  if (!match(id, m_Add(m_Value(left), m_Value(right))))
    return 0;
  if (withoutTrunc(left) != item_)
    std::swap(left, right);
  const uint64_t unit =
      withoutTrunc(left) == item_ ? unitOfSum(multipleOfGroup(withoutTrunc(right))) : 0;
  return llvm::isPowerOf2_64(unit) ? unit : 0;
}

/// Only of a power of two: what is shifted left may wrap.
uint64_t AlignedIds::shifted(uint64_t unit, bool isLeft, uint64_t count) {
  if (!llvm::isPowerOf2_64(unit))
    return 0;
  if (!isLeft)
    return unit >> count;
  return llvm::Log2_64(unit) + count < 31 ? unit << count : 0;
}

/// Of a row's first id, a multiple of `multiple`, and the local id.
uint64_t AlignedIds::unitOfSum(uint64_t multiple) const {
  if (multiple == 0)
    return 0;
  if (multiple % alignment_ == 0)
    return alignment_;
  // Such a row is one packet.
  return row_ != 0 && row_ < alignment_ && multiple % row_ == 0 ? row_ : 0;
}

/// A power of two that divides `product`, of the group id; 0 where it is something else.
uint64_t AlignedIds::multipleOfGroup(const llvm::Value* product) const {
  const llvm::APInt* factor = nullptr;
  const llvm::Value* group = nullptr;
  if (product == first_)
    return multipleOfFirst_ & (~multipleOfFirst_ + 1);
  if (match(product, m_Mul(m_Value(group), m_APInt(factor))) && withoutTrunc(group) == group_)
    return factor->isZero() ? 0 : uint64_t{1} << std::min(factor->countr_zero(), 31u);
  if (match(product, m_Shl(m_Value(group), m_APInt(factor))) && withoutTrunc(group) == group_)
    return factor->ult(32) ? uint64_t{1} << factor->getZExtValue() : 0;
  return 0;
}

bool AlignedIds::isPacketNumber(const llvm::Value* value) const {
  const llvm::APInt* constant = nullptr;
  const llvm::Value* id = nullptr;
  if (match(value, m_UDiv(m_Value(id), m_APInt(constant)))) {
    const uint64_t unit = this->unit(id);
    return unit != 0 && constant->urem(unit) == 0;
  }
  if (match(value, m_Shr(m_Value(id), m_APInt(constant)))) {
    const uint64_t unit = constant->ult(31) ? this->unit(id) : 0;
    return unit != 0 && (uint64_t{1} << constant->getZExtValue()) % unit == 0;
  }
  if (match(value, m_And(m_Value(id), m_APInt(constant)))) {
    const uint64_t unit = this->unit(id);
    return llvm::isPowerOf2_64(unit) && (constant->getZExtValue() & (unit - 1)) == 0;
  }
  return false;
}

} // namespace quern::compiler
