#include "compiler/il/region_function.h"

#include <llvm/ADT/StringExtras.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/DerivedTypes.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Module.h>

#include "compiler/il/group_shape.h"
#include "compiler/il/names.h"
#include "compiler/il/sub_group_form.h"

namespace quern::compiler {

llvm::Function* createRegionFunction(llvm::Function& item, unsigned number) {
  llvm::LLVMContext& context = item.getContext();
  llvm::Type* pointer = llvm::PointerType::get(context, 0);
  llvm::Type* int64 = llvm::Type::getInt64Ty(context);
  std::vector<llvm::Type*> types(item.getFunctionType()->params());
  types.insert(types.end(), {pointer, int64, int64, pointer, pointer});

  const llvm::StringRef kernel = item.getFnAttribute(names::kernelAttribute).getValueAsString();
  llvm::Function* region =
      llvm::Function::Create(llvm::FunctionType::get(llvm::Type::getInt32Ty(context), types, false),
                             llvm::GlobalValue::ExternalLinkage,
                             kernel +
                                 (subGroupsArePackets(item) ? ".sub_groups"
                                  : groupsArePackets(item)  ? ".one_packet"
                                                            : "") +
                                 ".region." + llvm::Twine(number));
  item.getParent()->getFunctionList().insert(item.getIterator(), region);
  region->copyAttributesFrom(&item);
  region->copyMetadata(&item, 0);
  // Several functions cannot share debug information; the entry that they are inlined into takes it
  // over.
  if (llvm::DISubprogram* subprogram = item.getSubprogram())
    region->setMetadata(names::subprogramMetadata, subprogram);
  region->setSubprogram(nullptr);
  setNumberAttribute(*region, names::regionAttribute, number);
  region->setMetadata(names::accessGroupMetadata, llvm::MDNode::getDistinct(context, {}));

  for (unsigned i = 0; i < item.arg_size(); ++i)
    region->getArg(i)->setName(item.getArg(i)->getName());
  if (hasOwnShape(item)) {
    const std::array<uint64_t, 3> shape = groupShape(item);
    for (unsigned dimension = 0; dimension < shape.size(); ++dimension)
      implicitArgument(*region, ImplicitArgument::Item, dimension)
          ->addAttr(llvm::Attribute::get(
              context, llvm::Attribute::Range,
              llvm::ConstantRange(llvm::APInt(64, 0), llvm::APInt(64, shape[dimension]))));
  }
  static constexpr const char* parameterNames[] = {"context", "items", "item.index", "uniforms.in",
                                                   "uniforms.out"};
  static_assert(std::size(parameterNames) == static_cast<unsigned>(RegionParameter::Count));
  for (unsigned i = 0; i < std::size(parameterNames); ++i) {
    llvm::Argument* parameter = region->getArg(item.arg_size() + i);
    parameter->setName(parameterNames[i]);
    parameter->addAttr(llvm::Attribute::NoUndef);
  }
  regionParameter(*region, RegionParameter::UniformsIn)->addAttr(llvm::Attribute::ReadOnly);
  for (RegionParameter which : {RegionParameter::UniformsIn, RegionParameter::UniformsOut})
    regionParameter(*region, which)->addAttr(llvm::Attribute::NoAlias);
  regionParameter(*region, RegionParameter::Context)
      ->addAttr(llvm::Attribute::getWithAlignment(context, llvm::Align(128)));
  return region;
}

llvm::Argument* regionParameter(llvm::Function& region, RegionParameter which) {
  const unsigned count = static_cast<unsigned>(RegionParameter::Count);
  return region.getArg(region.arg_size() - count + static_cast<unsigned>(which));
}

bool leadsInto(llvm::Function& region, const llvm::Value* pointer, RegionParameter which) {
  return llvm::getUnderlyingObject(pointer, 0) == regionParameter(region, which);
}

bool actsForItem(const llvm::Function& region) {
  return llvm::any_of(llvm::instructions(region), [](const llvm::Instruction& instruction) {
    return instruction.mayHaveSideEffects() && !(llvm::isa<llvm::StoreInst>(instruction) &&
                                                 instruction.hasMetadata(names::uniformMetadata));
  });
}

bool hasPackets(const llvm::Function& region) {
  return region.hasFnAttribute(names::packetAttribute) ||
         region.hasFnAttribute(names::exchangedAttribute);
}

std::vector<unsigned> regionExits(const llvm::Function& region) {
  llvm::SmallVector<llvm::StringRef> parts;
  region.getFnAttribute(names::exitsAttribute).getValueAsString().split(parts, ',', -1, false);
  std::vector<unsigned> exits;
  for (llvm::StringRef part : parts) {
    unsigned exit = 0;
    if (!part.getAsInteger(10, exit))
      exits.push_back(exit);
  }
  return exits;
}

void setRegionExits(llvm::Function& region, const std::vector<unsigned>& exits) {
  std::vector<std::string> parts;
  for (unsigned exit : exits)
    parts.push_back(std::to_string(exit));
  region.addFnAttr(names::exitsAttribute, llvm::join(parts, ","));
}

} // namespace quern::compiler
