#include "compiler/work_items/group_shapes.h"

#include <bit>

#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/Cloning.h>

#include "compiler/il/address_space.h"
#include "compiler/il/boundary.h"
#include "compiler/il/group_shape.h"
#include "compiler/il/kernel_function.h"
#include "compiler/il/names.h"
#include "compiler/il/sub_group_form.h"
#include "compiler/work_items/collective_lowering.h"
#include "compiler/work_items/joined_rows.h"

namespace quern::compiler {
namespace {

/// How many of the program's rows a packet of `width` work-items shall hold. One, for a narrower
/// packet, where that leaves little of a vector unused: what several rows load or ask differs in
/// more than their first work-item.
uint64_t rowsInPacket(const GroupExtents& extents, uint64_t width) {
  const uint64_t row = extents.sizes[0];
  if (extents.items() <= width)
    return extents.rows();
  if (row > width / 4 || !std::has_single_bit(row))
    return 1;
  for (uint64_t rows = width / row; rows > 1; --rows)
    if (extents.canJoin(rows))
      return rows;
  return 1;
}

/// How many of the program's rows are counted as one. All of them, which is several packets and the
/// last one not full, where fewer do not fill a packet.
uint64_t rowsInOne(const GroupExtents& extents, uint64_t width) {
  const uint64_t row = extents.sizes[0], rows = rowsInPacket(extents, width);
  const bool mayJoinAll = extents.items() > width && row <= width / 4 && std::has_single_bit(row) &&
                          extents.sizes[2] == 1;
  return mayJoinAll && rows * row < width ? extents.rows() : rows;
}

/// Whether it calculates with numbers of 64 bits, of which vectors hold half as many. Ids and
/// addresses do not count.
bool usesWideNumbers(llvm::Function& item) {
  return llvm::any_of(llvm::instructions(item), [](const llvm::Instruction& instruction) {
    if (instruction.getType()->getScalarType()->isDoubleTy())
      return true;
    const llvm::Value* pointer = llvm::getLoadStorePointerOperand(&instruction);
    return pointer &&
           pointer->getType()->getPointerAddressSpace() != address_space::privateMemory &&
           llvm::getLoadStoreType(&instruction)->getScalarType()->isIntegerTy(64);
  });
}

std::vector<llvm::CallInst*> boundariesOf(llvm::Function& item) {
  std::vector<llvm::CallInst*> calls;
  for (llvm::Instruction& instruction : llvm::instructions(item))
    if (boundaryOf(instruction))
      calls.push_back(llvm::cast<llvm::CallInst>(&instruction));
  return calls;
}

bool areOfGroup(const std::vector<llvm::CallInst*>& boundaries) {
  return !boundaries.empty() && llvm::none_of(boundaries, [](const llvm::CallInst* call) {
    return isOfSubGroup(*boundaryOf(*call));
  });
}

void makeOnePacketForm(llvm::Function& item) {
  llvm::ValueToValueMapTy map;
  llvm::Function* form = llvm::CloneFunction(&item, map);
  form->setName(item.getName() + ".one_packet");
  form->addFnAttr(names::onePacketAttribute);
  llvm::SmallVector<llvm::CallInst*> collectives;
  for (llvm::CallInst* boundary : boundariesOf(*form))
    if (isCollective(*boundaryOf(*boundary)))
      collectives.push_back(boundary);
    else
      lowerBarrierOfPacket(*boundary);
  lowerCollectivesOfPacket(*form, collectives);
}

} // namespace

llvm::PreservedAnalyses GroupShapesPass::run(llvm::Module& module, llvm::ModuleAnalysisManager&) {
  const bool mayHaveOnePacket = !hasVariables(module); // the other code would need its barriers
  for (llvm::Function* item : kernelFunctions(module)) {
    const GroupExtents extents(requiredWorkGroupSize(*item));
    if (extents.count == 0 || !hasUniformGroups(*item) || subGroupsArePackets(*item) ||
        numberAttribute(*item, names::flatAttribute) != 0)
      continue;
    const uint64_t width =
        choice_.width ? choice_.width : vectorBits(machine_) / (usesWideNumbers(*item) ? 64 : 32);
    if (const uint64_t rows = rowsInOne(extents, width); rows != 1 || extents.places[0] != 0)
      joinRows(*item, extents, rows);
    if (mayHaveOnePacket && extents.items() <= width && groupShape(*item)[0] == extents.items() &&
        areOfGroup(boundariesOf(*item)))
      makeOnePacketForm(*item);
  }
  return llvm::PreservedAnalyses::none();
}

} // namespace quern::compiler
