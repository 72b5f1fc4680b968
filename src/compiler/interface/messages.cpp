#include "compiler/interface/messages.h"

#include "abi/program_image_fields.h"
#include "base/sentence.h"

namespace quern::compiler {

template <typename Archive, MaybeConst<Options> T> void fields(Archive& archive, T& v) {
  archive(v.standard, v.defines, v.includeFolders, v.optDisable, v.singlePrecisionConstant,
          v.denormsAreZero, v.correctlyRoundedDivideSqrt, v.madEnable, v.noSignedZeros,
          v.unsafeMathOptimizations, v.finiteMathOnly, v.fastRelaxedMath, v.uniformWorkGroupSize,
          v.noSubgroupIfp, v.strictAliasing, v.kernelArgInfo, v.disableWarnings,
          v.warningsAreErrors, v.debugInfo, v.createLibrary, v.enableLinkOptions, v.anyRange,
          v.firstVersion, v.kernelsOnDemand, v.lines, v.onlyKernel, v.facts);
}

template <typename Archive, MaybeConst<Header> T> void fields(Archive& archive, T& v) {
  archive(v.name, v.text);
}

template <typename Archive, MaybeConst<SpecializationValue> T> void fields(Archive& archive, T& v) {
  archive(v.specId, v.value);
}

template <typename Archive, MaybeConst<Dependency> T> void fields(Archive& archive, T& v) {
  archive(v.path, v.contentHash);
}

template <typename Archive, MaybeConst<Target> T> void fields(Archive& archive, T& v) {
  archive(v.description, v.features);
}

template <typename Archive, MaybeConst<DumpRequest> T> void fields(Archive& archive, T& v) {
  archive(v.folder, v.prefix);
}

template <typename Archive, MaybeConst<Request> T> void fields(Archive& archive, T& v) {
  archive(v.call, v.workingFolder, v.source, v.headers, v.programs, v.constants, v.options,
          v.target, v.dump, v.form, v.step);
}

template <typename Archive, MaybeConst<Answer> T> void fields(Archive& archive, T& v) {
  archive(v.ok, v.log, v.ir, v.dependencies, v.image, v.texts, v.isLast);
}

namespace {

Answer answerOf(Compiled compiled) {
  return {.ok = compiled.ok,
          .log = std::move(compiled.log),
          .ir = std::move(compiled.ir),
          .dependencies = std::move(compiled.dependencies)};
}

Answer answerOf(Generated generated) {
  return {.ok = generated.ok, .log = std::move(generated.log), .image = std::move(generated.image)};
}

Answer answerOf(Result<std::string> text) {
  if (!text.ok())
    return {.log = text.status().sentence()};
  return {.ok = true, .texts = {*std::move(text)}};
}

template <typename Message> Bytes encoded(const Message& message) {
  FieldWriter out;
  out(message);
  return out.take();
}

template <typename Message> Result<Message> decoded(std::span<const std::byte> bytes) {
  FieldReader in(bytes);
  Message message;
  in(message);
  if (!in.isComplete())
    return Status::error(CL_INVALID_VALUE, sentence("a message of ", bytes.size(),
                                                    " bytes is none of the compiler's"));
  return message;
}

} // namespace

Answer call(Compiler& compiler, const Request& request) {
  const std::span<const Bytes> programs = request.programs;
  const Bytes none;
  const Bytes& program = programs.empty() ? none : programs.front();
  switch (request.call) {
  case Request::Call::Compile:
    return answerOf(compiler.compile(request.source, request.headers, request.options,
                                     request.target, request.dump));
  case Request::Call::CompileIl:
    return answerOf(compiler.compileIl(program, request.constants, request.options, request.target,
                                       request.dump));
  case Request::Call::Link: {
    const std::vector<std::span<const std::byte>> spans(programs.begin(), programs.end());
    return answerOf(compiler.link(spans, request.options, request.target));
  }
  case Request::Call::Generate:
    return answerOf(compiler.generate(program, request.options, request.target, request.dump));
  case Request::Call::Print:
    return answerOf(
        compiler.print(program, request.options, request.target, request.form, request.step));
  case Request::Call::Steps:
    return {.ok = true, .texts = compiler.steps(request.target)};
  case Request::Call::Prepare:
    break;
  }
  return {.log = "error: the compiler has no such function\n"};
}

Bytes encode(const Request& request) {
  return encoded(request);
}

Bytes encode(const Answer& answer) {
  return encoded(answer);
}

Result<Request> decodeRequest(std::span<const std::byte> bytes) {
  return decoded<Request>(bytes);
}

Result<Answer> decodeAnswer(std::span<const std::byte> bytes) {
  return decoded<Answer>(bytes);
}

} // namespace quern::compiler
