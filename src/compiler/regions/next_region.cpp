#include "compiler/regions/next_region.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>

#include "compiler/il/kernel_function.h"
#include "compiler/il/names.h"
#include "compiler/il/region_function.h"

namespace quern::compiler {
namespace {

using llvm::BasicBlock;
using llvm::Value;

class NextRegion {
public:
  explicit NextRegion(llvm::Function& region)
      : region_(region), number_(numberAttribute(region, names::regionAttribute)),
        builder_(region.getContext()) {}

  void keep() {
    builder_.SetInsertPoint(startOf(region_));
    Value* slot = this->slot();
    BasicBlock* leaving = newBlock("leave");
    done_ = newBlock("done");
    leaveBy(*leaving, slot);
    if (number_ != 0)
      waitForIt(slot);
    builder_.SetInsertPoint(done_);
    builder_.CreateRet(builder_.getInt32(0));
  }

private:
  BasicBlock* newBlock(const char* name) {
    return BasicBlock::Create(region_.getContext(), name, &region_);
  }

  Value* slot() {
    Value* start = builder_.CreateNUWAdd(
        builder_.CreateNUWMul(
            regionParameter(region_, RegionParameter::Items),
            builder_.getInt64(numberAttribute(region_, names::nextRegionOffsetAttribute))),
        builder_.getInt64(numberAttribute(region_, names::contextUniformBytesAttribute)));
    Value* array = builder_.CreateInBoundsGEP(
        builder_.getInt8Ty(), regionParameter(region_, RegionParameter::Context), start);
    return builder_.CreateInBoundsGEP(builder_.getInt32Ty(), array,
                                      regionParameter(region_, RegionParameter::ItemIndex),
                                      "next.slot");
  }

  /// Each work-item has its own slot.
  void markIndependent(llvm::Instruction* access) {
    access->setMetadata(llvm::LLVMContext::MD_access_group,
                        region_.getMetadata(names::accessGroupMetadata));
  }

  /// Instead of returning the number of the next region. New blocks have no end yet.
  void leaveBy(BasicBlock& leaving, Value* slot) {
    llvm::SmallVector<llvm::ReturnInst*> ends;
    for (BasicBlock& block : region_)
      if (auto* end = llvm::dyn_cast_if_present<llvm::ReturnInst>(block.getTerminator()))
        ends.push_back(end);
    builder_.SetInsertPoint(&leaving);
    llvm::PHINode* next = builder_.CreatePHI(builder_.getInt32Ty(), ends.size(), "next");
    for (llvm::ReturnInst* end : ends) {
      const uint64_t number = llvm::cast<llvm::ConstantInt>(end->getReturnValue())->getZExtValue();
      const bool isThere = number_ == 0 && number == 0;
      if (!isThere)
        next->addIncoming(builder_.getInt32(static_cast<uint32_t>(number) - 1), end->getParent());
      llvm::BranchInst::Create(isThere ? done_ : &leaving, end->getIterator());
      end->eraseFromParent();
    }
    if (next->getNumIncomingValues() == 0) {
      leaving.eraseFromParent();
      return;
    }
    markIndependent(builder_.CreateAlignedStore(next, slot, llvm::Align(4)));
    builder_.CreateBr(done_);
  }

  void waitForIt(Value* slot) {
    auto* start = llvm::cast<llvm::Instruction>(slot)->getParent();
    BasicBlock* rest = start->splitBasicBlock(
        std::next(llvm::cast<llvm::Instruction>(slot)->getIterator()), "waiting");
    start->getTerminator()->eraseFromParent();
    builder_.SetInsertPoint(start);
    llvm::LoadInst* next = builder_.CreateAlignedLoad(builder_.getInt32Ty(), slot, llvm::Align(4));
    markIndependent(next);
    next->setMetadata(names::nextRegionMetadata, llvm::MDNode::get(region_.getContext(), {}));
    builder_.CreateCondBr(
        builder_.CreateICmpEQ(next, builder_.getInt32(static_cast<uint32_t>(number_) - 1), "waits"),
        rest, done_);
  }

  llvm::Function& region_;
  uint64_t number_;
  llvm::IRBuilder<> builder_;
  BasicBlock* done_ = nullptr;
};

} // namespace

void keepNextRegion(llvm::Function& region) {
  NextRegion(region).keep();
}

} // namespace quern::compiler
