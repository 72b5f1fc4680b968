#pragma once

#include <array>
#include <string>

#include <llvm/ADT/SetVector.h>
#include <llvm/ADT/StringMap.h>
#include <llvm/IR/PassInstrumentation.h>
#include <llvm/IR/ValueMap.h>

#include "compiler/passes/properties.h"

namespace quern::compiler {

/// Holds passes to their contracts while a pipeline runs, and reports the first breach as an error
/// of the module's context: a pass that is given code without a property that it requires, and a
/// pass that leaves code without one that was established and that it does not say to clear.
/// A function that has not been seen has the properties that its IR shows.
///
/// After each pass that changed something it also runs LLVM's verifier, and ends the compile where
/// that finds a fault. LLVM's own instrumentation runs it after all other passes, too, which takes
/// as long as the rest of a compile. Loop passes run on one small loop of many, and the verifier
/// looks at whole functions: it runs when they have been on all loops of a function.
class ContractVerifier {
public:
  ContractVerifier();
  /// From now on passes that `callbacks` is told of are watched. This must outlive them.
  void registerCallbacks(llvm::PassInstrumentationCallbacks& callbacks);

private:
  /// What is known of one property of one function.
  struct Knowledge {
    bool holds = false;
    std::string pass; ///< the last that made it so; empty for none
  };
  using Knowledges = std::array<Knowledge, propertyCount>;

  /// `passes` says which may have broken `unit`.
  void verifyIr(const std::string& passes, const llvm::Any& unit) const;
  void verifyLoopPasses(const llvm::Any& function);
  Knowledges& knowledgeOf(llvm::Function& function);
  void require(llvm::StringRef pass, const Contract& contract, llvm::Function& function);
  void update(llvm::StringRef pass, const Contract& contract, llvm::Function& function,
              bool hasChanged);
  void establish(llvm::StringRef pass, Property property, llvm::Function& function,
                 Knowledge& known);
  void keep(llvm::StringRef pass, Property property, llvm::Function& function, Knowledge& known);
  void report(llvm::Function& function, const std::string& sentence);
  const Contract* contractOf(llvm::StringRef className) const;
  std::string nameOfPass(llvm::StringRef className) const;

  llvm::PassInstrumentationCallbacks* callbacks_ = nullptr;
  llvm::StringMap<Contract> contracts_; ///< by names of classes
  llvm::ValueMap<const llvm::Function*, Knowledges> functions_;
  llvm::SmallSetVector<llvm::StringRef, 8> loopPasses_; ///< that changed a loop since the last look
  bool hasReported_ = false;
};

} // namespace quern::compiler
