#include "compiler/regions/interleaved_variables.h"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/Utils/Local.h>

#include "compiler/regions/array_uses.h"

namespace quern::compiler {
namespace {

using llvm::Value;

/// What is done in a loop counts as much as if it were done so often.
constexpr uint64_t iterationsOfLoop = 8;
constexpr unsigned maxLevels = 6;

/// Whether all work-items that compute the address of an element mean the same one.
bool hasSameIndex(const Value* pointer, const Uniformity& uniformity, unsigned depth) {
  const auto* address = llvm::dyn_cast<llvm::GetElementPtrInst>(pointer);
  if (!address)
    return llvm::isa<llvm::AllocaInst>(pointer);
  return depth < maxLevels &&
         llvm::all_of(
             address->indices(),
             [&](const llvm::Use& index) {
               const auto* instruction = llvm::dyn_cast<llvm::Instruction>(index);
               return instruction ? uniformity.isUniformWhereUsed(*instruction)
                                  : llvm::isa<llvm::Constant>(index);
             }) &&
         hasSameIndex(address->getPointerOperand(), uniformity, depth + 1);
}

/// Whether more of what is done to an array is done to the same element by all.
bool areIndicesShared(const ArrayUses& uses, const Uniformity& uniformity,
                      const llvm::LoopInfo& loops) {
  uint64_t same = 0, others = 0;
  for (const llvm::Instruction* pointer : uses.pointers)
    for (const llvm::User* user : pointer->users()) {
      const auto* access = llvm::cast<llvm::Instruction>(user);
      if (llvm::getLoadStorePointerOperand(access) != pointer)
        continue;
      uint64_t weight = 1;
      for (unsigned i = std::min(loops.getLoopDepth(access->getParent()), maxLevels); i > 0; --i)
        weight *= iterationsOfLoop;
      (hasSameIndex(pointer, uniformity, 0) ? same : others) += weight;
    }
  return same > others;
}

} // namespace

InterleavedVariables::InterleavedVariables(llvm::Function& item, const PrivateVariables& variables,
                                           const Uniformity& uniformity) {
  const llvm::DominatorTree dominators(item);
  const llvm::LoopInfo loops(dominators);
  for (llvm::AllocaInst* variable : variables.all()) {
    if (variables.place(variable) != VariablePlace::Context)
      continue;
    const ArrayUses uses = usesOfArray(*variable);
    if (!llvm::isPowerOf2_64(uses.elementBytes) || !uses.fills.empty() ||
        !areIndicesShared(uses, uniformity, loops))
      continue;
    elementBytes_[variable] = uses.elementBytes;
    addresses_.insert_range(uses.pointers);
  }
}

Value* InterleavedVariables::spread(llvm::GetElementPtrInst& copy, Value* items) {
  llvm::IRBuilder<> builder(&copy);
  Value* offset = llvm::emitGEPOffset(&builder, copy.getDataLayout(), &copy, true);
  Value* address = builder.CreateGEP(builder.getInt8Ty(), copy.getPointerOperand(),
                                     builder.CreateMul(offset, items), copy.getName());
  copy.replaceAllUsesWith(address);
  copy.eraseFromParent();
  return address;
}

llvm::SmallVector<llvm::Instruction*> InterleavedVariables::spread(llvm::Instruction& copy,
                                                                   Value* items) {
  llvm::IRBuilder<> builder(&copy);
  Value* pointer = llvm::getLoadStorePointerOperand(&copy);
  llvm::Type* type = llvm::getLoadStoreType(&copy);
  llvm::Type* element = type->getScalarType();
  const uint64_t bytes = copy.getDataLayout().getTypeStoreSize(element);
  const llvm::Align alignment = std::min(llvm::getLoadStoreAlignment(&copy), llvm::Align(bytes));
  const auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(type);
  llvm::SmallVector<llvm::Instruction*> accesses;
  Value* loaded = llvm::PoisonValue::get(type);
  for (uint64_t i = 0; i < (vector ? vector->getNumElements() : 1); ++i) {
    Value* place = i == 0
                       ? pointer
                       : builder.CreateGEP(builder.getInt8Ty(), pointer,
                                           builder.CreateMul(items, builder.getInt64(i * bytes)));
    if (auto* store = llvm::dyn_cast<llvm::StoreInst>(&copy)) {
      Value* value = store->getValueOperand();
      accesses.push_back(builder.CreateAlignedStore(
          vector ? builder.CreateExtractElement(value, i) : value, place, alignment));
      continue;
    }
    llvm::LoadInst* load = builder.CreateAlignedLoad(element, place, alignment);
    accesses.push_back(load);
    loaded = vector ? builder.CreateInsertElement(loaded, load, i) : llvm::cast<Value>(load);
  }
  if (llvm::isa<llvm::LoadInst>(copy)) {
    loaded->takeName(&copy);
    copy.replaceAllUsesWith(loaded);
  }
  copy.eraseFromParent();
  return accesses;
}

} // namespace quern::compiler
