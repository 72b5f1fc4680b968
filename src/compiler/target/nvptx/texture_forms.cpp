#include "compiler/target/nvptx/texture_forms.h"

#include <optional>

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/InstCombine/InstCombine.h>
#include <llvm/Transforms/Scalar/EarlyCSE.h>
#include <llvm/Transforms/Scalar/SROA.h>
#include <llvm/Transforms/Scalar/SimplifyCFG.h>
#include <llvm/Transforms/Utils/Cloning.h>

#include "compiler/il/names.h"
#include "compiler/target/nvptx/kernels.h"

namespace quern::compiler {
namespace {

llvm::SmallVector<llvm::CallInst*> testsIn(llvm::Function& function, const llvm::Function& test) {
  llvm::SmallVector<llvm::CallInst*> tests;
  for (llvm::Instruction& instruction : llvm::instructions(function))
    if (auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction))
      if (call->getCalledFunction() == &test)
        tests.push_back(call);
  return tests;
}

/// Leaves each test with the texture that a constant sampler needs.
void simplify(llvm::Function& kernel, llvm::FunctionAnalysisManager& analyses) {
  llvm::FunctionPassManager passes;
  passes.addPass(llvm::SROAPass(llvm::SROAOptions::ModifyCFG));
  passes.addPass(llvm::EarlyCSEPass());
  passes.addPass(llvm::InstCombinePass());
  passes.addPass(llvm::SimplifyCFGPass());
  analyses.invalidate(kernel, passes.run(kernel, analyses));
}

/// A texture of an image that is an argument: where it is described.
struct Texture {
  llvm::Argument* image = nullptr;
  uint64_t offset = 0;
  bool operator==(const Texture&) const = default;
};

std::optional<Texture> textureOf(const llvm::CallInst& test) {
  const auto* load = llvm::dyn_cast<llvm::LoadInst>(test.getArgOperand(0));
  if (!load)
    return std::nullopt;
  const llvm::DataLayout& layout = test.getModule()->getDataLayout();
  llvm::APInt offset(layout.getIndexTypeSizeInBits(load->getPointerOperandType()), 0);
  const llvm::Value* base = load->getPointerOperand()->stripAndAccumulateConstantOffsets(
      layout, offset, /*AllowNonInbounds=*/true);
  const auto* image = llvm::dyn_cast<llvm::Argument>(base);
  bool mayBeFreed = false;
  if (!image || offset.getZExtValue() + sizeof(uint64_t) >
                    image->getPointerDereferenceableBytes(layout, mayBeFreed, mayBeFreed))
    return std::nullopt;
  return Texture{const_cast<llvm::Argument*>(image), offset.getZExtValue()};
}

/// Makes the second body of one kernel.
class FormMaker {
public:
  explicit FormMaker(llvm::Function& kernel) : kernel_(kernel) {}

  void run(llvm::ArrayRef<llvm::CallInst*> tests) {
    for (llvm::CallInst* test : tests)
      if (const auto texture = textureOf(*test)) {
        known_.push_back(test);
        if (!llvm::is_contained(textures_, *texture))
          textures_.push_back(*texture);
      }
    if (known_.empty())
      return;
    llvm::BasicBlock& entry = kernel_.getEntryBlock();
    llvm::BasicBlock* body =
        entry.splitBasicBlock(entry.getFirstNonPHIOrDbgOrAlloca(), "some.textures");
    llvm::BasicBlock* form = cloneBody();
    entry.getTerminator()->eraseFromParent();
    llvm::IRBuilder<> builder(&entry);
    builder.CreateCondBr(haveAll(builder), form, body);
  }

private:
  llvm::Value* haveAll(llvm::IRBuilder<>& builder) const {
    llvm::Value* all = builder.getTrue();
    for (const Texture& texture : textures_) {
      llvm::Value* place =
          builder.CreateConstGEP1_64(builder.getInt8Ty(), texture.image, texture.offset);
      llvm::LoadInst* handle =
          builder.CreateAlignedLoad(builder.getInt64Ty(), place, llvm::Align(sizeof(uint64_t)));
      handle->setMetadata(llvm::LLVMContext::MD_invariant_load,
                          llvm::MDNode::get(builder.getContext(), {}));
      all = builder.CreateAnd(all, builder.CreateIsNotNull(handle));
    }
    return all;
  }

  /// All blocks but the entry again, where every known test holds. Variables are shared, because
  /// only one of the two bodies runs.
  llvm::BasicBlock* cloneBody() {
    llvm::ValueToValueMapTy values;
    llvm::SmallVector<llvm::BasicBlock*> blocks, clones;
    for (llvm::BasicBlock& block : llvm::drop_begin(kernel_))
      blocks.push_back(&block);
    for (llvm::BasicBlock* block : blocks) {
      clones.push_back(llvm::CloneBasicBlock(block, values, ".textures", &kernel_));
      values[block] = clones.back();
    }
    llvm::remapInstructionsInBlocks(clones, values);
    for (const llvm::CallInst* test : known_) {
      auto* again = llvm::cast<llvm::CallInst>(values[test]);
      again->replaceAllUsesWith(llvm::ConstantInt::get(again->getType(), 1));
      again->eraseFromParent();
    }
    return clones.front();
  }

  llvm::Function& kernel_;
  llvm::SmallVector<const llvm::CallInst*> known_;
  llvm::SmallVector<Texture> textures_;
};

} // namespace

llvm::PreservedAnalyses TextureFormsPass::run(llvm::Module& module,
                                              llvm::ModuleAnalysisManager& analyses) {
  llvm::Function* const test = module.getFunction(names::hasTexture);
  if (!test)
    return llvm::PreservedAnalyses::all();
  auto& functions =
      analyses.getResult<llvm::FunctionAnalysisManagerModuleProxy>(module).getManager();
  for (llvm::Function& function : module)
    if (hasForms_ && isNvptxKernel(function) && !testsIn(function, *test).empty()) {
      simplify(function, functions);
      FormMaker(function).run(testsIn(function, *test));
    }
  for (llvm::User* user : llvm::make_early_inc_range(test->users())) {
    auto* call = llvm::cast<llvm::CallInst>(user);
    llvm::IRBuilder<> builder(call);
    call->replaceAllUsesWith(
        builder.CreateZExt(builder.CreateIsNotNull(call->getArgOperand(0)), call->getType()));
    call->eraseFromParent();
  }
  test->eraseFromParent();
  return llvm::PreservedAnalyses::none();
}

} // namespace quern::compiler
