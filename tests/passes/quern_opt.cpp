// Runs passes or named steps of the kernel compiler on IR in text form and prints what comes out,
// like LLVM's opt, for the tests in this folder.
//   quern-opt --passes=PIPELINE | --steps=NAME[,NAME...] [--target=DESCRIPTION] [--emit=asm]
//   [--baseline] [FACTS...] FILE.ll
// PIPELINE is what opt takes, of LLVM's passes and ours (src/compiler/passes/passes.def).
// The facts of the launches that the code is for (abi::LaunchFacts): --kernel=NAME,
// --local-size=X,Y,Z, --whole-groups, --zero-offset, --disjoint-memory, --most-columns=N,
// --stored-bytes=N, --constant=ARGUMENT:VALUE.

#include <array>
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
#include "compiler/passes/pass_options.h"
#include "compiler/pipeline.h"

namespace {

using quern::compiler::Step;

struct Arguments {
  std::string passes;
  std::string steps;
  std::string target = "x86_64;cpu=x86-64-v2";
  std::string file;
  bool emitsAssembly = false;
  bool isBaseline = false;
  std::string kernel;
  quern::abi::LaunchFacts facts;
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

bool parseLocalSize(llvm::StringRef text, std::array<uint64_t, 3>& size) {
  llvm::SmallVector<llvm::StringRef, 3> parts;
  text.split(parts, ',');
  return parts.size() == size.size() && llvm::all_of(llvm::zip(parts, size), [](const auto& pair) {
           return !std::get<0>(pair).getAsInteger(10, std::get<1>(pair));
         });
}

/// One option; false for what is none.
bool parse(llvm::StringRef value, Arguments& arguments) {
  quern::abi::LaunchFacts& facts = arguments.facts;
  if (value.consume_front("--target="))
    arguments.target = value.str();
  else if (value.consume_front("--passes="))
    arguments.passes = value.str();
  else if (value.consume_front("--steps="))
    arguments.steps = value.str();
  else if (value == "--emit=asm")
    arguments.emitsAssembly = true;
  else if (value == "--baseline")
    arguments.isBaseline = true;
  else if (value.consume_front("--kernel="))
    arguments.kernel = value.str();
  else if (value.consume_front("--local-size="))
    return parseLocalSize(value, facts.localSize);
  else if (value == "--whole-groups")
    facts.wholeGroups = true;
  else if (value == "--zero-offset")
    facts.zeroOffset = true;
  else if (value == "--disjoint-memory")
    facts.disjointMemory = true;
  else if (value.consume_front("--most-columns="))
    return !value.getAsInteger(10, facts.mostColumns);
  else if (value.consume_front("--stored-bytes="))
    return !value.getAsInteger(10, facts.storedBytes);
  else if (value.consume_front("--constant="))
    return quern::compiler::readArgument(value, facts.constants);
  else if (value.consume_front("--object="))
    return quern::compiler::readArgument(value, facts.objects);
  else if (!value.starts_with("-"))
    arguments.file = value.str();
  else
    return false;
  return true;
}

bool parse(int count, char** values, Arguments& arguments) {
  for (int i = 1; i < count; ++i)
    if (!parse(values[i], arguments)) {
      llvm::errs() << "quern-opt: cannot read the option '" << values[i] << "'\n";
      return false;
    }
  return !arguments.file.empty();
}

} // namespace

int main(int count, char** values) {
  using namespace quern::compiler;
  Arguments arguments;
  if (!parse(count, values, arguments)) {
    llvm::errs() << "usage: quern-opt --passes=PIPELINE | --steps=NAME[,NAME...] "
                    "[--target=DESCRIPTION] [--emit=asm] [--baseline] [FACTS...] FILE.ll\n";
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
  if (arguments.passes.empty() &&
      !findSteps(arguments.steps, processor.value().architecture, steps))
    return 2;
  auto machine = makeTargetMachine(processor.value(), true);
  module->setDataLayout((*machine)->createDataLayout());
  const PassSettings settings = {.machine = **machine,
                                 .subGroupSize = processor.value().subGroupSize,
                                 .packets = processor.value().packets,
                                 .isBaseline = arguments.isBaseline,
                                 .onlyKernel = arguments.kernel,
                                 .facts = arguments.facts,
                                 .inlinesLeast = processor.value().inlinesLeast};
  if (!arguments.passes.empty()) {
    if (const quern::Status status = runPasses(arguments.passes, *module, settings); !status.ok()) {
      llvm::outs() << status.sentence() << "\n";
      return 1;
    }
  } else {
    runSteps(steps, *module, settings, [](auto&&...) {});
  }
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
