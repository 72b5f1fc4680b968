// Runs named steps of the kernel compiler on IR in text form and prints what comes out, for the
// tests in this folder.
//   quern-opt --steps=NAME[,NAME...] [--target=DESCRIPTION] [--emit=asm] FILE.ll

#include <cstdio>
#include <string>
#include <vector>

#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Verifier.h>
#include <llvm/IRReader/IRReader.h>
#include <llvm/Support/SourceMgr.h>
#include <llvm/Support/raw_ostream.h>

#include "compiler/codegen/machine.h"
#include "compiler/codegen/object.h"
#include "compiler/il/bitcode.h"
#include "compiler/initialize_llvm.h"
#include "compiler/pipeline.h"

namespace {

using quern::compiler::Step;

struct Arguments {
  std::string steps;
  std::string target = "x86_64;cpu=x86-64-v2";
  std::string file;
  bool emitsAssembly = false;
};

bool findSteps(llvm::StringRef names, quern::compiler::Architecture architecture,
               std::vector<Step>& steps) {
  llvm::SmallVector<llvm::StringRef> wanted;
  names.split(wanted, ',');
  for (llvm::StringRef name : wanted) {
    const auto all = quern::compiler::pipelineSteps(architecture);
    const auto found =
        llvm::find_if(all, [&](const Step& step) { return name == llvm::StringRef(step.name); });
    if (found == all.end()) {
      llvm::errs() << "quern-opt: there is no step named " << name << "\n";
      return false;
    }
    steps.push_back(*found);
  }
  return true;
}

bool parse(int count, char** values, Arguments& arguments) {
  for (int i = 1; i < count; ++i) {
    llvm::StringRef value = values[i];
    if (value.consume_front("--target="))
      arguments.target = value.str();
    else if (value.consume_front("--steps="))
      arguments.steps = value.str();
    else if (value == "--emit=asm")
      arguments.emitsAssembly = true;
    else
      arguments.file = value.str();
  }
  return !arguments.file.empty();
}

} // namespace

int main(int count, char** values) {
  using namespace quern::compiler;
  Arguments arguments;
  if (!parse(count, values, arguments)) {
    llvm::errs()
        << "usage: quern-opt --steps=NAME[,NAME...] [--target=DESCRIPTION] [--emit=asm] FILE.ll\n";
    return 2;
  }
  initializeLlvm();
  llvm::LLVMContext context;
  llvm::SMDiagnostic problem;
  const std::unique_ptr<llvm::Module> module = llvm::parseIRFile(arguments.file, problem, context);
  if (!module) {
    problem.print("quern-opt", llvm::errs());
    return 1;
  }
  std::string log;
  collectDiagnostics(context, log);
  const auto processor = parseProcessor(arguments.target);
  if (!processor.ok()) {
    llvm::errs() << processor.status().sentence() << "\n";
    return 1;
  }
  std::vector<Step> steps;
  if (!findSteps(arguments.steps, processor.value().architecture, steps))
    return 2;
  auto machine = makeTargetMachine(processor.value(), true);
  module->setDataLayout((*machine)->createDataLayout());
  runSteps(steps, *module,
           {.machine = **machine,
            .subGroupSize = processor.value().subGroupSize,
            .packets = processor.value().packets,
            .inlinesLeast = processor.value().inlinesLeast},
           [](auto&&...) {});
  llvm::outs() << log;
  if (hasErrors(context))
    return 1;
  if (llvm::verifyModule(*module, &llvm::errs()))
    return 1;
  if (arguments.emitsAssembly)
    llvm::outs() << emitAssembly(*module, **machine);
  else
    module->print(llvm::outs(), nullptr);
  return 0;
}
