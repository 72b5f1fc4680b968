#include "compiler/passes/contract_verifier.h"

#include <llvm/ADT/StringExtras.h>
#include <llvm/Analysis/LazyCallGraph.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Verifier.h>

#include "base/sentence.h"
#include "compiler/il/kernel_function.h"
#include "compiler/passes/registry.h"

namespace quern::compiler {
namespace {

/// What passes of LLVM do not keep, unless more is known of them.
constexpr PropertySet clearedByOptimization = {Property::NothingAssumed, Property::SafeDivisions,
                                               Property::BarriersIsolated,
                                               Property::LoopsSimplified, Property::LoopsClosed};
/// What inlining may end in the caller, too.
constexpr PropertySet clearedByInlining = {
    Property::NothingAssumed,        Property::SafeDivisions,   Property::BarriersIsolated,
    Property::LoopsSimplified,       Property::LoopsClosed,     Property::VariablesAreValues,
    Property::AddressSpacesInferred, Property::SubGroupsPlaced, Property::WorkItemBodies};

constexpr Contract optimization = {.required = {Property::OpenToOptimization},
                                   .cleared = clearedByOptimization};

/// Passes of LLVM of which more is known.
struct LlvmPass {
  llvm::StringRef className;
  Contract contract;
};

const LlvmPass llvmPasses[] = {
    {"SROAPass",
     {.required = {Property::OpenToOptimization},
      .set = {Property::VariablesAreValues},
      .cleared = clearedByOptimization}},
    {"PromotePass", {.set = {Property::VariablesAreValues}, .cleared = clearedByOptimization}},
    {"InferAddressSpacesPass",
     {.required = {Property::OpenToOptimization},
      .set = {Property::AddressSpacesInferred},
      .cleared = {Property::NothingAssumed}}},
    {"AlwaysInlinerPass", {.set = {Property::CalleesInlined}, .cleared = clearedByInlining}},
    {"InlinerPass", {.required = {Property::OpenToOptimization}, .cleared = clearedByInlining}},
    {"InstCombinePass",
     {.required = {Property::OpenToOptimization},
      .cleared = {Property::NotCombined, Property::NothingAssumed, Property::SafeDivisions,
                  Property::BarriersIsolated, Property::LoopsSimplified, Property::LoopsClosed}}},
    {"GlobalDCEPass", {}},
    {"LoopSimplifyPass",
     {.set = {Property::LoopsSimplified},
      .cleared = {Property::NothingAssumed, Property::LoopsClosed, Property::BarriersIsolated}}},
    {"LCSSAPass", {.set = {Property::LoopsClosed}}},
};

/// What only runs other passes, prints, or looks.
bool isNoPass(llvm::StringRef className) {
  static const std::vector<llvm::StringRef> special = {"PassManager",
                                                       "PassAdaptor",
                                                       "AnalysisManagerProxy",
                                                       "DevirtSCCRepeatedPass",
                                                       "ModuleInlinerWrapperPass",
                                                       "VerifierPass",
                                                       "PrintModulePass",
                                                       "PrintFunctionPass",
                                                       "RequireAnalysisPass",
                                                       "InvalidateAnalysisPass",
                                                       "NoOpModulePass",
                                                       "NoOpFunctionPass"};
  return llvm::isSpecialPass(className, special);
}

/// Calls `visit` with each function with a body of what a pass runs on. For a loop pass nothing:
/// LLVM runs several one after the other before loops have their form again.
void forEachFunction(const llvm::Any& unit, llvm::function_ref<void(llvm::Function&)> visit) {
  const auto visitDefined = [&](const llvm::Function& function) {
    if (!function.isDeclaration())
      visit(const_cast<llvm::Function&>(function));
  };
  if (const auto* module = llvm::any_cast<const llvm::Module*>(&unit))
    llvm::for_each(**module, visitDefined);
  else if (const auto* function = llvm::any_cast<const llvm::Function*>(&unit))
    visitDefined(**function);
  else if (const auto* component = llvm::any_cast<const llvm::LazyCallGraph::SCC*>(&unit))
    for (const llvm::LazyCallGraph::Node& node : **component)
      visitDefined(node.getFunction());
}

/// What runs loop passes on the loops of a function, one loop after the other.
bool runsLoopPasses(llvm::StringRef className) {
  return className == "FunctionToLoopPassAdaptor";
}

/// LLVM's verifier on what a pass ran on.
bool isBroken(const llvm::Any& unit, llvm::raw_ostream& reason) {
  if (const auto* module = llvm::any_cast<const llvm::Module*>(&unit))
    return llvm::verifyModule(**module, &reason);
  bool broken = false;
  forEachFunction(unit, [&](const llvm::Function& function) {
    broken |= llvm::verifyFunction(function, &reason);
  });
  return broken;
}

} // namespace

ContractVerifier::ContractVerifier() {
  for (const LlvmPass& pass : llvmPasses)
    contracts_[pass.className] = pass.contract;
  for (const RegisteredPass& pass : registeredPasses())
    contracts_[pass.className] = pass.contract;
}

void ContractVerifier::registerCallbacks(llvm::PassInstrumentationCallbacks& callbacks) {
  callbacks_ = &callbacks;
  callbacks.registerBeforeNonSkippedPassCallback(
      [this](llvm::StringRef pass, const llvm::Any& unit) {
        if (!isNoPass(pass))
          forEachFunction(
              unit, [&](llvm::Function& function) { require(pass, *contractOf(pass), function); });
      });
  callbacks.registerAfterPassCallback([this](llvm::StringRef pass, const llvm::Any& unit,
                                             const llvm::PreservedAnalyses& preserved) {
    if (runsLoopPasses(pass))
      verifyLoopPasses(unit);
    if (isNoPass(pass))
      return;
    const bool hasChanged = !preserved.areAllPreserved();
    if (hasChanged && llvm::any_cast<const llvm::Loop*>(&unit))
      loopPasses_.insert(pass);
    else if (hasChanged)
      verifyIr("the pass '" + nameOfPass(pass) + "'", unit);
    forEachFunction(unit, [&](llvm::Function& function) {
      update(pass, *contractOf(pass), function, hasChanged);
    });
  });
}

const Contract* ContractVerifier::contractOf(llvm::StringRef className) const {
  const auto found = contracts_.find(className);
  return found == contracts_.end() ? &optimization : &found->second;
}

ContractVerifier::Knowledges& ContractVerifier::knowledgeOf(llvm::Function& function) {
  const auto [place, isNew] = functions_.insert({&function, Knowledges()});
  if (isNew)
    for (unsigned i = 0; i < propertyCount; ++i)
      place->second[i].holds = whyNot(static_cast<Property>(i), function).empty();
  return place->second;
}

void ContractVerifier::verifyIr(const std::string& passes, const llvm::Any& unit) const {
  std::string reason;
  llvm::raw_string_ostream stream(reason);
  // The passes that follow cannot be given broken IR.
  if (isBroken(unit, stream))
    llvm::report_fatal_error(llvm::Twine(sentence(passes, " left broken IR: ", reason)));
}

void ContractVerifier::verifyLoopPasses(const llvm::Any& function) {
  if (loopPasses_.empty())
    return;
  const auto named = [this](llvm::StringRef pass) { return "'" + nameOfPass(pass) + "'"; };
  const std::string names = llvm::join(llvm::map_range(loopPasses_, named), ", ");
  loopPasses_.clear();
  verifyIr("one of the loop passes " + names, function);
}

void ContractVerifier::require(llvm::StringRef pass, const Contract& contract,
                               llvm::Function& function) {
  Knowledges& known = knowledgeOf(function);
  for (unsigned i = 0; i < propertyCount; ++i) {
    const auto property = static_cast<Property>(i);
    if (!contract.required.has(property) || known[i].holds)
      continue;
    const std::string reason =
        known[i].pass.empty() ? whyNot(property, function) : "'" + known[i].pass + "' ended it";
    known[i].holds = reason.empty();
    if (!reason.empty())
      report(function, sentence("the pass '", nameOfPass(pass), "' requires the property '",
                                nameOf(property).str(), "', which ", describeFunction(function),
                                " does not have: ", reason));
  }
}

void ContractVerifier::update(llvm::StringRef pass, const Contract& contract,
                              llvm::Function& function, bool hasChanged) {
  Knowledges& known = knowledgeOf(function);
  for (unsigned i = 0; i < propertyCount; ++i) {
    const auto property = static_cast<Property>(i);
    if (contract.set.has(property))
      establish(pass, property, function, known[i]);
    else if (hasChanged && known[i].holds && contract.cleared.has(property))
      known[i] = {false, nameOfPass(pass)};
    else if (hasChanged && known[i].holds && !isShownOnlyWhenSet(property))
      keep(pass, property, function, known[i]);
  }
}

void ContractVerifier::establish(llvm::StringRef pass, Property property, llvm::Function& function,
                                 Knowledge& known) {
  const std::string reason = whyNot(property, function);
  known = {reason.empty(), nameOfPass(pass)};
  if (!reason.empty())
    report(function,
           sentence("the pass '", known.pass, "' does not establish the property '",
                    nameOf(property).str(), "' of ", describeFunction(function), ": ", reason));
}

/// What no pass has established held by chance, and may end.
void ContractVerifier::keep(llvm::StringRef pass, Property property, llvm::Function& function,
                            Knowledge& known) {
  const std::string reason = whyNot(property, function);
  if (reason.empty())
    return;
  known.holds = false;
  if (!known.pass.empty())
    report(function, sentence("the pass '", nameOfPass(pass), "' broke the property '",
                              nameOf(property).str(), "' of ", describeFunction(function),
                              ", which '", known.pass, "' had established: ", reason));
}

std::string ContractVerifier::nameOfPass(llvm::StringRef className) const {
  const llvm::StringRef name = callbacks_->getPassNameForClassName(className);
  return name.empty() ? className.str() : name.str();
}

void ContractVerifier::report(llvm::Function& function, const std::string& sentence) {
  if (!hasReported_)
    function.getContext().emitError(sentence);
  hasReported_ = true;
}

} // namespace quern::compiler
