#include "runtime/isolated_compiler.h"

#include <cstdlib>

#include <unistd.h>

#include "base/sentence.h"
#include "runtime/process.h"
#include "trace/trace.h"

namespace quern::runtime {

namespace {

using compiler::Answer;
using compiler::Request;

std::string workingFolder() {
  char* folder = getcwd(nullptr, 0);
  const std::string result = folder ? folder : "";
  std::free(folder);
  return result;
}

Answer failed(const Status& status) {
  return {.log = sentence("error: ", status.sentence(), "\n")};
}

/// Steps of the compiler, as the timeline calls them.
std::string_view nameOf(Request::Call call) {
  switch (call) {
  case Request::Call::Compile:
    return "compile: front end";
  case Request::Call::CompileIl:
    return "compile: SPIR-V";
  case Request::Call::Link:
    return "compile: link";
  case Request::Call::Generate:
    return "compile: code";
  default:
    return "compile: print";
  }
}

Answer ask(Request request) {
  trace::Scope scope("compile", nameOf(request.call), request.options.onlyKernel);
  scope.setArgument("source_bytes", request.source.size());
  request.workingFolder = workingFolder();
  CompilerProcesses& processes = Process::current().compilers();
  for (;;) {
    auto process = processes.take();
    if (!process.ok())
      return failed(process.status());
    Result<Answer> answer = process.value()->ask(request);
    // Another one then gets what this one may not have come to.
    if (!answer.ok() && process.value()->mayBePreparing())
      continue;
    if (!answer.ok())
      return failed(answer.status());
    if (!answer->isLast)
      processes.giveBack(*std::move(process));
    return *std::move(answer);
  }
}

Bytes copyOf(std::span<const std::byte> bytes) {
  return {bytes.begin(), bytes.end()};
}

compiler::Compiled compiledOf(Answer answer) {
  return {.ok = answer.ok,
          .log = std::move(answer.log),
          .ir = std::move(answer.ir),
          .dependencies = std::move(answer.dependencies)};
}

} // namespace

compiler::Compiled IsolatedCompiler::compile(std::string_view source,
                                             std::span<const compiler::Header> headers,
                                             const compiler::Options& options,
                                             const compiler::Target& target,
                                             const compiler::DumpRequest& dump) {
  return compiledOf(ask({.call = Request::Call::Compile,
                         .source = std::string(source),
                         .headers = {headers.begin(), headers.end()},
                         .options = options,
                         .target = target,
                         .dump = dump}));
}

compiler::Compiled
IsolatedCompiler::compileIl(std::span<const std::byte> il,
                            std::span<const compiler::SpecializationValue> constants,
                            const compiler::Options& options, const compiler::Target& target,
                            const compiler::DumpRequest& dump) {
  return compiledOf(ask({.call = Request::Call::CompileIl,
                         .programs = {copyOf(il)},
                         .constants = {constants.begin(), constants.end()},
                         .options = options,
                         .target = target,
                         .dump = dump}));
}

compiler::Compiled IsolatedCompiler::link(std::span<const std::span<const std::byte>> programs,
                                          const compiler::Options& options,
                                          const compiler::Target& target) {
  Request request = {.call = Request::Call::Link, .options = options, .target = target};
  for (const std::span<const std::byte> program : programs)
    request.programs.push_back(copyOf(program));
  return compiledOf(ask(std::move(request)));
}

compiler::Generated IsolatedCompiler::generate(std::span<const std::byte> ir,
                                               const compiler::Options& options,
                                               const compiler::Target& target,
                                               const compiler::DumpRequest& dump) {
  Answer answer = ask({.call = Request::Call::Generate,
                       .programs = {copyOf(ir)},
                       .options = options,
                       .target = target,
                       .dump = dump});
  return {.ok = answer.ok, .log = std::move(answer.log), .image = std::move(answer.image)};
}

Result<std::string> IsolatedCompiler::print(std::span<const std::byte> ir,
                                            const compiler::Options& options,
                                            const compiler::Target& target, std::string_view form,
                                            std::string_view step) {
  Answer answer = ask({.call = Request::Call::Print,
                       .programs = {copyOf(ir)},
                       .options = options,
                       .target = target,
                       .form = std::string(form),
                       .step = std::string(step)});
  if (!answer.ok || answer.texts.empty())
    return Status::error(CL_BUILD_PROGRAM_FAILURE, std::move(answer.log));
  return std::move(answer.texts.front());
}

std::vector<std::string> IsolatedCompiler::steps(const compiler::Target& target) const {
  return ask({.call = Request::Call::Steps, .target = target}).texts;
}

} // namespace quern::runtime
