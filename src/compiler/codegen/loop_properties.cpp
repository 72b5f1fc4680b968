#include "compiler/codegen/loop_properties.h"

#include <llvm/IR/Constants.h>

#include "compiler/il/names.h"

namespace quern::compiler {
namespace {

llvm::MDNode* loopProperty(llvm::LLVMContext& context, llvm::StringRef name,
                           llvm::Metadata* value = nullptr) {
  llvm::SmallVector<llvm::Metadata*, 2> operands = {llvm::MDString::get(context, name)};
  if (value)
    operands.push_back(value);
  return llvm::MDNode::get(context, operands);
}

llvm::MDNode* loopProperties(llvm::LLVMContext& context,
                             llvm::ArrayRef<llvm::Metadata*> properties) {
  llvm::SmallVector<llvm::Metadata*, 4> operands = {nullptr};
  llvm::append_range(operands, properties);
  llvm::MDNode* node = llvm::MDNode::getDistinct(context, operands);
  node->replaceOperandWith(0, node);
  return node;
}

} // namespace

llvm::MDNode* itemLoopProperties(const llvm::Function& region) {
  llvm::LLVMContext& context = region.getContext();
  return loopProperties(context, {loopProperty(context, "llvm.loop.parallel_accesses",
                                               region.getMetadata(names::accessGroupMetadata)),
                                  loopProperty(context, "llvm.loop.unroll.runtime.disable")});
}

llvm::MDNode* outerLoopProperties(const llvm::Value& count, bool repeats) {
  llvm::LLVMContext& context = count.getContext();
  llvm::SmallVector<llvm::Metadata*, 3> properties = {
      loopProperty(context, "llvm.loop.vectorize.enable",
                   llvm::ConstantAsMetadata::get(llvm::ConstantInt::getFalse(context)))};
  if (!llvm::isa<llvm::Constant>(count))
    properties.push_back(loopProperty(context, "llvm.loop.unroll.disable"));
  if (repeats)
    properties.push_back(loopProperty(context, "llvm.licm.disable"));
  return loopProperties(context, properties);
}

llvm::MDNode* packetItemsProperties(llvm::LLVMContext& context, unsigned iterations) {
  llvm::SmallVector<llvm::Metadata*, 2> properties = {loopProperty(context, packetItemsProperty)};
  if (iterations != 0)
    properties.push_back(loopProperty(context, "llvm.loop.unroll.count",
                                      llvm::ConstantAsMetadata::get(llvm::ConstantInt::get(
                                          llvm::Type::getInt32Ty(context), iterations))));
  return loopProperties(context, properties);
}

} // namespace quern::compiler
