#include "compiler/packets/exchanged_dimensions.h"

#include <cstdlib>

#include <llvm/ADT/STLExtras.h>
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

/// How far apart neighbours find what they access: the same element or the next one, one of few
/// between which a packet reads all (packets/interleave_groups.h), or any.
enum class Distance : uint8_t { Dense, Near, Far };

Distance distanceOf(const Shapes& shapes, const llvm::Value* pointer, uint64_t bytes) {
  constexpr uint64_t nearElements = 16;
  const Shape address = withoutWrap(shapes, pointer);
  if (address.isUniform())
    return Distance::Dense;
  if (!address.isAffine() || address.factor)
    return Distance::Far;
  const auto stride = static_cast<uint64_t>(std::abs(address.stride));
  return stride <= bytes                  ? Distance::Dense
         : stride <= nearElements * bytes ? Distance::Near
                                          : Distance::Far;
}

llvm::Function& exchange(llvm::Function& region, unsigned dimension) {
  llvm::ValueToValueMapTy map;
  llvm::Function& exchanged = *llvm::CloneFunction(&region, map);
  exchanged.setName(region.getName() + ".exchanged");
  setNumberAttribute(exchanged, names::packetDimensionAttribute, dimension);
  for (const ImplicitArgument triple : {ImplicitArgument::Group, ImplicitArgument::Size,
                                        ImplicitArgument::First, ImplicitArgument::Item}) {
    llvm::Argument *first = implicitArgument(exchanged, triple, 0),
                   *second = implicitArgument(exchanged, triple, dimension);
    llvm::SmallVector<llvm::Use*> uses;
    for (llvm::Use& use : first->uses())
      uses.push_back(&use);
    second->replaceAllUsesWith(first);
    for (llvm::Use* use : uses)
      use->set(second);
  }
  const uint64_t flat = numberAttribute(region, names::flatAttribute);
  const uint64_t both = 1 | uint64_t{1} << dimension;
  setNumberAttribute(exchanged, names::flatAttribute,
                     (flat & ~both) | (flat & 1) << dimension | (flat >> dimension & 1));
  // Tiles begin at a multiple of a packet in the program's dimension 0 alone.
  exchanged.removeFnAttr(names::zeroOffsetAttribute);
  exchanged.removeFnAttr(names::mostColumnsAttribute);
  if (const llvm::MDNode* size = exchanged.getMetadata("reqd_work_group_size")) {
    llvm::SmallVector<llvm::Metadata*> sizes(size->operands());
    std::swap(sizes[0], sizes[dimension]);
    exchanged.setMetadata("reqd_work_group_size", llvm::MDNode::get(exchanged.getContext(), sizes));
  }
  return exchanged;
}

/// Whether an access of `exchanged`, a copy of `region`, is to places closer to each other.
bool isDenser(llvm::Function& exchanged, llvm::Function& region,
              llvm::FunctionAnalysisManager& analyses) {
  const auto rowsOf = [&](llvm::Function& function) -> const Shapes& {
    return analyses.getResult<ShapeAnalysis>(function).of(UniformityRoot::row());
  };
  const Shapes &rows = rowsOf(region), &exchangedRows = rowsOf(exchanged);
  return llvm::any_of(llvm::zip_equal(llvm::instructions(region), llvm::instructions(exchanged)),
                      [&](const auto& both) {
                        const auto& [instruction, copy] = both;
                        const llvm::Value* pointer = llvm::getLoadStorePointerOperand(&instruction);
                        if (!pointer || pointer->getType()->getPointerAddressSpace() ==
                                            address_space::privateMemory)
                          return false;
                        const uint64_t bytes = region.getDataLayout().getTypeStoreSize(
                            llvm::getLoadStoreType(&instruction));
                        return distanceOf(exchangedRows, llvm::getLoadStorePointerOperand(&copy),
                                          bytes) < distanceOf(rows, pointer, bytes);
                      });
}

} // namespace

llvm::Function* exchangeDimensions(llvm::Function& region, unsigned dimension,
                                   llvm::FunctionAnalysisManager& analyses) {
  if (hasOwnShape(region) || !regionParameter(region, RegionParameter::ItemIndex)->use_empty() ||
      implicitArgument(region, ImplicitArgument::Item, dimension)->use_empty())
    return nullptr;
  llvm::Function& exchanged = exchange(region, dimension);
  if (region.hasFnAttribute(names::mostColumnsAttribute) || isDenser(exchanged, region, analyses))
    return &exchanged;
  analyses.clear(exchanged, exchanged.getName());
  exchanged.eraseFromParent();
  return nullptr;
}

} // namespace quern::compiler
