// Passes in a wrong order, passes that break what others have established, and texts of pipelines
// that say nothing known. Runs with QUERN_VERIFY=on.
#include <gtest/gtest.h>
#include <llvm/AsmParser/Parser.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/Support/SourceMgr.h>
#include <llvm/Transforms/Scalar/LoopPassManager.h>

#include "compiler/il/bitcode.h"
#include "compiler/initialize_llvm.h"
#include "compiler/passes/registry.h"
#include "compiler/pipeline.h"

namespace quern::compiler {
namespace {

constexpr const char* division = R"(
define i32 @f(i32 %a, i32 %b) {
  %same = add i32 %a, 0
  %quotient = sdiv i32 %same, %b
  ret i32 %quotient
})";

constexpr const char* kernelWithBarrier = R"(
declare void @_Z7barrierj(i32)
define spir_kernel void @k(ptr addrspace(1) %p) {
  call void @_Z7barrierj(i32 1)
  store i32 1, ptr addrspace(1) %p
  ret void
})";

/// A variable that only code keeps in memory that never runs.
constexpr const char* heldVariable = R"(
declare void @keep(ptr)

define i32 @held(i32 %x) {
entry:
  %variable = alloca i32
  store i32 %x, ptr %variable
  br i1 false, label %never, label %done

never:
  call void @keep(ptr %variable)
  br label %done

done:
  %value = load i32, ptr %variable
  ret i32 %value
})";

constexpr const char* loop = R"(
define void @count(ptr %p, i32 %n) {
entry:
  br label %body

body:
  %i = phi i32 [ 0, %entry ], [ %next, %body ]
  %next = add i32 %i, 1
  store i32 %next, ptr %p
  %more = icmp ult i32 %next, %n
  br i1 %more, label %body, label %done

done:
  ret void
})";

constexpr const char* toRegions =
    "prepare-kernels,work-item-bodies,local-variables,sub-group-forms,"
    "function(isolate-barriers),form-regions";

/// Leaves a barrier in a region.
class AddBarrierPass : public llvm::PassInfoMixin<AddBarrierPass> {
public:
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager&) {
    llvm::IRBuilder<> builder(&function.getEntryBlock().front());
    llvm::Type* number = builder.getInt32Ty();
    const llvm::FunctionCallee barrier = function.getParent()->getOrInsertFunction(
        "quern.barrier", builder.getVoidTy(), number, number);
    builder.CreateCall(barrier, {builder.getInt32(1), builder.getInt32(1)});
    return llvm::PreservedAnalyses::none();
  }
};

/// Uses a number before it is made.
class BreakOrderPass : public llvm::PassInfoMixin<BreakOrderPass> {
public:
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager&) {
    llvm::BasicBlock& block = function.getEntryBlock();
    block.front().moveBefore(block.getTerminator()->getIterator());
    return llvm::PreservedAnalyses::none();
  }
};

/// Uses a number before it is made, in each loop.
class BreakLoopPass : public llvm::PassInfoMixin<BreakLoopPass> {
public:
  llvm::PreservedAnalyses run(llvm::Loop& loop, llvm::LoopAnalysisManager&,
                              llvm::LoopStandardAnalysisResults&, llvm::LPMUpdater&) {
    llvm::BasicBlock& header = *loop.getHeader();
    header.getFirstNonPHIIt()->moveBefore(header.getTerminator()->getIterator());
    return llvm::getLoopPassPreservedAnalyses();
  }
};

class ContractTest : public testing::Test {
protected:
  void SetUp() override {
    initializeLlvm();
    collectDiagnostics(context, log);
    machine =
        std::move(makeTargetMachine(parseProcessor("x86_64;cpu=x86-64-v3").value(), true).value());
  }

  std::unique_ptr<llvm::Module> parse(const char* text) {
    llvm::SMDiagnostic problem;
    std::unique_ptr<llvm::Module> module = llvm::parseAssemblyString(text, problem, context);
    EXPECT_TRUE(module) << problem.getMessage().str();
    module->setDataLayout(machine->createDataLayout());
    return module;
  }

  PassSettings settings() { return {.machine = *machine}; }

  bool logHas(std::string_view sentence) const { return log.find(sentence) != std::string::npos; }

  llvm::LLVMContext context;
  std::string log;
  std::unique_ptr<llvm::TargetMachine> machine;
};

TEST_F(ContractTest, ARightOrderIsNoError) {
  const auto module = parse(division);
  EXPECT_TRUE(runPasses("function(safe-division,instcombine)", *module, settings()).ok());
  EXPECT_EQ("", log);
}

TEST_F(ContractTest, AWrongOrderNamesThePassThePropertyAndWhoEndedIt) {
  const auto module = parse(division);
  EXPECT_TRUE(runPasses("function(instcombine,safe-division)", *module, settings()).ok());
  EXPECT_TRUE(logHas("the pass 'safe-division' requires the property 'nothing-assumed'")) << log;
  EXPECT_TRUE(logHas("'instcombine' ended it")) << log;
}

TEST_F(ContractTest, CodeWithoutWhatAPassRequiresIsShown) {
  const auto module = parse(kernelWithBarrier);
  EXPECT_TRUE(runPasses("prepare-kernels,form-regions", *module, settings()).ok());
  EXPECT_TRUE(logHas("the pass 'form-regions' requires the property")) << log;
}

TEST_F(ContractTest, ABrokenPropertyNamesTheLastPassTheFunctionAndTheInstruction) {
  const auto module = parse(kernelWithBarrier);
  llvm::ModulePassManager passes;
  ASSERT_TRUE(parsePipeline(passes, toRegions, settings()).ok());
  passes.addPass(llvm::createModuleToFunctionPassAdaptor(AddBarrierPass()));
  runPasses(passes, *module, settings());
  EXPECT_TRUE(logHas("AddBarrierPass' broke the property 'regions-formed' of ")) << log;
  EXPECT_TRUE(logHas("which 'form-regions' had established")) << log;
  EXPECT_TRUE(logHas("call void @quern.barrier(i32 1, i32 1)")) << log;
}

TEST_F(ContractTest, BrokenIrEndsTheCompileAndNamesThePass) {
  const auto module = parse(division);
  llvm::ModulePassManager passes;
  passes.addPass(llvm::createModuleToFunctionPassAdaptor(BreakOrderPass()));
  EXPECT_DEATH(runPasses(passes, *module, settings()),
               "BreakOrderPass' left broken IR: Instruction does not dominate all uses");
}

TEST_F(ContractTest, BrokenLoopsEndTheCompileAndNameTheLoopPasses) {
  const auto module = parse(loop);
  llvm::ModulePassManager passes;
  ASSERT_TRUE(parsePipeline(passes, "function(loop(indvars))", settings()).ok());
  llvm::LoopPassManager loopPasses;
  loopPasses.addPass(BreakLoopPass());
  passes.addPass(llvm::createModuleToFunctionPassAdaptor(
      llvm::createFunctionToLoopPassAdaptor(std::move(loopPasses))));
  EXPECT_DEATH(runPasses(passes, *module, settings()),
               "one of the loop passes '.*BreakLoopPass' left broken IR: Instruction does not "
               "dominate all uses");
}

TEST_F(ContractTest, WhatASimplificationShowsBreaksNothing) {
  const auto module = parse(heldVariable);
  EXPECT_TRUE(runPasses("function(sroa,simplifycfg)", *module, settings()).ok());
  EXPECT_EQ("", log);
}

TEST_F(ContractTest, WhatAPipelineCannotSayIsASentence) {
  llvm::ModulePassManager passes;
  const auto problem = [&](const char* text) {
    return parsePipeline(passes, text, settings()).sentence();
  };
  EXPECT_EQ("the pass 'form-packets' has no option \"blocks\"", problem("form-packets<blocks>"));
  EXPECT_EQ("the pass 'form-packets' cannot read its option \"packets=5\"",
            problem("form-packets<packets=5>"));
  EXPECT_NE(std::string::npos, problem("no-such-pass").find("no-such-pass"));
}

TEST_F(ContractTest, EveryPassIsReadByItsName) {
  for (const RegisteredPass& pass : registeredPasses()) {
    llvm::ModulePassManager passes;
    const std::string text = pass.kind == "module"     ? pass.name.str()
                             : pass.kind == "function" ? "function(" + pass.name.str() + ")"
                                                       : "function(loop(" + pass.name.str() + "))";
    EXPECT_TRUE(parsePipeline(passes, text, settings()).ok()) << text;
  }
}

} // namespace
} // namespace quern::compiler
