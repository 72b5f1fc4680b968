#include "compiler/work_items/constant_candidates.h"

#include <array>

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Operator.h>

#include "abi/cpu_kernel.h"
#include "compiler/il/kernel_function.h"
#include "compiler/il/names.h"

namespace quern::compiler {
namespace {

constexpr unsigned maxCandidateDepth = 8;
constexpr unsigned maxArguments = 64;

class Candidates {
public:
  Candidates(llvm::Function& item, const llvm::LoopInfo& loops)
      : count_(std::min(kernelArgumentCount(item), maxArguments)),
        ids_({implicitArgument(item, ImplicitArgument::Item, 0),
              implicitArgument(item, ImplicitArgument::Item, 1),
              implicitArgument(item, ImplicitArgument::Item, 2)}),
        first_(implicitArgument(item, ImplicitArgument::First)),
        group_(implicitArgument(item, ImplicitArgument::Group)), loops_(loops) {
    seesOffset_ = readsOffset(*implicitArgument(item, ImplicitArgument::Launch));
    for (const llvm::Instruction& instruction : llvm::instructions(item))
      visit(instruction);
  }

  uint64_t divisors() const { return divisors_; }
  uint64_t small() const { return small_; }
  bool seesOffset() const { return seesOffset_; }

private:
  void visit(const llvm::Instruction& instruction) {
    if (takesPart(instruction) && isOfLaunch(instruction.getOperand(0))) {
      uint64_t arguments = 0;
      seesOffset_ |= isMadeOfArguments(instruction.getOperand(1), arguments, 0);
    }
    if (instruction.isIntDivRem()) {
      divisors_ |= argumentsOf(instruction.getOperand(1));
    } else if (instruction.getOpcode() == llvm::Instruction::Mul) {
      for (unsigned i : {0u, 1u})
        if (isOfId(instruction.getOperand(1 - i)))
          small_ |= argumentsOf(instruction.getOperand(i));
    } else if (const auto* comparison = llvm::dyn_cast<llvm::ICmpInst>(&instruction)) {
      for (unsigned i : {0u, 1u})
        if (hasCheapTripCount(*comparison, comparison->getOperand(1 - i)))
          small_ |= argumentsOf(comparison->getOperand(i)) |
                    startOf(*comparison, comparison->getOperand(1 - i));
    }
  }

  /// get_global_offset comes first in abi::LaunchInfo.
  static bool readsOffset(const llvm::Value& launch) {
    return llvm::any_of(launch.users(), [](const llvm::User* user) {
      if (llvm::isa<llvm::LoadInst>(user))
        return true;
      const auto* address = llvm::dyn_cast<llvm::GEPOperator>(user);
      const llvm::DataLayout* layout = nullptr;
      if (const auto* instruction = llvm::dyn_cast<llvm::Instruction>(user))
        layout = &instruction->getDataLayout();
      llvm::APInt offset(64, 0);
      return address && layout && address->accumulateConstantOffset(*layout, offset) &&
             offset.ult(sizeof(abi::LaunchInfo::globalOffset));
    });
  }

  /// Whether an operation makes a smaller number of an id, such as one of a row or a column.
  static bool takesPart(const llvm::Instruction& instruction) {
    switch (instruction.getOpcode()) {
    case llvm::Instruction::And:
    case llvm::Instruction::Xor:
    case llvm::Instruction::LShr:
    case llvm::Instruction::AShr:
      return true;
    default:
      return instruction.isIntDivRem();
    }
  }

  /// Whether `value` is made of an id of any dimension.
  bool isOfId(const llvm::Value* value) const {
    return llvm::any_of(ids_, [&](const llvm::Value* id) { return dependsOn(value, id); });
  }

  /// Whether `value` is an id of dimension 0 that counts through all work-groups.
  bool isOfLaunch(const llvm::Value* value) const {
    return dependsOn(value, ids_[0]) && (dependsOn(value, first_) || dependsOn(value, group_));
  }

  /// The arguments that `value` is made of, where it is made of nothing else but constants.
  uint64_t argumentsOf(const llvm::Value* value) const {
    uint64_t arguments = 0;
    return isMadeOfArguments(value, arguments, 0) ? arguments : 0;
  }

  bool isMadeOfArguments(const llvm::Value* value, uint64_t& arguments, unsigned depth) const {
    if (llvm::isa<llvm::Constant>(value))
      return true;
    if (const auto* argument = llvm::dyn_cast<llvm::Argument>(value)) {
      if (argument->getArgNo() >= count_ || !argument->getType()->isIntegerTy() ||
          argument->getType()->getIntegerBitWidth() > 64)
        return false;
      arguments |= uint64_t{1} << argument->getArgNo();
      return true;
    }
    const auto* instruction = llvm::dyn_cast<llvm::Instruction>(value);
    if (!instruction || depth > maxCandidateDepth)
      return false;
    const auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(instruction);
    const bool computes = instruction->isBinaryOp() || instruction->isCast() ||
                          llvm::isa<llvm::FreezeInst, llvm::SelectInst, llvm::ICmpInst>(value) ||
                          (call && llvm::isa<llvm::MinMaxIntrinsic>(call));
    if (!computes)
      return false;
    const auto operands = call ? llvm::make_range(call->arg_begin(), call->arg_end())
                               : llvm::make_range(instruction->op_begin(), instruction->op_end());
    return llvm::all_of(operands, [&](const llvm::Use& operand) {
      return isMadeOfArguments(operand, arguments, depth + 1);
    });
  }

  static bool dependsOn(const llvm::Value* value, const llvm::Value* on, unsigned depth = 0) {
    if (value == on)
      return true;
    const auto* instruction = llvm::dyn_cast<llvm::Instruction>(value);
    return instruction && depth <= maxCandidateDepth &&
           (instruction->isBinaryOp() || instruction->isCast()) &&
           llvm::any_of(instruction->operands(), [&](const llvm::Use& operand) {
             return dependsOn(operand, on, depth + 1);
           });
  }

  /// The phi at the head of the loop that `comparison` may leave, of which `value` is made.
  const llvm::PHINode* counterOf(const llvm::ICmpInst& comparison, const llvm::Value* value) const {
    const llvm::Loop* loop = loops_.getLoopFor(comparison.getParent());
    for (unsigned depth = 0; loop && depth < maxCandidateDepth; ++depth) {
      const auto* instruction = llvm::dyn_cast<llvm::Instruction>(value);
      if (!instruction)
        return nullptr;
      if (const auto* phi = llvm::dyn_cast<llvm::PHINode>(instruction))
        return phi->getParent() == loop->getHeader() ? phi : nullptr;
      const bool steps =
          instruction->isCast() ||
          (instruction->isBinaryOp() && llvm::isa<llvm::ConstantInt>(instruction->getOperand(1)));
      if (!steps)
        return nullptr;
      value = instruction->getOperand(0);
    }
    return nullptr;
  }

  bool hasCheapTripCount(const llvm::ICmpInst& comparison, const llvm::Value* value) const {
    const llvm::Loop* loop = loops_.getLoopFor(comparison.getParent());
    const bool leaves =
        loop && llvm::any_of(comparison.users(), [&](const llvm::User* user) {
          const auto* branch = llvm::dyn_cast<llvm::BranchInst>(user);
          return branch && loop->contains(branch) && loop->isLoopExiting(branch->getParent());
        });
    const llvm::PHINode* counter = leaves ? counterOf(comparison, value) : nullptr;
    const llvm::Value* start = counter ? startValue(*counter, *loop) : nullptr;
    uint64_t arguments = 0;
    return start && isMadeOfArguments(start, arguments, 0);
  }

  uint64_t startOf(const llvm::ICmpInst& comparison, const llvm::Value* value) const {
    const llvm::PHINode* counter = counterOf(comparison, value);
    return argumentsOf(startValue(*counter, *loops_.getLoopFor(comparison.getParent())));
  }

  static const llvm::Value* startValue(const llvm::PHINode& counter, const llvm::Loop& loop) {
    const llvm::BasicBlock* before = loop.getLoopPredecessor();
    return before ? counter.getIncomingValueForBlock(before) : nullptr;
  }

  const unsigned count_;
  const std::array<const llvm::Value*, 3> ids_;
  const llvm::Value *first_, *group_; ///< of dimension 0
  const llvm::LoopInfo& loops_;
  uint64_t divisors_ = 0, small_ = 0;
  bool seesOffset_ = false;
};

} // namespace

llvm::PreservedAnalyses ConstantCandidatesPass::run(llvm::Function& function,
                                                    llvm::FunctionAnalysisManager& analyses) {
  if (!function.hasFnAttribute(names::kernelAttribute))
    return llvm::PreservedAnalyses::all();
  const Candidates candidates(function, analyses.getResult<llvm::LoopAnalysis>(function));
  if (candidates.divisors() != 0)
    setNumberAttribute(function, names::divisorArgumentsAttribute, candidates.divisors());
  if (candidates.small() != 0)
    setNumberAttribute(function, names::smallArgumentsAttribute, candidates.small());
  if (candidates.seesOffset())
    function.addFnAttr(names::seesOffsetAttribute);
  return llvm::PreservedAnalyses::all();
}

} // namespace quern::compiler
