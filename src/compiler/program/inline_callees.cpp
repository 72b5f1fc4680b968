#include "compiler/program/inline_callees.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/DenseSet.h>
#include <llvm/ADT/SCCIterator.h>
#include <llvm/Analysis/CFG.h>
#include <llvm/Analysis/CallGraph.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/MathExtras.h>

#include "compiler/checks/wanted_checks.h"
#include "compiler/il/address_space.h"
#include "compiler/il/kernel_function.h"
#include "compiler/il/names.h"
#include "compiler/il/work_item_functions.h"
#include "compiler/packets/preparation.h"

namespace quern::compiler {
namespace {

/// Kernels that have no more instructions with everything inlined are made of one piece, as far as
/// that makes their code better: at most half of them are left for packets. In larger ones, what is
/// large and called often is called.
constexpr uint64_t maxPieceInstructions = 2 * maxPacketInstructions;
/// Product of size and number of calls up to which a function is inlined anywhere. Sizes include
/// what is inlined into the function itself.
constexpr uint64_t maxInlinedInstructions = 4000;
/// The same for later steps, which look at one call after the other. Not on GPUs, where there is no
/// loop over work-items, and calls take long.
constexpr uint64_t maxLaterInlinedInstructions = 30'000;
/// A call takes about as much code.
constexpr uint64_t callInstructions = 20;
/// A loop takes the compiler about as long.
constexpr uint64_t loopInstructions = 64;
/// Inlining more than this into one function would make the compiler slow without bound.
constexpr uint64_t maxNeededInstructions = 300'000;
/// Private variables of a called function beyond this size must not stay on the thread's stack.
constexpr uint64_t largePrivateBytes = 1024;

/// What work-items do together: at these places kernels are cut into regions.
bool isMeeting(const llvm::Function& function) {
  const llvm::StringRef name = function.getName();
  return function.isDeclaration() && (isBarrier(name) || isSubGroupBarrier(name) ||
                                      name.starts_with(names::groupCollectivePrefix) ||
                                      name.starts_with(names::subGroupCollectivePrefix));
}

bool isOfWorkItem(const llvm::Function& function) {
  const llvm::StringRef name = function.getName();
  return function.isDeclaration() &&
         (workItemFunction(name) || name == names::printf || name == names::addressSpaceOf);
}

bool takesPrivatePointer(const llvm::Function& function) {
  for (const llvm::Argument& argument : function.args())
    if (auto* pointer = llvm::dyn_cast<llvm::PointerType>(argument.getType()))
      if (pointer->getAddressSpace() == address_space::privateMemory ||
          pointer->getAddressSpace() == address_space::generic)
        return true;
  return false;
}

bool hasLargeVariables(const llvm::Function& function) {
  const llvm::DataLayout& layout = function.getDataLayout();
  uint64_t bytes = 0;
  for (const llvm::Instruction& instruction : llvm::instructions(function))
    if (const auto* variable = llvm::dyn_cast<llvm::AllocaInst>(&instruction))
      bytes +=
          variable->getAllocationSize(layout).value_or(llvm::TypeSize::getFixed(0)).getFixedValue();
  return bytes > largePrivateBytes;
}

/// Functions that name a local variable, also within constant expressions.
void addUsersOf(const llvm::Value& value, llvm::DenseSet<const llvm::Function*>& functions) {
  for (const llvm::User* user : value.users()) {
    if (const auto* instruction = llvm::dyn_cast<llvm::Instruction>(user))
      functions.insert(instruction->getFunction());
    else
      addUsersOf(*user, functions);
  }
}

llvm::DenseSet<const llvm::Function*> usersOfLocalVariables(const llvm::Module& module) {
  llvm::DenseSet<const llvm::Function*> functions;
  for (const llvm::GlobalVariable& variable : module.globals())
    if (variable.getAddressSpace() == address_space::local)
      addUsersOf(variable, functions);
  return functions;
}

bool callsItself(const std::vector<llvm::CallGraphNode*>& component) {
  if (component.size() > 1)
    return true;
  for (const auto& [call, callee] : *component.front())
    if (callee == component.front())
      return true;
  return false;
}

using Sizes = llvm::DenseMap<const llvm::Function*, uint64_t>;

/// `size` of a function with those of the callees that `sizes` has.
uint64_t withCallees(uint64_t size, const llvm::CallGraphNode& node, const Sizes& sizes) {
  for (const auto& [call, callee] : node)
    size = llvm::SaturatingAdd(size, sizes.lookup(callee->getFunction()));
  return size;
}

uint64_t sizeWith(const llvm::Function& function, const llvm::CallGraphNode& node,
                  const Sizes& sizes) {
  return withCallees(function.getInstructionCount(), node, sizes);
}

/// Instructions that are left once variables are values, and what loops are to the compiler: all of
/// them lie within the loop over work-items, where to change one is to look at all again.
uint64_t lastingInstructions(const llvm::Function& function) {
  llvm::SmallVector<std::pair<const llvm::BasicBlock*, const llvm::BasicBlock*>> backedges;
  llvm::FindFunctionBackedges(function, backedges);
  return backedges.size() * loopInstructions +
         static_cast<uint64_t>(
             llvm::count_if(llvm::instructions(function), [](const llvm::Instruction& instruction) {
               return !llvm::isa<llvm::AllocaInst>(instruction) &&
                      !instruction.isDebugOrPseudoInst() &&
                      !llvm::isa_and_nonnull<llvm::AllocaInst>(
                          llvm::getLoadStorePointerOperand(&instruction));
             }));
}

/// Whether a function is but a few operations of which indices are made, as a conversion or mul24:
/// what a call makes is not seen to be affine.
bool isIndexStep(const llvm::Function& function) {
  constexpr unsigned mostInstructions = 8;
  return function.size() == 1 && function.getInstructionCount() <= mostInstructions &&
         llvm::all_of(llvm::instructions(function), [](const llvm::Instruction& instruction) {
           return llvm::isa<llvm::ReturnInst>(instruction) ||
                  (instruction.getType()->isIntOrIntVectorTy() &&
                   llvm::isa<llvm::BinaryOperator, llvm::CastInst>(instruction));
         });
}

/// Finds the functions that are parts of kernels too large to be of one piece.
class LargeKernels {
public:
  explicit LargeKernels(llvm::CallGraph& graph) {
    for (auto component = llvm::scc_begin(&graph); !component.isAtEnd(); ++component)
      for (llvm::CallGraphNode* node : *component)
        if (const llvm::Function* function = node->getFunction();
            function && !function->isDeclaration())
          sizes_[function] = withCallees(lastingInstructions(*function), *node, sizes_);
    for (auto& [function, node] : graph)
      if (function && function->hasFnAttribute(names::kernelAttribute) &&
          sizes_.lookup(function) > maxPieceInstructions)
        addParts(*node);
  }

  bool have(const llvm::Function& function) const { return parts_.contains(&function); }

private:
  void addParts(const llvm::CallGraphNode& node) {
    for (const auto& [call, callee] : node)
      if (parts_.insert(callee->getFunction()).second)
        addParts(*callee);
  }

  Sizes sizes_;
  llvm::DenseSet<const llvm::Function*> parts_;
};

/// Decides for one strongly connected component of the call graph after another, callees first.
class Marker {
public:
  Marker(llvm::Module& module, llvm::CallGraph& graph, bool marksLeast, bool marksProgram)
      : marksLeast_(marksLeast), marksProgram_(marksProgram),
        localUsers_(usersOfLocalVariables(module)), largeKernels_(graph) {}

  void mark(const std::vector<llvm::CallGraphNode*>& component) {
    const bool isRecursive = callsItself(component);
    for (llvm::CallGraphNode* node : component) {
      llvm::Function* function = node->getFunction();
      if (!function || function->isDeclaration())
        continue;
      if (isRecursive)
        markRecursive(*function, *node);
      else
        mark(*function, *node);
    }
  }

private:
  /// OpenCL C does not allow recursion, but there are programs with it, and a called function may
  /// well call itself.
  void markRecursive(llvm::Function& function, const llvm::CallGraphNode& node) {
    const std::string itself = describeFunction(function) + " calls itself, which ";
    if (const llvm::Function* meeting = meetingIn(node)) {
      neededSizes_[&function] = 0; // so that its callers in the component are told, too
      return function.getContext().emitError(
          itself + "it cannot do because work-items meet in the " + describeFunction(*meeting));
    }
    if (function.hasFnAttribute(names::kernelAttribute) ||
        function.getParent()->getTargetTriple().isNVPTX())
      return function.getContext().emitError(itself + "OpenCL C does not allow");
    function.removeFnAttr(llvm::Attribute::AlwaysInline);
    function.addFnAttr(llvm::Attribute::NoInline);
  }

  void mark(llvm::Function& function, const llvm::CallGraphNode& node) {
    const uint64_t size = sizeWith(function, node, inlinedSizes_);
    if (const llvm::Function* meeting = meetingIn(node)) {
      const uint64_t needed = sizeWith(function, node, neededSizes_);
      if (needed - function.getInstructionCount() > maxNeededInstructions)
        return reportTooLarge(function, *meeting);
      neededSizes_[&function] = needed;
    }
    if (function.hasFnAttribute(names::kernelAttribute))
      return;
    function.removeFnAttr(llvm::Attribute::AlwaysInline);
    const bool isBetterInlined = gainsFromInlining(function, node);
    if (isBetterInlined)
      better_.insert(&function);
    if (neededSizes_.contains(&function) || isWorthwhile(function, size, isBetterInlined)) {
      function.removeFnAttr(llvm::Attribute::NoInline);
      function.addFnAttr(llvm::Attribute::AlwaysInline);
      inlinedSizes_[&function] = size;
    } else if (function.hasFnAttribute(names::programAttribute) &&
               (marksLeast_ || (size * function.getNumUses() > maxLaterInlinedInstructions &&
                                !function.getParent()->getTargetTriple().isNVPTX()))) {
      function.addFnAttr(llvm::Attribute::NoInline);
    }
  }

  /// What makes `function` a part of its callers: it cannot stay a function where work-items meet.
  const llvm::Function* meetingIn(const llvm::CallGraphNode& node) const {
    for (const auto& [call, callee] : node)
      if (const llvm::Function* called = callee->getFunction();
          called && (isMeeting(*called) || neededSizes_.contains(called)))
        return called;
    return nullptr;
  }

  static void reportTooLarge(llvm::Function& function, const llvm::Function& callee) {
    function.getContext().emitError(
        describeFunction(function) + " has more than " + std::to_string(maxNeededInstructions) +
        " instructions of functions that must be inlined into it because work-items meet in them, "
        "such as the " +
        describeFunction(callee));
  }

  /// Whether code of the work-item, or variables that may become values, would be part of the
  /// caller.
  bool gainsFromInlining(const llvm::Function& function, const llvm::CallGraphNode& node) const {
    if (takesPrivatePointer(function) || localUsers_.contains(&function) ||
        hasLargeVariables(function) || function.hasFnAttribute(names::imageFunctionAttribute))
      return true;
    return llvm::any_of(node, [&](const llvm::CallGraphNode::CallRecord& record) {
      const llvm::Function* called = record.second->getFunction();
      return called && (isOfWorkItem(*called) ||
                        (better_.contains(called) && inlinedSizes_.contains(called)));
    });
  }

  bool isWorthwhile(const llvm::Function& function, uint64_t size, bool isBetterInlined) const {
    if (marksProgram_ && size <= maxNeededInstructions)
      return true;
    if (marksLeast_ && function.hasFnAttribute(names::programAttribute))
      return false;
    if (isIndexStep(function))
      return true;
    if (isBetterInlined && !largeKernels_.have(function))
      return true;
    return (isBetterInlined || function.hasFnAttribute(names::programAttribute)) &&
           (size <= callInstructions || size * function.getNumUses() <= maxInlinedInstructions);
  }

  const bool marksLeast_;
  const bool marksProgram_; ///< checks know only of kernels what their pointers point into
  const llvm::DenseSet<const llvm::Function*> localUsers_;
  const LargeKernels largeKernels_;
  llvm::DenseSet<const llvm::Function*> better_; ///< that gain from being inlined
  Sizes inlinedSizes_;                           ///< of what is inlined
  Sizes neededSizes_;                            ///< of where work-items meet
};

} // namespace

llvm::PreservedAnalyses MarkCalleesPass::run(llvm::Module& module, llvm::ModuleAnalysisManager&) {
  llvm::CallGraph graph(module);
  Marker marker(module, graph, marksLeast_, wantedChecks(module).any());
  for (auto component = llvm::scc_begin(&graph); !component.isAtEnd(); ++component)
    marker.mark(*component);
  return llvm::PreservedAnalyses::none();
}

} // namespace quern::compiler
