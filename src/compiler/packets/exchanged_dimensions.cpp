#include "compiler/packets/exchanged_dimensions.h"

#include <cstdlib>

#include <llvm/IR/InstIterator.h>
#include <llvm/Transforms/Utils/Cloning.h>

#include "compiler/il/address_space.h"
#include "compiler/il/group_shape.h"
#include "compiler/il/kernel_function.h"
#include "compiler/il/names.h"
#include "compiler/il/region_function.h"
#include "compiler/packets/shapes.h"

namespace quern::compiler {
namespace {

/// The shape of an address where no index wraps, which packets assume and then test
/// (packets/no_wrap_speculation.h).
Shape withoutWrap(const Shapes& shapes, const llvm::Value* pointer) {
  const Shape known = shapes.of(pointer);
  const auto* address = llvm::dyn_cast<llvm::GetElementPtrInst>(pointer);
  if (!known.isVarying() || !address || address->getNumIndices() != 1 ||
      !shapes.of(address->getPointerOperand()).isUniform())
    return known;
  const llvm::Value* index = address->getOperand(1);
  while (llvm::isa<llvm::SExtInst, llvm::ZExtInst>(index))
    index = llvm::cast<llvm::CastInst>(index)->getOperand(0);
  const Shape ofIndex = shapes.of(index);
  const auto bytes = static_cast<int64_t>(
      address->getDataLayout().getTypeAllocSize(address->getSourceElementType()));
  return ofIndex.isAffine() ? Shape::affine(ofIndex.stride * bytes, ofIndex.factor) : ofIndex;
}

/// Whether neighbours find the same element or the next one.
bool isDense(const Shapes& shapes, const llvm::Value* pointer, uint64_t bytes) {
  const Shape address = withoutWrap(shapes, pointer);
  return address.isUniform() || (address.isAffine() && !address.factor &&
                                 static_cast<uint64_t>(std::abs(address.stride)) <= bytes);
}

} // namespace

bool mayGainByExchange(llvm::Function& region, llvm::FunctionAnalysisManager& analyses) {
  if (hasOwnShape(region) || !regionParameter(region, RegionParameter::ItemIndex)->use_empty() ||
      implicitArgument(region, ImplicitArgument::Item, 1)->use_empty())
    return false;
  if (region.hasFnAttribute(names::mostColumnsAttribute))
    return true;
  LaneShapes& lanes = analyses.getResult<ShapeAnalysis>(region);
  const Shapes& inRow = lanes.of(UniformityRoot::row());
  const Shapes& inColumn = lanes.of(UniformityRoot::column());
  return llvm::any_of(llvm::instructions(region), [&](const llvm::Instruction& instruction) {
    const llvm::Value* pointer = llvm::getLoadStorePointerOperand(&instruction);
    if (!pointer || pointer->getType()->getPointerAddressSpace() == address_space::privateMemory)
      return false;
    const uint64_t bytes =
        region.getDataLayout().getTypeStoreSize(llvm::getLoadStoreType(&instruction));
    return isDense(inColumn, pointer, bytes) && !isDense(inRow, pointer, bytes);
  });
}

llvm::Function& exchangeDimensions(llvm::Function& region) {
  llvm::ValueToValueMapTy map;
  llvm::Function& exchanged = *llvm::CloneFunction(&region, map);
  exchanged.setName(region.getName() + ".exchanged");
  for (const ImplicitArgument triple : {ImplicitArgument::Group, ImplicitArgument::Size,
                                        ImplicitArgument::First, ImplicitArgument::Item}) {
    llvm::Argument *first = implicitArgument(exchanged, triple, 0),
                   *second = implicitArgument(exchanged, triple, 1);
    llvm::SmallVector<llvm::Use*> uses;
    for (llvm::Use& use : first->uses())
      uses.push_back(&use);
    second->replaceAllUsesWith(first);
    for (llvm::Use* use : uses)
      use->set(second);
  }
  const uint64_t flat = numberAttribute(region, names::flatAttribute);
  setNumberAttribute(exchanged, names::flatAttribute,
                     (flat & ~uint64_t{3}) | (flat & 1) << 1 | (flat >> 1 & 1));
  // Tiles begin at a multiple of a packet in the program's dimension 0 alone.
  exchanged.removeFnAttr(names::zeroOffsetAttribute);
  exchanged.removeFnAttr(names::mostColumnsAttribute);
  if (const llvm::MDNode* size = exchanged.getMetadata("reqd_work_group_size"))
    exchanged.setMetadata(
        "reqd_work_group_size",
        llvm::MDNode::get(exchanged.getContext(),
                          {size->getOperand(1), size->getOperand(0), size->getOperand(2)}));
  return exchanged;
}

} // namespace quern::compiler
