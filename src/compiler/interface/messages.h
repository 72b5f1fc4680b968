#pragma once

#include <span>
#include <string>
#include <vector>

#include "compiler/interface/compiler.h"

/// Calls of the compiler as messages between the driver and the process that compiles for it
/// (runtime/compiler_process.h, compiler/process/). Both are of one build, so that nothing but
/// `interfaceVersion` needs to be agreed.
namespace quern::compiler {

/// A call of a function of Compiler. What it does not take is empty.
struct Request {
  /// Prepare calls nothing and has no answer: programs for `target` will be compiled next, and what
  /// every compile needs may be made ready until then.
  enum class Call : uint8_t { Compile, CompileIl, Link, Generate, Print, Steps, Prepare };

  Call call = Call::Compile;
  /// Of the process that asks: relative paths are relative to it. Empty where it has none.
  std::string workingFolder;
  std::string source;
  std::vector<Header> headers;
  std::vector<Bytes> programs; ///< several of Link, one of CompileIl, Generate and Print
  std::vector<SpecializationValue> constants;
  Options options;
  Target target;
  DumpRequest dump;
  std::string form, step; ///< of Print
};

/// What the function returned.
struct Answer {
  bool ok = false;
  std::string log; ///< or the reason why Print failed
  Bytes ir;
  std::vector<Dependency> dependencies;
  abi::ProgramImage image;
  std::vector<std::string> texts; ///< of Print and Steps
  bool isLast = false;            ///< the process ends with it
};

/// Calls `compiler`, but for the working folder, which is the process's. Not for Prepare.
Answer call(Compiler& compiler, const Request& request);

Bytes encode(const Request& request);
Bytes encode(const Answer& answer);
/// Fail with CL_INVALID_VALUE where `bytes` is not what `encode` wrote.
Result<Request> decodeRequest(std::span<const std::byte> bytes);
Result<Answer> decodeAnswer(std::span<const std::byte> bytes);

} // namespace quern::compiler
