#include "compiler/passes/inline_callees.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/DenseSet.h>
#include <llvm/ADT/SCCIterator.h>
#include <llvm/Analysis/CallGraph.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

#include "compiler/il/address_space.h"
#include "compiler/il/kernel_function.h"
#include "compiler/il/names.h"
#include "compiler/il/work_item_functions.h"

namespace quern::compiler {
namespace {

/// Above this product of size and number of calls, a function that need not be inlined is left to
/// LLVM's judgement. Sizes include what is inlined into the function itself.
constexpr uint64_t maxInlinedInstructions = 4000;
/// Inlining more than this into one function would make the compiler slow without bound.
constexpr uint64_t maxNeededInstructions = 300'000;
/// Private variables of a called function beyond this size must not stay on the thread's stack.
constexpr uint64_t largePrivateBytes = 1024;

bool isLoweredByUs(const llvm::Function& function) {
  const llvm::StringRef name = function.getName();
  return function.isDeclaration() &&
         (workItemFunction(name) || isBarrier(name) || isSubGroupBarrier(name) ||
          name.starts_with(names::groupCollectivePrefix) ||
          name.starts_with(names::subGroupCollectivePrefix) || name == names::printf ||
          name == names::addressSpaceOf);
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

/// Decides for one strongly connected component of the call graph after another, callees first.
class Marker {
public:
  explicit Marker(llvm::Module& module) : localUsers_(usersOfLocalVariables(module)) {}

  void mark(const std::vector<llvm::CallGraphNode*>& component) {
    bool needed = false, takesPointers = false;
    for (llvm::CallGraphNode* node : component)
      if (llvm::Function* function = node->getFunction(); function && !function->isDeclaration()) {
        needed = needed || isNeeded(*function, *node);
        takesPointers = takesPointers || takesPrivatePointer(*function);
      }
    const bool recursive = callsItself(component);
    for (llvm::CallGraphNode* node : component) {
      llvm::Function* function = node->getFunction();
      if (!function || function->isDeclaration())
        continue;
      const uint64_t size = expandedSize(*function, *node);
      if (size - function->getInstructionCount() > maxNeededInstructions) {
        function->getContext().emitError(describeFunction(*function) + " has more than " +
                                         std::to_string(maxNeededInstructions) +
                                         " instructions of functions that must be inlined into it");
        return;
      }
      if (function->hasFnAttribute(names::kernelAttribute))
        continue;
      function->removeFnAttr(llvm::Attribute::AlwaysInline);
      if (recursive) {
        function->getContext().emitError(describeFunction(*function) +
                                         " calls itself, which OpenCL C does not allow");
      } else if (needed || takesPointers || isWorthwhile(*function, size) ||
                 function->hasFnAttribute(names::imageFunctionAttribute)) {
        function->addFnAttr(llvm::Attribute::AlwaysInline);
        inlinedSizes_[function] = size;
      }
      if (needed)
        needed_.insert(function);
    }
  }

private:
  /// Whether `function` cannot stay a function; then neither can its callers.
  bool isNeeded(const llvm::Function& function, const llvm::CallGraphNode& node) const {
    if (localUsers_.contains(&function) || hasLargeVariables(function))
      return true;
    for (const auto& [call, callee] : node)
      if (const llvm::Function* called = callee->getFunction())
        if (isLoweredByUs(*called) || needed_.contains(called))
          return true;
    return false;
  }

  static bool isWorthwhile(const llvm::Function& function, uint64_t size) {
    return function.hasFnAttribute(names::programAttribute) &&
           size * function.getNumUses() <= maxInlinedInstructions;
  }

  /// Instructions of `function` once everything that is marked has been inlined into it.
  uint64_t expandedSize(const llvm::Function& function, const llvm::CallGraphNode& node) const {
    uint64_t size = function.getInstructionCount();
    for (const auto& [call, callee] : node)
      size += inlinedSizes_.lookup(callee->getFunction());
    return size;
  }

  llvm::DenseSet<const llvm::Function*> localUsers_;
  llvm::DenseSet<const llvm::Function*> needed_;
  llvm::DenseMap<const llvm::Function*, uint64_t> inlinedSizes_;
};

} // namespace

llvm::PreservedAnalyses MarkCalleesPass::run(llvm::Module& module, llvm::ModuleAnalysisManager&) {
  llvm::CallGraph graph(module);
  Marker marker(module);
  for (auto component = llvm::scc_begin(&graph); !component.isAtEnd(); ++component)
    marker.mark(*component);
  return llvm::PreservedAnalyses::none();
}

} // namespace quern::compiler
