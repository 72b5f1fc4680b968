#include "compiler/target/x86/masked_shuffles.h"

#include <numeric>
#include <vector>

#include <llvm/ADT/SmallVectorExtras.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>

#include "compiler/codegen/machine.h"
#include "compiler/il/preserved_analyses.h"
#include "compiler/target/x86/registers.h"

namespace quern::compiler {
namespace {

using llvm::Value;

bool isChosenBy(const Value& value, const Value* mask) {
  return llvm::any_of(value.users(), [&](const llvm::User* user) {
    const auto* choice = llvm::dyn_cast<llvm::SelectInst>(user);
    return (choice && choice->getCondition() == mask) ||
           (llvm::isa<llvm::BitCastInst>(user) && isChosenBy(*user, mask));
  });
}

/// Whether a shuffle of what was loaded, of which LLVM makes truncations, too, is chosen by `mask`.
bool isShuffled(const Value& loaded, const Value* mask) {
  return llvm::any_of(loaded.users(), [&](const llvm::User* user) {
    if (llvm::isa<llvm::BitCastInst>(user))
      return isShuffled(*user, mask);
    return llvm::isa<llvm::ShuffleVectorInst, llvm::TruncInst>(user) && isChosenBy(*user, mask);
  });
}

class Hiding {
public:
  explicit Hiding(llvm::Instruction* before) : builder_(before) {}

  /// The same vector.
  Value* hide(Value* vector) {
    auto* type = llvm::cast<llvm::FixedVectorType>(vector->getType());
    const auto bits = static_cast<unsigned>(type->getPrimitiveSizeInBits().getFixedValue());
    if (bits > mostRegisterBits)
      return hideHalves(vector, type->getNumElements() / 2);
    if (bits < leastRegisterBits)
      return hideShort(vector, bits);
    return builder_.CreateBitCast(
        hideRegister(builder_.CreateBitCast(
            vector, llvm::FixedVectorType::get(builder_.getInt32Ty(), bits / 32))),
        type);
  }

private:
  Value* hideRegister(Value* vector) {
    llvm::Type* type = vector->getType();
    return builder_.CreateCall(llvm::InlineAsm::get(llvm::FunctionType::get(type, {type}, false),
                                                    "", "=v,0",
                                                    /*hasSideEffects=*/false),
                               {vector});
  }

  Value* hideShort(Value* vector, unsigned bits) {
    llvm::Type* number = builder_.getIntNTy(bits);
    llvm::Type* type = llvm::FixedVectorType::get(number, leastRegisterBits / bits);
    Value* wide = builder_.CreateInsertElement(llvm::PoisonValue::get(type),
                                               builder_.CreateBitCast(vector, number), uint64_t{0});
    Value* hidden = builder_.CreateExtractElement(hideRegister(wide), uint64_t{0});
    return builder_.CreateBitCast(hidden, vector->getType());
  }

  Value* hideHalves(Value* vector, unsigned lanes) {
    std::vector<int> places(2 * lanes);
    std::iota(places.begin(), places.end(), 0);
    const llvm::ArrayRef<int> all(places);
    Value* low = builder_.CreateShuffleVector(vector, all.take_front(lanes));
    Value* high = builder_.CreateShuffleVector(vector, all.take_back(lanes));
    return builder_.CreateShuffleVector(hide(low), hide(high), all);
  }

  llvm::IRBuilder<> builder_;
};

/// Whether it is a vector of numbers, of a power of two in bits.
bool canHide(const llvm::Type* type) {
  return !type->getScalarType()->isPointerTy() &&
         llvm::isPowerOf2_64(type->getPrimitiveSizeInBits().getFixedValue());
}

} // namespace

MaskedShufflesPass::MaskedShufflesPass(const PassSettings& settings)
    : hasMasks_(hasFeature(settings.machine, "avx512f")) {}

llvm::PreservedAnalyses MaskedShufflesPass::run(llvm::Function& function,
                                                llvm::FunctionAnalysisManager&) {
  std::vector<llvm::IntrinsicInst*> loads;
  if (hasMasks_)
    for (llvm::Instruction& instruction : llvm::instructions(function))
      if (auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
          call && call->getIntrinsicID() == llvm::Intrinsic::masked_load &&
          canHide(call->getType()) && isShuffled(*call, call->getArgOperand(1)))
        loads.push_back(call);
  for (llvm::IntrinsicInst* load : loads) {
    const auto uses = llvm::map_to_vector(load->uses(), [](llvm::Use& use) { return &use; });
    Value* hidden = Hiding(load->getNextNode()).hide(load);
    for (llvm::Use* use : uses)
      use->set(hidden);
  }
  return preservedWithCfg(!loads.empty());
}

} // namespace quern::compiler
