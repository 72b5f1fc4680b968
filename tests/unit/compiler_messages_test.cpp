#include "compiler/interface/messages.h"

#include <gtest/gtest.h>

namespace quern::compiler {
namespace {

Bytes bytesOf(std::string_view text) {
  const auto bytes = std::as_bytes(std::span(text.data(), text.size()));
  return {bytes.begin(), bytes.end()};
}

/// Answers with what it is asked, so that a request which lost something on its way shows it.
class Echo final : public Compiler {
public:
  Compiled compile(std::string_view source, std::span<const Header> headers, const Options& options,
                   const Target& target, const DumpRequest& dump) override {
    return {.ok = true,
            .log = std::string(source) + "," + headers[0].name + "," + headers[0].text + "," +
                   options.defines[0].second + "," + target.features[0] + "," + dump.folder,
            .ir = bytesOf("ir"),
            .dependencies = {{"path", 17}}};
  }
  Compiled compileIl(std::span<const std::byte> il, std::span<const SpecializationValue> constants,
                     const Options& options, const Target&, const DumpRequest&) override {
    return {.ok = constants[0].specId == 7 && options.kernelArgInfo,
            .ir = {il.begin(), il.end()},
            .dependencies = {{"constant", std::to_integer<uint64_t>(constants[0].value[1])}}};
  }
  Compiled link(std::span<const std::span<const std::byte>> programs, const Options& options,
                const Target&) override {
    return {.ok = programs.size() == 2 && options.createLibrary,
            .ir = {programs[1].begin(), programs[1].end()}};
  }
  Generated generate(std::span<const std::byte> ir, const Options& options, const Target&,
                     const DumpRequest&) override {
    Generated result;
    result.ok = options.facts.constants.size() == 1 && options.onlyKernel == "k";
    result.image.code = {ir.begin(), ir.end()};
    result.image.kernels.push_back({.name = "k", .facts = options.facts});
    return result;
  }
  Result<std::string> print(std::span<const std::byte>, const Options&, const Target&,
                            std::string_view form, std::string_view step) override {
    if (form == "none")
      return Status::error(CL_INVALID_VALUE, "there is none");
    return std::string(form) + std::string(step);
  }
  std::vector<std::string> steps(const Target& target) const override {
    return {target.description, "end"};
  }
  void onFailure(FailureHandler) override {}
};

/// By way of bytes in both directions, as between processes.
Answer ask(const Request& request) {
  Echo echo;
  const Result<Request> received = decodeRequest(encode(request));
  EXPECT_TRUE(received.ok());
  Result<Answer> answer = decodeAnswer(encode(call(echo, received.value())));
  EXPECT_TRUE(answer.ok());
  return std::move(answer).value();
}

TEST(CompilerMessages, CompileTakesAllThere) {
  Request request = {
      .call = Request::Call::Compile, .source = "source", .headers = {{"h", "text"}}};
  request.options.defines = {{"D", "7"}};
  request.target.features = {"feature"};
  request.dump.folder = "folder";
  const Answer answer = ask(request);
  EXPECT_TRUE(answer.ok);
  EXPECT_EQ(answer.log, "source,h,text,7,feature,folder");
  EXPECT_EQ(answer.ir, bytesOf("ir"));
  ASSERT_EQ(answer.dependencies.size(), 1u);
  EXPECT_EQ(answer.dependencies[0].path, "path");
  EXPECT_EQ(answer.dependencies[0].contentHash, 17u);
}

TEST(CompilerMessages, CompileIlTakesTheModuleAndItsConstants) {
  Request request = {.call = Request::Call::CompileIl,
                     .programs = {bytesOf("module")},
                     .constants = {{7, {std::byte{1}, std::byte{9}}}}};
  request.options.kernelArgInfo = true;
  const Answer answer = ask(request);
  EXPECT_TRUE(answer.ok);
  EXPECT_EQ(answer.ir, bytesOf("module"));
  EXPECT_EQ(9u, answer.dependencies.at(0).contentHash);
}

TEST(CompilerMessages, LinkTakesEveryProgram) {
  Request request = {.call = Request::Call::Link, .programs = {bytesOf("a"), bytesOf("bc")}};
  request.options.createLibrary = true;
  const Answer answer = ask(request);
  EXPECT_TRUE(answer.ok);
  EXPECT_EQ(answer.ir, bytesOf("bc"));
}

TEST(CompilerMessages, GenerateBringsTheImageBack) {
  Request request = {.call = Request::Call::Generate, .programs = {bytesOf("code")}};
  request.options.onlyKernel = "k";
  request.options.facts = {.localSize = {8, 4, 1}, .storedBytes = 99};
  request.options.facts.constants.add({.argument = 3, .value = -12});
  const Answer answer = ask(request);
  EXPECT_TRUE(answer.ok);
  EXPECT_EQ(answer.image.code, bytesOf("code"));
  ASSERT_EQ(answer.image.kernels.size(), 1u);
  EXPECT_EQ(answer.image.kernels[0].facts, request.options.facts);
}

TEST(CompilerMessages, PrintAndStepsBringTexts) {
  EXPECT_EQ(ask({.call = Request::Call::Print, .form = "llvm", .step = "x"}).texts,
            std::vector<std::string>{"llvmx"});
  const Answer none = ask({.call = Request::Call::Print, .form = "none"});
  EXPECT_FALSE(none.ok);
  EXPECT_EQ(none.log, "there is none");
  Request steps = {.call = Request::Call::Steps};
  steps.target.description = "target";
  EXPECT_EQ(ask(steps).texts, (std::vector<std::string>{"target", "end"}));
}

TEST(CompilerMessages, WhatIsNoMessageIsAnError) {
  Bytes bytes = encode(Request{.source = "source"});
  bytes.pop_back();
  EXPECT_EQ(decodeRequest(bytes).takeStatus().code(), CL_INVALID_VALUE);
  EXPECT_EQ(decodeAnswer({}).takeStatus().code(), CL_INVALID_VALUE);
}

} // namespace
} // namespace quern::compiler
