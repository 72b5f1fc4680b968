#include "compiler/work_items/work_item_parameters.h"

#include <utility>

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/MapVector.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/ReplaceConstant.h>

#include "compiler/il/address_space.h"
#include "compiler/il/appended_parameters.h"
#include "compiler/il/called_function.h"
#include "compiler/il/names.h"
#include "compiler/il/work_item_functions.h"

namespace quern::compiler {
namespace {

/// A local variable, or a function of the work-item and the dimension that it is asked for.
using Need = std::pair<llvm::GlobalValue*, unsigned>;

llvm::Type* typeOf(const Need& need) {
  const auto* function = llvm::dyn_cast<llvm::Function>(need.first);
  return function ? function->getReturnType() : need.first->getType();
}

/// What a caller passes for `need`.
llvm::Value* ask(llvm::IRBuilder<>& builder, const Need& need) {
  auto* function = llvm::dyn_cast<llvm::Function>(need.first);
  if (!function)
    return need.first;
  llvm::SmallVector<llvm::Value*, 1> arguments;
  if (function->arg_size() != 0)
    arguments.push_back(llvm::ConstantInt::get(function->getArg(0)->getType(), need.second));
  return builder.CreateCall(function, arguments);
}

bool isAsked(const llvm::Function& function) {
  return workItemFunction(function.getName()) || function.getName() == names::printer ||
         function.getName() == names::groupScratch;
}

/// The calls in `function` of what depends on the work-item.
llvm::SmallVector<llvm::CallInst*> questionsIn(llvm::Function& function) {
  llvm::SmallVector<llvm::CallInst*> calls;
  for (llvm::Instruction& instruction : llvm::instructions(function))
    if (auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction))
      if (const llvm::Function* callee = call->getCalledFunction(); callee && isAsked(*callee))
        calls.push_back(call);
  return calls;
}

/// Asks for all dimensions where `call` does not say which one it means.
void askForAllDimensions(llvm::CallInst& call) {
  llvm::Function* callee = call.getCalledFunction();
  if (call.arg_size() == 0 || llvm::isa<llvm::ConstantInt>(call.getArgOperand(0)))
    return;
  llvm::IRBuilder<> builder(&call);
  call.replaceAllUsesWith(
      selectDimension(builder, *workItemFunction(callee->getName()), call.getArgOperand(0),
                      [&](unsigned dimension) { return ask(builder, {callee, dimension}); }));
  call.eraseFromParent();
}

bool isIn(const llvm::Use& use, const llvm::Function& function) {
  const auto* user = llvm::dyn_cast<llvm::Instruction>(use.getUser());
  return user && user->getFunction() == &function;
}

/// Makes the parameters of one function that is called.
class Parameters {
public:
  explicit Parameters(llvm::Function& function) : function_(&function) {}

  /// Whether it got new ones, for which its callers now ask: also itself, where it is one of them.
  bool run() {
    for (llvm::CallInst* call : questionsIn(*function_))
      askForAllDimensions(*call);
    Needs needs;
    for (llvm::CallInst* call : questionsIn(*function_))
      needs[{call->getCalledFunction(), dimensionOf(*call)}].push_back(call);
    addLocalVariables(needs);
    addNeedOf(names::printf, names::printer, needs);
    if (!isForNvptx())
      addNeedOf(names::addressSpaceOf, names::groupScratch, needs);
    const bool hasGrown = append(needs);
    for (const auto& [need, calls] : needs)
      replace(*function_->getArg(indices_.lookup(need)), need, calls);
    return hasGrown;
  }

private:
  /// And the calls that ask for it.
  using Needs = llvm::MapVector<Need, llvm::SmallVector<llvm::CallInst*>>;

  bool isForNvptx() const { return function_->getParent()->getTargetTriple().isNVPTX(); }

  static unsigned dimensionOf(const llvm::CallInst& call) {
    return call.arg_size() == 0
               ? 0
               : llvm::cast<llvm::ConstantInt>(call.getArgOperand(0))->getZExtValue();
  }

  void addLocalVariables(Needs& needs) const {
    for (llvm::GlobalVariable& variable : function_->getParent()->globals())
      if (variable.getAddressSpace() == address_space::local &&
          llvm::any_of(variable.uses(),
                       [&](const llvm::Use& use) { return isIn(use, *function_); }))
        needs[{&variable, 0}];
  }

  /// What a later step makes of calls of `callee` needs the result of `question`.
  void addNeedOf(llvm::StringRef callee, llvm::StringRef question, Needs& needs) const {
    if (!callsOf(*function_, callee).empty())
      needs[{&questionFunction(*function_->getParent(), question), 0}];
  }

  /// Makes parameters for those of `needs` that have none.
  bool append(const Needs& needs) {
    llvm::SmallVector<Need> added;
    for (const auto& [need, calls] : needs)
      if (indices_.try_emplace(need, function_->arg_size() + added.size()).second)
        added.push_back(need);
    if (added.empty())
      return false;
    llvm::SmallVector<llvm::Type*> types;
    for (const Need& need : added)
      types.push_back(typeOf(need));
    function_ = &appendParameters(*function_, types, [&](llvm::IRBuilder<>& builder) {
      llvm::SmallVector<llvm::Value*> arguments;
      for (const Need& need : added)
        arguments.push_back(ask(builder, need));
      return arguments;
    });
    return true;
  }

  static void replace(llvm::Argument& parameter, const Need& need,
                      llvm::ArrayRef<llvm::CallInst*> calls) {
    parameter.setName(need.first->getName());
    if (need.first->getName().starts_with(names::ownPrefix))
      parameter.addAttr(llvm::Attribute::get(parameter.getContext(), need.first->getName()));
    if (llvm::isa<llvm::GlobalVariable>(need.first))
      need.first->replaceUsesWithIf(
          &parameter, [&](const llvm::Use& use) { return isIn(use, *parameter.getParent()); });
    for (llvm::CallInst* call : calls) {
      call->replaceAllUsesWith(&parameter);
      call->eraseFromParent();
    }
  }

  llvm::Function* function_;
  llvm::DenseMap<Need, unsigned> indices_; ///< of the parameters
};

/// `functions` call each other, if they are several: each has all that one of them needs in the
/// end.
void makeParameters(llvm::ArrayRef<llvm::Function*> functions) {
  llvm::SmallVector<Parameters, 1> all;
  for (llvm::Function* function : functions)
    all.emplace_back(*function);
  bool hasGrown = true;
  while (std::exchange(hasGrown, false))
    for (Parameters& parameters : all)
      hasGrown |= parameters.run();
}

/// Local variables as operands of instructions only.
void expandLocalVariables(llvm::Module& module) {
  llvm::SmallVector<llvm::Constant*> variables;
  for (llvm::GlobalVariable& variable : module.globals())
    if (variable.getAddressSpace() == address_space::local)
      variables.push_back(&variable);
  llvm::convertUsersOfConstantsToInstructions(variables);
}

} // namespace

llvm::PreservedAnalyses WorkItemParametersPass::run(llvm::Module& module,
                                                    llvm::ModuleAnalysisManager&) {
  const auto components = calledFunctions(module);
  if (components.empty())
    return llvm::PreservedAnalyses::all();
  expandLocalVariables(module);
  for (const auto& functions : components)
    makeParameters(functions);
  return llvm::PreservedAnalyses::none();
}

} // namespace quern::compiler
