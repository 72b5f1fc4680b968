#include "compiler/work_items/flat_dimensions.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/PatternMatch.h>

#include "abi/cpu_kernel.h"
#include "compiler/il/address_space.h"
#include "compiler/il/boundary.h"
#include "compiler/il/group_shape.h"
#include "compiler/il/kernel_function.h"
#include "compiler/il/names.h"
#include "compiler/il/sub_group_form.h"
#include "compiler/il/work_item_functions.h"

namespace quern::compiler {
namespace {

using llvm::Value;
using namespace llvm::PatternMatch;

/// One dimension of a work-item body.
class Dimension {
public:
  Dimension(llvm::Function& item, unsigned number)
      : item_(item), number_(number), required_(requiredWorkGroupSize(item)[number]),
        group_(implicitArgument(item, ImplicitArgument::Group, number)),
        size_(implicitArgument(item, ImplicitArgument::Size, number)),
        first_(implicitArgument(item, ImplicitArgument::First, number)),
        local_(implicitArgument(item, ImplicitArgument::Item, number)) {}

  /// Whether only the global id is used of what depends on the group.
  bool isFlat() const {
    const auto isGlobalId = [this](const llvm::User* user) { return partOfGlobalId(user); };
    return group_->use_empty() && size_->use_empty() && llvm::all_of(first_->users(), isGlobalId) &&
           llvm::all_of(local_->users(), isGlobalId);
  }

  /// Makes `group id * local size + local id` the global id, less its offset.
  void findGlobalIds() {
    if (group_->use_empty())
      return;
    llvm::SmallVector<llvm::Instruction*> sums;
    for (llvm::Instruction& instruction : llvm::instructions(item_))
      if (isGroupAndItem(instruction))
        sums.push_back(&instruction);
    for (llvm::Instruction* sum : sums) {
      sum->replaceAllUsesWith(relativeId(sum, sum->getType()));
      eraseUnused(sum);
    }
  }

  /// In groups of one work-item, the group's id is the global id, less its offset.
  void useGlobalIdOfGroup() {
    if (required_ == 1 && !group_->use_empty())
      group_->replaceAllUsesWith(relativeId(startOf(item_), group_->getType()));
  }

  /// In groups of one work-item that run one by one, nothing varies over work-items.
  void useOnlyItem() {
    if (groupShape(item_)[number_] == 1)
      local_->replaceAllUsesWith(llvm::ConstantInt::get(local_->getType(), 0));
  }

private:
  /// The sum of both, or what LLVM makes of asking whether it is 0.
  bool partOfGlobalId(const llvm::User* user) const {
    if (match(user, m_c_Add(m_Specific(first_), m_Specific(local_))))
      return true;
    return match(user, m_c_Or(m_Specific(first_), m_Specific(local_))) &&
           llvm::all_of(user->users(), [](const llvm::User* comparison) {
             llvm::CmpPredicate predicate;
             return match(comparison, m_ICmp(predicate, m_Value(), m_Zero())) &&
                    llvm::ICmpInst::isEquality(predicate);
           });
  }

  static auto anyWidth(const Value* value) {
    return m_CombineOr(m_Specific(value), m_Trunc(m_Specific(value)));
  }

  bool isGroupAndItem(const llvm::Instruction& sum) const {
    const llvm::APInt* known = nullptr;
    if (!sum.getType()->isIntegerTy(32) && !sum.getType()->isIntegerTy(64))
      return false;
    const auto group = anyWidth(group_), item = anyWidth(local_);
    // The size of the last group may be smaller.
    if (hasUniformGroups(item_) && match(&sum, m_c_Add(m_c_Mul(group, anyWidth(size_)), item)))
      return true;
    if (required_ == 0)
      return false;
    if (match(&sum, m_c_Add(m_Mul(group, m_APInt(known)), item)))
      return *known == required_;
    return match(&sum, m_c_Add(m_Shl(group, m_APInt(known)), item)) && known->ult(32) &&
           uint64_t{1} << known->getZExtValue() == required_;
  }

  Value* relativeId(llvm::Instruction* place, llvm::Type* type) {
    llvm::IRBuilder<> builder(place);
    Value* id = builder.CreateNUWAdd(first_, local_, "global.id");
    if (hasZeroOffset(item_))
      return builder.CreateTrunc(id, type);
    Value* address = builder.CreateConstInBoundsGEP1_64(
        builder.getInt8Ty(), implicitArgument(item_, ImplicitArgument::Launch),
        offsetof(abi::LaunchInfo, globalOffset) + number_ * sizeof(uint64_t));
    llvm::LoadInst* offset =
        builder.CreateAlignedLoad(builder.getInt64Ty(), address, llvm::Align(8));
    offset->setMetadata(llvm::LLVMContext::MD_invariant_load,
                        llvm::MDNode::get(item_.getContext(), {}));
    offset->setMetadata(llvm::LLVMContext::MD_noundef, llvm::MDNode::get(item_.getContext(), {}));
    return builder.CreateTrunc(builder.CreateNUWSub(id, offset), type);
  }

  /// With its operands that nothing else uses.
  static void eraseUnused(llvm::Instruction* instruction) {
    llvm::SmallVector<llvm::Instruction*> work = {instruction};
    while (!work.empty()) {
      llvm::Instruction* unused = work.pop_back_val();
      llvm::SmallVector<Value*> operands(unused->operands());
      unused->eraseFromParent();
      for (Value* operand : operands)
        if (auto* made = llvm::dyn_cast<llvm::Instruction>(operand);
            made && made->use_empty() && !llvm::is_contained(work, made))
          work.push_back(made);
    }
  }

  llvm::Function& item_;
  unsigned number_;
  uint64_t required_;
  llvm::Argument *group_, *size_, *first_, *local_;
};

/// Each work-group has local memory of its own.
bool hasLocalMemory(llvm::Function& item) {
  if (!implicitArgument(item, ImplicitArgument::Local)->use_empty())
    return true;
  for (unsigned i = 0; i < kernelArgumentCount(item); ++i)
    if (const auto* type = llvm::dyn_cast<llvm::PointerType>(item.getArg(i)->getType());
        type && type->getAddressSpace() == address_space::local)
      return true;
  return false;
}

} // namespace

llvm::PreservedAnalyses FlatDimensionsPass::run(llvm::Function& function,
                                                llvm::FunctionAnalysisManager&) {
  if (!function.hasFnAttribute(names::kernelAttribute))
    return llvm::PreservedAnalyses::all();
  for (unsigned number = 0; number < maxDimensions; ++number)
    Dimension(function, number).findGlobalIds();
  const bool isShared =
      hasLocalMemory(function) || subGroupsArePackets(function) ||
      llvm::any_of(llvm::instructions(function), [](const llvm::Instruction& instruction) {
        return boundaryOf(instruction).has_value();
      });
  uint64_t flat = 0;
  for (unsigned number = 0; number < maxDimensions; ++number) {
    Dimension dimension(function, number);
    if (!isShared)
      dimension.useGlobalIdOfGroup();
    if (!isShared && dimension.isFlat())
      flat |= uint64_t{1} << number;
    else
      dimension.useOnlyItem();
  }
  if (!isShared)
    setNumberAttribute(function, names::flatAttribute, flat);
  return llvm::PreservedAnalyses::none();
}

} // namespace quern::compiler
