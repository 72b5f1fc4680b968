#include "compiler/program/launch_facts.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/IPO/GlobalDCE.h>

#include "compiler/il/address_space.h"
#include "compiler/il/kernel_function.h"
#include "compiler/il/names.h"

namespace quern::compiler {
namespace {

constexpr const char* requiredSize = "reqd_work_group_size";

/// What only other kernels need goes with them.
void keepOnly(llvm::Module& module, llvm::StringRef name, llvm::ModuleAnalysisManager& analyses) {
  for (llvm::Function& function : module) {
    if (function.isDeclaration() || (isClangKernel(function) && function.getName() == name))
      continue;
    if (isClangKernel(function))
      function.setCallingConv(llvm::CallingConv::SPIR_FUNC);
    function.setComdat(nullptr);
    function.setLinkage(llvm::GlobalValue::InternalLinkage);
  }
  llvm::GlobalDCEPass().run(module, analyses);
}

void setLocalSize(llvm::Function& kernel, const std::array<uint64_t, 3>& size) {
  llvm::Type* type = llvm::Type::getInt32Ty(kernel.getContext());
  llvm::SmallVector<llvm::Metadata*, 3> sizes;
  for (uint64_t items : size)
    sizes.push_back(llvm::ConstantAsMetadata::get(llvm::ConstantInt::get(type, items)));
  kernel.setMetadata(requiredSize, llvm::MDNode::get(kernel.getContext(), sizes));
}

bool pointsToShared(const llvm::Type* type) {
  return type->isPointerTy() && (type->getPointerAddressSpace() == address_space::global ||
                                 type->getPointerAddressSpace() == address_space::constant);
}

/// Whether a pointer comes from elsewhere than the arguments.
bool isOtherWay(const llvm::Instruction& instruction) {
  if (llvm::isa<llvm::IntToPtrInst>(instruction))
    return true;
  if (!instruction.getType()->isPtrOrPtrVectorTy() && !instruction.getType()->isAggregateType())
    return false;
  return llvm::isa<llvm::LoadInst, llvm::CallBase, llvm::AtomicRMWInst, llvm::AtomicCmpXchgInst>(
      instruction);
}

bool reachesOtherwise(const llvm::Function& function) {
  for (const llvm::Instruction& instruction : llvm::instructions(function)) {
    if (isOtherWay(instruction))
      return true;
    for (const llvm::Value* operand : instruction.operands())
      if (const auto* variable = llvm::dyn_cast<llvm::GlobalVariable>(operand);
          variable && !variable->isConstant() &&
          variable->getAddressSpace() == address_space::global)
        return true;
  }
  return false;
}

void replaceArguments(llvm::Function& item, const abi::KnownArguments& constants) {
  for (const abi::KnownArgument& constant : constants)
    if (constant.argument < kernelArgumentCount(item))
      if (llvm::Argument* argument = item.getArg(constant.argument);
          argument->getType()->isIntegerTy())
        argument->replaceAllUsesWith(llvm::ConstantInt::getSigned(
            argument->getType(), constant.value, /*ImplicitTrunc=*/true));
}

} // namespace

llvm::PreservedAnalyses LaunchFactsPass::run(llvm::Module& module,
                                             llvm::ModuleAnalysisManager& analyses) {
  if (!onlyKernel_.empty())
    keepOnly(module, onlyKernel_, analyses);
  for (llvm::Function& function : module) {
    if (!isClangKernel(function))
      continue;
    if (facts_.localSize[0] != 0 && !function.hasMetadata(requiredSize))
      setLocalSize(function, facts_.localSize);
    if (facts_.zeroOffset)
      function.addFnAttr(names::zeroOffsetAttribute);
    if (facts_.mostColumns != 0)
      setNumberAttribute(function, names::mostColumnsAttribute, facts_.mostColumns);
    if (facts_.storedBytes != 0)
      function.addFnAttr(names::exceedsCachesAttribute);
    if (facts_.wholeGroups)
      setUniformGroups(function);
  }
  return llvm::PreservedAnalyses::none();
}

llvm::PreservedAnalyses ConstantArgumentsPass::run(llvm::Module& module,
                                                   llvm::ModuleAnalysisManager&) {
  for (llvm::Function* item : kernelFunctions(module)) {
    replaceArguments(*item, facts_.constants);
    replaceArguments(*item, facts_.objects); // samplers, which are integers by now
  }
  return llvm::PreservedAnalyses::none();
}

llvm::PreservedAnalyses DisjointMemoryPass::run(llvm::Module& module,
                                                llvm::ModuleAnalysisManager&) {
  // What a function that was not inlined does with pointers, its own code says.
  for (const llvm::Function& function : module)
    if (reachesOtherwise(function))
      return llvm::PreservedAnalyses::all();
  for (llvm::Function* item : kernelFunctions(module))
    for (unsigned i = 0; i < kernelArgumentCount(*item); ++i)
      if (pointsToShared(item->getArg(i)->getType()))
        item->getArg(i)->addAttr(llvm::Attribute::NoAlias);
  return llvm::PreservedAnalyses::none();
}

} // namespace quern::compiler
