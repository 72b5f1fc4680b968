#include "compiler/passes/properties.h"

#include <iterator>

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/Transforms/Utils/PromoteMemToReg.h>

#include "compiler/il/address_space.h"
#include "compiler/il/boundary.h"
#include "compiler/il/kernel_function.h"
#include "compiler/il/names.h"
#include "compiler/il/opaque_types.h"
#include "compiler/il/work_item_functions.h"
#include "compiler/target/nvptx/kernels.h"
#include "compiler/work_items/sub_group_forms.h"

namespace quern::compiler {
namespace {

using llvm::Function;
using llvm::Instruction;

std::string textOf(const llvm::Value& value) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  value.print(stream);
  return text.substr(std::min(text.find_first_not_of(' '), text.size()));
}

/// The first instruction of `function` for which `isWrong` holds, as a reason.
template <typename Predicate> std::string firstWith(Function& function, Predicate isWrong) {
  for (Instruction& instruction : llvm::instructions(function))
    if (isWrong(instruction))
      return "it has \"" + textOf(instruction) + "\"";
  return {};
}

bool isRegion(const Function& function) {
  return function.hasFnAttribute(names::regionAttribute);
}

bool isBody(const Function& function) {
  return function.hasFnAttribute(names::kernelAttribute) &&
         function.hasFnAttribute(names::argumentsAttribute) && !isRegion(function);
}

llvm::StringRef calledName(const Instruction& instruction) {
  const auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction);
  const Function* callee = call ? call->getCalledFunction() : nullptr;
  return callee ? callee->getName() : llvm::StringRef();
}

std::string frontEnd(Function& function) {
  const llvm::Triple& triple = function.getParent()->getTargetTriple();
  return triple.isX86() || triple.isNVPTX() ? "the module is for " + triple.str() : std::string();
}

/// Clang knows of no division but that of a difference of pointers that it leaves no remainder.
std::string nothingAssumed(Function& function) {
  return firstWith(function, [](const Instruction& instruction) {
    return instruction.isIntDivRem() && llvm::isa<llvm::PossiblyExactOperator>(instruction) &&
           instruction.isExact() && !llvm::isa<llvm::Constant>(instruction.getOperand(1));
  });
}

std::string safeDivisions(Function& function) {
  return firstWith(function, [](const Instruction& instruction) {
    return instruction.isIntDivRem() &&
           !llvm::isa<llvm::Constant, llvm::SelectInst>(instruction.getOperand(1));
  });
}

std::string opaqueTypesLowered(Function& function) {
  const auto isOpaque = [](const llvm::Type* type) { return loweredOpaqueType(type) != nullptr; };
  if (llvm::any_of(function.getFunctionType()->params(), isOpaque))
    return "it has a parameter of an opaque type of OpenCL C";
  return firstWith(function,
                   [&](const Instruction& instruction) { return isOpaque(instruction.getType()); });
}

std::string kernelsPrepared(Function& function) {
  if (function.getCallingConv() == llvm::CallingConv::SPIR_KERNEL)
    return "it has the calling convention of the front end's kernels";
  const std::string body = (names::clangKernelBody + function.getName()).str();
  return firstWith(function,
                   [&](const Instruction& instruction) { return calledName(instruction) == body; });
}

std::string calleesInlined(Function& function) {
  return firstWith(function, [](const Instruction& instruction) {
    const auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction);
    const Function* callee = call ? call->getCalledFunction() : nullptr;
    return callee && !callee->isDeclaration() &&
           callee->hasFnAttribute(llvm::Attribute::AlwaysInline);
  });
}

std::string workItemBodies(Function& function) {
  if (!function.hasFnAttribute(names::kernelAttribute))
    return {};
  if (!isBody(function) && !isRegion(function) && !function.hasExternalLinkage())
    return "it has no implicit arguments";
  return firstWith(function, [](const Instruction& instruction) {
    const llvm::StringRef name = calledName(instruction);
    return isBarrier(name) || (workItemFunction(name) && !isSubGroupPlace(instruction));
  });
}

std::string localMemoryPlaced(Function& function) {
  if (!function.hasFnAttribute(names::kernelAttribute))
    return {};
  return firstWith(function, [](const Instruction& instruction) {
    return llvm::any_of(instruction.operands(), [](const llvm::Use& operand) {
      const auto* variable = llvm::dyn_cast<llvm::GlobalVariable>(operand);
      return variable && variable->getAddressSpace() == address_space::local;
    });
  });
}

std::string variablesAreValues(Function& function) {
  return firstWith(function, [](const Instruction& instruction) {
    const auto* variable = llvm::dyn_cast<llvm::AllocaInst>(&instruction);
    return variable && llvm::isAllocaPromotable(variable) &&
           llvm::any_of(variable->users(), llvm::IsaPred<llvm::LoadInst>);
  });
}

std::string notShown(Function&) {
  return {};
}

std::string subGroupsPlaced(Function& function) {
  return firstWith(function, isSubGroupPlace);
}

std::string barriersIsolated(Function& function) {
  if (!isBody(function))
    return {};
  return firstWith(function, [](const Instruction& instruction) {
    if (!boundaryOf(instruction))
      return false;
    const llvm::BasicBlock& block = *instruction.getParent();
    const llvm::BasicBlock* next = block.getSingleSuccessor();
    return &instruction != &block.front() || instruction.getNextNode() != block.getTerminator() ||
           !next || !next->getSinglePredecessor();
  });
}

std::string regionsFormed(Function& function) {
  if (isBody(function))
    return "it is not cut into regions";
  return firstWith(
      function, [](const Instruction& instruction) { return boundaryOf(instruction).has_value(); });
}

std::string entriesMade(Function& function) {
  return isBody(function) || isRegion(function) ? "it runs one work-item" : std::string();
}

std::string loopsSimplified(Function& function) {
  const llvm::DominatorTree dominators(function);
  const llvm::LoopInfo loops(dominators);
  for (const llvm::Loop* loop : loops.getLoopsInPreorder())
    if (!loop->isLoopSimplifyForm() && loop->getHeader()->getTerminator()->getNumSuccessors() <= 2)
      return "the loop at '" + loop->getHeader()->getName().str() + "' is not in that form";
  return {};
}

std::string loopsClosed(Function& function) {
  const llvm::DominatorTree dominators(function);
  const llvm::LoopInfo loops(dominators);
  for (const llvm::Loop* loop : loops)
    if (!loop->isRecursivelyLCSSAForm(dominators, loops))
      return "a value of the loop at '" + loop->getHeader()->getName().str() +
             "' is used outside of it";
  return {};
}

/// Of one processor's own instructions those that are not made before the end.
std::string openToOptimization(Function& function) {
  return firstWith(function, [](const Instruction& instruction) {
    const llvm::StringRef name = calledName(instruction);
    return name.starts_with("llvm.x86.sse.ldmxcsr") ||
           name.starts_with("llvm.x86.avx512.rsqrt14") ||
           name.starts_with("llvm.x86.avx512.mask.scalef") ||
           name.starts_with("llvm.nvvm.griddepcontrol");
  });
}

std::string nvptxAddressSpaces(Function& function) {
  const auto isGeneric = [](const llvm::Type* type) {
    return type->isPointerTy() && type->getPointerAddressSpace() == address_space::generic;
  };
  if (llvm::any_of(function.getFunctionType()->params(), isGeneric))
    return "it has a parameter in the front end's generic address space";
  return firstWith(
      function, [&](const Instruction& instruction) { return isGeneric(instruction.getType()); });
}

std::string nvptxKernels(Function& function) {
  return function.hasFnAttribute(names::kernelAttribute) && !isNvptxKernel(function)
             ? "it has no parameter for the launch"
             : std::string();
}

struct Row {
  llvm::StringRef name;
  std::string (*whyNot)(Function&);
  bool isShownOnlyWhenSet = false;
};

constexpr Row rows[] = {
    {"as-front-end-made", frontEnd},
    {"nothing-assumed", nothingAssumed},
    {"safe-divisions", safeDivisions},
    {"opaque-types-lowered", opaqueTypesLowered},
    {"kernels-prepared", kernelsPrepared},
    {"callees-inlined", calleesInlined},
    {"work-item-bodies", workItemBodies},
    {"local-memory-placed", localMemoryPlaced},
    {"variables-are-values", variablesAreValues, /*isShownOnlyWhenSet=*/true},
    {"not-combined", notShown},
    {"address-spaces-inferred", notShown},
    {"sub-groups-placed", subGroupsPlaced},
    {"barriers-isolated", barriersIsolated},
    {"regions-formed", regionsFormed},
    {"entries-made", entriesMade},
    {"loops-simplified", loopsSimplified},
    {"loops-closed", loopsClosed},
    {"open-to-optimization", openToOptimization},
    {"nvptx-address-spaces", nvptxAddressSpaces},
    {"nvptx-kernels", nvptxKernels},
};
static_assert(std::size(rows) == propertyCount);

} // namespace

llvm::StringRef nameOf(Property property) {
  return rows[static_cast<unsigned>(property)].name;
}

std::string whyNot(Property property, Function& function) {
  return rows[static_cast<unsigned>(property)].whyNot(function);
}

bool isShownOnlyWhenSet(Property property) {
  return rows[static_cast<unsigned>(property)].isShownOnlyWhenSet;
}

} // namespace quern::compiler
