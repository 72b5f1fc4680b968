#include "compiler/checks/own_elements.h"

#include <optional>

#include <llvm/ADT/MapVector.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Operator.h>
#include <llvm/IR/PatternMatch.h>

#include "abi/checked_launch.h"
#include "compiler/checks/fault.h"
#include "compiler/checks/launch_bits.h"
#include "compiler/il/kernel_function.h"
#include "compiler/il/names.h"

namespace quern::compiler {
namespace {

namespace match = llvm::PatternMatch;

/// Of a call of abi::checkAccessSymbol.
constexpr unsigned addressOperand = 2, bitsOperand = 4;

/// What is known of the accesses of one argument.
struct Use {
  llvm::SmallVector<llvm::CallInst*> calls;
  uint64_t stride = 0; ///< bytes from one work-item's element to the next one's
  bool isOwn = true;
};

class OwnElements {
public:
  explicit OwnElements(llvm::Function& body) : body_(body) {
    for (llvm::Instruction& instruction : llvm::instructions(body))
      if (auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction);
          call && call->getCalledFunction() &&
          call->getCalledFunction()->getName() == llvm::StringRef(abi::checkAccessSymbol))
        note(*call);
  }

  bool guard() {
    if (isAnywhere_)
      return false;
    bool anyGuarded = false;
    for (auto& [argument, use] : uses_) {
      if (!use.isOwn || argument >= abi::overlapBits)
        continue;
      llvm::Value* mayMeet =
          launchBit(body_, offsetof(abi::CheckedLaunchInfo, sharedElements), argument);
      for (llvm::CallInst* call : use.calls)
        call->moveBefore(branchBefore(*call, mayMeet).getIterator());
      anyGuarded = true;
    }
    return anyGuarded;
  }

private:
  void note(llvm::CallInst& call) {
    const auto* bits = llvm::dyn_cast<llvm::ConstantInt>(call.getArgOperand(bitsOperand));
    if (bits && (bits->getZExtValue() & abi::checkedLocal) != 0)
      return;
    llvm::Value* pointer = nullptr;
    if (!match::match(call.getArgOperand(addressOperand),
                      match::m_PtrToInt(match::m_Value(pointer)))) {
      isAnywhere_ = true;
      return;
    }
    const llvm::Value* root = llvm::getUnderlyingObject(pointer, /*MaxLookup=*/0);
    if (llvm::isa<llvm::GlobalVariable>(root))
      return;
    const auto* argument = llvm::dyn_cast<llvm::Argument>(root);
    if (!argument || argument->getArgNo() >= kernelArgumentCount(body_)) {
      isAnywhere_ = true;
      return;
    }
    Use& use = uses_[argument->getArgNo()];
    use.calls.push_back(&call);
    const std::optional<uint64_t> stride =
        bits ? strideOf(*pointer, bits->getZExtValue() & UINT32_MAX) : std::nullopt;
    use.isOwn = use.isOwn && stride && (use.stride == 0 || use.stride == *stride);
    use.stride = stride.value_or(0);
  }

  /// From one work-item's element to the next one's, where `bytes` at `pointer` lie in its own.
  std::optional<uint64_t> strideOf(llvm::Value& pointer, uint64_t bytes) const {
    const llvm::DataLayout& layout = body_.getDataLayout();
    const unsigned width = layout.getIndexTypeSizeInBits(pointer.getType());
    llvm::SmallMapVector<llvm::Value*, llvm::APInt, 4> variable;
    llvm::APInt constant(width, 0);
    for (llvm::Value* place = &pointer; !llvm::isa<llvm::Argument>(place);) {
      auto* address = llvm::dyn_cast<llvm::GEPOperator>(place);
      if (!address || !address->collectOffset(layout, width, variable, constant))
        return std::nullopt;
      place = address->getPointerOperand();
    }
    if (variable.size() != 1 || !isGlobalId(*variable.front().first))
      return std::nullopt;
    const llvm::APInt& stride = variable.front().second;
    if (!stride.isStrictlyPositive() || constant.isNegative() ||
        constant.getZExtValue() + bytes > stride.getZExtValue())
      return std::nullopt;
    return stride.getZExtValue();
  }

  /// The work-item's global id in dimension 0, or that as an int, which is the same in launches
  /// with one row (abi::CheckedLaunchInfo::sharedElements).
  bool isGlobalId(llvm::Value& value) const {
    constexpr unsigned half = 32;
    // A pattern that does not match may have set its value all the same.
    llvm::Value* whole = nullptr;
    const auto isWholeInt = [&] { return whole->getType()->isIntegerTy(half); };
    const bool isInt =
        (match::match(&value, match::m_ZExtOrSExt(match::m_Value(whole))) && isWholeInt() &&
         match::match(whole, match::m_Trunc(match::m_Value(whole)))) ||
        match::match(&value,
                     match::m_AShr(match::m_Shl(match::m_Value(whole), match::m_SpecificInt(half)),
                                   match::m_SpecificInt(half))) ||
        match::match(&value, match::m_And(match::m_Value(whole), match::m_SpecificInt(UINT32_MAX)));
    llvm::Value* id = isInt ? whole : &value;
    return match::match(
        id, match::m_c_Add(match::m_Specific(implicitArgument(body_, ImplicitArgument::First)),
                           match::m_Specific(implicitArgument(body_, ImplicitArgument::Item))));
  }

  llvm::Function& body_;
  llvm::SmallMapVector<unsigned, Use, 8> uses_;
  bool isAnywhere_ = false; ///< an access of what is not known
};

} // namespace

llvm::PreservedAnalyses OwnElementsPass::run(llvm::Function& function,
                                             llvm::FunctionAnalysisManager&) {
  if (!function.hasFnAttribute(names::argumentsAttribute) || !OwnElements(function).guard())
    return llvm::PreservedAnalyses::all();
  return llvm::PreservedAnalyses::none();
}

} // namespace quern::compiler
