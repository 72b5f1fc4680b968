#include "compiler/work_items/sub_group_forms.h"

#include <llvm/Analysis/InstructionSimplify.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/Cloning.h>

#include "compiler/il/boundary.h"
#include "compiler/il/collective.h"
#include "compiler/il/group_shape.h"
#include "compiler/il/kernel_function.h"
#include "compiler/il/names.h"
#include "compiler/il/sub_group_form.h"
#include "compiler/il/uniformity.h"
#include "compiler/il/work_item_functions.h"
#include "compiler/work_items/collective_lowering.h"
#include "compiler/work_items/joined_rows.h"

namespace quern::compiler {
namespace {

using llvm::Value;

bool isSubGroupBarrierCall(const llvm::Instruction& instruction) {
  return boundaryOf(instruction) == Boundary::SubGroupBarrier;
}

std::vector<llvm::CallInst*> callsWhere(llvm::Function& item,
                                        bool (*isWanted)(const llvm::Instruction&)) {
  std::vector<llvm::CallInst*> calls;
  for (llvm::Instruction& instruction : llvm::instructions(item))
    if (isWanted(instruction))
      calls.push_back(llvm::cast<llvm::CallInst>(&instruction));
  return calls;
}

/// The places of work-items in their sub-groups.
class Places {
public:
  explicit Places(llvm::Function& item)
      : item_(item), builder_(item.getContext()), full_(subGroupSize(item)) {}

  void lower() {
    for (llvm::CallInst* call : callsWhere(item_, isSubGroupPlace)) {
      builder_.SetInsertPoint(call);
      const auto function = *workItemFunction(call->getCalledFunction()->getName());
      Value* place = subGroupsArePackets(item_) ? inPackets(function) : inGroup(function);
      call->replaceAllUsesWith(builder_.CreateTrunc(place, call->getType()));
      call->eraseFromParent();
    }
  }

private:
  Value* full() { return builder_.getInt64(full_); }

  Value* size(unsigned dimension) {
    const std::array<uint64_t, 3> known = groupShape(item_);
    if (known[0] != 0 && hasUniformGroups(item_))
      return builder_.getInt64(known[dimension]);
    return implicitArgument(item_, ImplicitArgument::Size, dimension);
  }

  Value* itemId(unsigned dimension) {
    return implicitArgument(item_, ImplicitArgument::Item, dimension);
  }

  /// Of the row that a work-item is in.
  Value* row() {
    return builder_.CreateNUWAdd(builder_.CreateNUWMul(itemId(2), size(1)), itemId(1));
  }

  Value* inGroup(WorkItemFunction function) {
    Value* linear = builder_.CreateNUWAdd(builder_.CreateNUWMul(row(), size(0)), itemId(0));
    if (function == WorkItemFunction::SubGroupLocalId)
      return builder_.CreateURem(linear, full(), "sub.group.local.id");
    Value* id = builder_.CreateUDiv(linear, full(), "sub.group.id");
    if (function == WorkItemFunction::SubGroupId)
      return id;
    Value* items = builder_.CreateNUWMul(builder_.CreateNUWMul(size(0), size(1)), size(2));
    return itemsFrom(builder_.CreateNUWMul(id, full()), items);
  }

  /// Where no row, as the form counts work-items, ends inside a sub-group. Written so that packets
  /// can be seen to have the ids and sizes in common.
  Value* inPackets(WorkItemFunction function) {
    const uint64_t bits = llvm::Log2_64(full_);
    if (function == WorkItemFunction::SubGroupLocalId)
      return builder_.CreateAnd(itemId(0), full_ - 1, "sub.group.local.id");
    Value* inRow = builder_.CreateLShr(itemId(0), bits);
    if (function == WorkItemFunction::SubGroupSize)
      return itemsFrom(builder_.CreateShl(inRow, bits), size(0));
    return builder_.CreateNUWAdd(builder_.CreateLShr(builder_.CreateNUWMul(row(), size(0)), bits),
                                 inRow, "sub.group.id");
  }

  /// Of `items`, those of the sub-group that begins at `first`.
  Value* itemsFrom(Value* first, Value* items) {
    return builder_.CreateBinaryIntrinsic(llvm::Intrinsic::umin,
                                          builder_.CreateNUWSub(items, first), full());
  }

  llvm::Function& item_;
  llvm::IRBuilder<> builder_;
  uint64_t full_;
};

/// Takes the places that are picked from modulo the size of a full sub-group.
void wrapPlaces(llvm::Function& item) {
  const uint64_t last = subGroupSize(item) - 1;
  for (llvm::CallInst* operation : callsWhere(item, isSubGroupOperation)) {
    if (!isOfPlace(combineName(*operation)))
      continue;
    llvm::IRBuilder<> builder(operation);
    operation->setArgOperand(2, builder.CreateAnd(operation->getArgOperand(2), last));
  }
}

/// Picks elements of vectors one by one, each of which is a permutation of a packet. The library
/// has one function for all, so that work-items of the general form meet once.
void pickElements(llvm::Function& form) {
  for (llvm::CallInst* operation : callsWhere(form, isSubGroupOperation)) {
    auto* type = llvm::dyn_cast<llvm::FixedVectorType>(operation->getType());
    if (!type || !isOfPlace(combineName(*operation)))
      continue;
    const llvm::Function* whole = operation->getCalledFunction();
    Value *combine = operation->getArgOperand(0), *values = operation->getArgOperand(1),
          *place = operation->getArgOperand(2);
    llvm::FunctionCallee element = form.getParent()->getOrInsertFunction(
        (whole->getName() + ".element").str(), type->getElementType(), combine->getType(),
        type->getElementType(), place->getType());
    llvm::cast<llvm::Function>(element.getCallee())->setAttributes(whole->getAttributes());
    llvm::IRBuilder<> builder(operation);
    Value* result = llvm::PoisonValue::get(type);
    for (unsigned i = 0; i < type->getNumElements(); ++i) {
      llvm::CallInst* picked =
          builder.CreateCall(element, {combine, builder.CreateExtractElement(values, i), place});
      picked->addFnAttr(llvm::Attribute::Convergent);
      result = builder.CreateInsertElement(result, picked, i);
    }
    operation->replaceAllUsesWith(result);
    operation->eraseFromParent();
  }
}

/// Whether `operation` gives each work-item the operand of one that takes part.
bool givesAnOperand(const llvm::CallInst& operation) {
  return isOfFirst(combineName(operation)) || isOfPlace(combineName(operation));
}

/// Removes the operations that give every work-item of a sub-group what it has: those of values
/// that are the same for all of them. `alignment` as in UniformityRoot::subGroup.
void removeIdleOperations(llvm::Function& item, uint64_t alignment) {
  const std::vector<llvm::CallInst*> operations = callsWhere(item, isSubGroupOperation);
  if (llvm::none_of(operations, [](const llvm::CallInst* call) { return givesAnOperand(*call); }))
    return;
  Uniformities uniformities(item);
  const Uniformity& uniformity = uniformities.of(UniformityRoot::subGroup(alignment));
  std::vector<llvm::CallInst*> idle;
  for (llvm::CallInst* operation : operations)
    if (givesAnOperand(*operation) && uniformity.isUniformAt(operation->getArgOperandUse(1)))
      idle.push_back(operation);
  for (llvm::CallInst* operation : idle) {
    llvm::replaceAndRecursivelySimplify(operation, operation->getArgOperand(1));
    operation->eraseFromParent();
  }
}

/// Whether no row of a work-group ends inside a sub-group, as the program counts work-items.
bool liesInRows(const llvm::Function& item) {
  const auto [row, rows, layers] = requiredWorkGroupSize(item);
  return row != 0 &&
         ((rows == 1 && layers == 1) || (row % subGroupSize(item) == 0 && hasUniformGroups(item)));
}

/// Counts the work-items of groups of a known size so that no row ends inside a sub-group, in rows
/// that are as short as that allows: the program's ids differ least in them.
void joinRowsOfSubGroups(llvm::Function& form) {
  const GroupExtents extents(requiredWorkGroupSize(form));
  if (extents.count == 0)
    return;
  uint64_t rows = 1;
  while (rows < extents.rows() &&
         !(extents.canJoin(rows) && extents.sizes[0] * rows % subGroupSize(form) == 0))
    ++rows;
  if (rows == 1 && extents.places[0] == 0)
    return;
  setUniformGroups(form);
  joinRows(form, extents, rows);
}

void makePacketForm(llvm::Function& item) {
  llvm::ValueToValueMapTy map;
  llvm::Function* form = llvm::CloneFunction(&item, map);
  form->setName(item.getName() + ".sub_groups");
  setSubGroupsArePackets(*form);
  joinRowsOfSubGroups(*form);
  removeIdleOperations(*form, subGroupSize(*form));
  pickElements(*form);
  for (llvm::CallInst* barrier : callsWhere(*form, isSubGroupBarrierCall))
    lowerBarrierOfPacket(*barrier);
  Places(*form).lower();
}

} // namespace

bool isSubGroupPlace(const llvm::Instruction& instruction) {
  const auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction);
  const llvm::Function* callee = call ? call->getCalledFunction() : nullptr;
  if (!callee || !callee->isDeclaration())
    return false;
  const auto function = workItemFunction(callee->getName());
  return function == WorkItemFunction::SubGroupId ||
         function == WorkItemFunction::SubGroupLocalId ||
         function == WorkItemFunction::SubGroupSize;
}

SubGroupFormsPass::SubGroupFormsPass(const PassSettings& settings)
    : makePackets_(settings.hasPackets()), packetWidth_(settings.packets.width) {}

llvm::PreservedAnalyses SubGroupFormsPass::run(llvm::Module& module, llvm::ModuleAnalysisManager&) {
  for (llvm::Function* item : kernelFunctions(module)) {
    const uint64_t size = subGroupSize(*item);
    wrapPlaces(*item);
    const bool meets = !callsWhere(*item, isSubGroupOperation).empty() ||
                       !callsWhere(*item, isSubGroupBarrierCall).empty();
    // Packets of another size than that of a sub-group are no sub-groups.
    const bool arePackets = makePackets_ && (packetWidth_ == 0 || packetWidth_ == size);
    if (meets && arePackets && size > 1)
      makePacketForm(*item);
    removeIdleOperations(*item, liesInRows(*item) ? size : 1);
    for (llvm::CallInst* operation : callsWhere(*item, isSubGroupOperation))
      lowerCollective(*operation);
    Places(*item).lower();
  }
  return llvm::PreservedAnalyses::none();
}

} // namespace quern::compiler
