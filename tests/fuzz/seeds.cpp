#include "fuzz/seeds.h"

#include "compiler/interface/messages.h"
#include "runtime/program_binary.h"

namespace quern::fuzz {
namespace {

Bytes bytesOf(std::string_view text) {
  const auto bytes = std::as_bytes(std::span(text));
  return {bytes.begin(), bytes.end()};
}

/// With something in each list, and most fields other than they are where nothing is said.
abi::ProgramImage imageOfOneKernel() {
  abi::KernelDescription kernel = {.name = "copy",
                                   .attributes = "reqd_work_group_size(8,1,1)",
                                   .argumentBlockBytes = 12,
                                   .requiredWorkGroupSize = {8, 1, 1},
                                   .localBytes = 64,
                                   .entrySymbol = "quern.kernel.copy",
                                   .contextItemBytes = 16,
                                   .packetWidth = 8,
                                   .rangeLimit = 1 << 20,
                                   .subGroupSize = 8,
                                   .isFirstVersion = true};
  kernel.arguments = {
      {.kind = abi::ArgumentKind::Global, .bytes = 8, .alignment = 4, .name = "p"},
      {.kind = abi::ArgumentKind::Value, .offset = 8, .bytes = 4, .typeName = "int"}};
  kernel.constantCandidates = {{.argument = 1, .limit = 1000}};
  kernel.facts.localSize = {8, 1, 1};
  kernel.facts.constants.add({.argument = 1, .value = -3});
  return {.kernels = {kernel},
          .code = bytesOf("\x7f"
                          "ELF"),
          .globalVariableBytes = 4};
}

runtime::ProgramBinary executable() {
  return {.kind = runtime::ProgramBinary::Kind::Executable,
          .options = "-cl-fast-relaxed-math",
          .ir = bytesOf("BC\xc0\xde"),
          .image = imageOfOneKernel()};
}

compiler::Request request() {
  compiler::Request request = {
      .call = compiler::Request::Call::Print,
      .workingFolder = "/tmp",
      .source = "kernel void copy(global int* p) {}",
      .headers = {{.name = "a.h", .text = "#define A 1"}},
      .programs = {bytesOf("BC\xc0\xde"), {}},
      .constants = {{.specId = 1, .value = bytesOf("\x02")}},
      .target = {.description = "x86_64;cpu=generic", .features = {"cl_khr_fp64"}},
      .form = "llvm",
      .step = "form-regions"};
  request.options.standard = compiler::LanguageStandard::CL30;
  request.options.defines = {{"A", "1"}};
  request.options.includeFolders = {"/tmp"};
  request.options.facts = imageOfOneKernel().kernels.front().facts;
  return request;
}

compiler::Answer answer() {
  return {.ok = true,
          .log = "warning",
          .ir = bytesOf("BC\xc0\xde"),
          .dependencies = {{.path = "/tmp/a.h", .contentHash = 1}},
          .image = imageOfOneKernel(),
          .texts = {"one", "two"}};
}

} // namespace

std::vector<Seed> seeds() {
  const runtime::BinaryOrigin origin = {
      .compiler = "compiler", .target = "target", .language = "language"};
  runtime::BinaryOrigin another = origin;
  another.target = "another";
  return {
      {"messages/answer", compiler::encode(answer())},
      {"messages/request", compiler::encode(request())},
      {"program_binary/executable", runtime::encode(executable(), origin)},
      {"program_binary/library",
       runtime::encode({.kind = runtime::ProgramBinary::Kind::Library, .ir = bytesOf("BC")},
                       origin)},
      {"program_binary/of_another_target", runtime::encode(executable(), another)},
      {"program_image/no_kernel", abi::encode(abi::ProgramImage())},
      {"program_image/one_kernel", abi::encode(imageOfOneKernel())},
  };
}

} // namespace quern::fuzz
