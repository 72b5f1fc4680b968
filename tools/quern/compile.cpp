#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "base/config.h"
#include "commands.h"
#include "device/launch_facts.h"
#include "driver.h"
#include "runtime/build_options.h"
#include "runtime/compiler_library.h"
#include "runtime/device.h"
#include "runtime/process.h"
#include "runtime/program_binary.h"

namespace quern::tool {

namespace {

/// The arguments of `quern compile`.
struct Request {
  std::string file;
  std::string options;
  std::string output;
  std::string emit;
  std::string step;
  std::string isa;
  std::string target;
  std::string llvmOptions;
  bool isVerified = false;
  bool listSteps = false;
  bool report = false;
  std::vector<uint64_t> localSize;
  bool wholeGroups = false;
  bool zeroOffset = false;
  uint64_t mostColumns = 0;
  uint64_t storedBytes = 0;
  bool disjointBuffers = false;
  std::vector<std::string> constants;
};

/// INDEX=VALUE.
abi::KnownArgument constantArgument(const std::string& text) {
  abi::KnownArgument constant = {0, 0};
  std::istringstream stream(text);
  char equals = 0;
  if (!(stream >> constant.argument >> equals >> constant.value) || equals != '=' ||
      !(stream >> std::ws).eof())
    throw Failure("'" + text + "' is no argument's index and value, as in 2=1000", 2);
  return constant;
}

/// What the code may rely on in every launch.
abi::LaunchFacts factsOf(const Request& request) {
  abi::LaunchFacts facts = {.wholeGroups = request.wholeGroups,
                            .disjointMemory = request.disjointBuffers,
                            .zeroOffset = request.zeroOffset,
                            .mostColumns = request.mostColumns,
                            .storedBytes = request.storedBytes};
  if (!request.localSize.empty())
    facts.localSize = {1, 1, 1};
  std::ranges::copy(request.localSize, facts.localSize.begin());
  if (request.constants.size() > abi::KnownArguments::most)
    throw Failure("code can rely on the values of at most " +
                      std::to_string(abi::KnownArguments::most) + " arguments",
                  2);
  for (const std::string& text : request.constants)
    facts.constants.add(constantArgument(text));
  return facts;
}

void require(const Status& status) {
  if (!status.ok())
    throw Failure(status.sentence());
}

/// Settings that the driver's code takes from the environment, made before it looks.
void setEnvironment(const Request& request) {
  if (!request.isa.empty())
    setenv("QUERN_CPU_ISA", request.isa.c_str(), 1);
  if (!request.llvmOptions.empty())
    setenv("QUERN_LLVM_OPTIONS", request.llvmOptions.c_str(), 1);
  // What LLVM prints is for whoever runs this, so the compiler runs here, unless it shall not.
  if (std::getenv("QUERN_LLVM_OPTIONS"))
    setenv("QUERN_COMPILER_PROCESS", "off", 0);
  if (request.isVerified)
    setenv("QUERN_VERIFY", "on", 1);
  if (!std::getenv("QUERN_COMPILER"))
    setenv("QUERN_COMPILER", libraryFile("libquern-compiler.so").c_str(), 1);
}

std::string readSource(const std::string& file) {
  std::ifstream stream;
  if (file != "-")
    stream.open(file, std::ios::binary);
  std::istream& in = file == "-" ? std::cin : stream;
  if (!in || std::filesystem::is_directory(file))
    throw Failure("the file " + file + " cannot be read");
  std::string text{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
  // Diagnostics and debug information then name the file.
  if (file == "-")
    return text;
  // Clang passes over the mark at the beginning only.
  constexpr std::string_view byteOrderMark = "\xef\xbb\xbf";
  if (text.starts_with(byteOrderMark))
    text.erase(0, byteOrderMark.size());
  return "#line 1 \"" + file + "\"\n" + text;
}

void writeOutput(const std::string& file, std::string_view content) {
  if (file.empty() || file == "-") {
    std::fwrite(content.data(), 1, content.size(), stdout);
    return;
  }
  std::ofstream out(file, std::ios::binary);
  out.write(content.data(), static_cast<std::streamsize>(content.size()));
  if (!out.flush())
    throw Failure("the file " + file + " cannot be written");
}

std::string_view asText(const Bytes& bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

/// One run of the compiler: source to IR at once, the rest when asked for.
class Compilation {
public:
  explicit Compilation(const Request& request) : request_(request) {
    Result<compiler::Compiler*> compiler = runtime::CompilerLibrary::get().compiler();
    require(compiler.takeStatus());
    compiler_ = *compiler;
    const auto devices = runtime::Process::current().devices();
    if (devices.empty() || devices.front()->caps().target.description.empty())
      throw Failure("the first device of QUERN_DEVICES cannot compile");
    target_ = devices.front()->caps().target;
    if (!request.target.empty())
      target_.description = request.target;
    Result<compiler::Options> options =
        runtime::parseWithConfiguredOptions(request.options, runtime::BuildStep::Build);
    require(options.takeStatus());
    options_ = *std::move(options);
    options_.includeFolders.push_back(std::filesystem::path(request.file).parent_path());
    if (options_.includeFolders.back().empty())
      options_.includeFolders.back() = ".";
    options_.facts = factsOf(request);
  }

  compiler::Compiler& compiler() { return *compiler_; }
  const compiler::Target& target() const { return target_; }

  void compile() {
    compiler::Compiled compiled =
        compiler_->compile(readSource(request_.file), {}, options_, target_, dump_);
    report(compiled.ok, compiled.log);
    const std::span<const std::byte> inputs[] = {compiled.ir};
    compiler::Compiled linked = compiler_->link(inputs, options_, target_);
    report(linked.ok, linked.log);
    ir_ = std::move(linked.ir);
  }

  /// IR after a step, assembly or the report.
  std::string print(const std::string& form) const {
    Result<std::string> text = compiler_->print(ir_, options_, target_, form, request_.step);
    require(text.takeStatus());
    return *std::move(text);
  }

  abi::ProgramImage generate() {
    compiler::Generated generated = compiler_->generate(ir_, options_, target_, dump_);
    report(generated.ok, generated.log);
    return std::move(generated.image);
  }

  /// What clGetProgramInfo returns for a program that was built with the same options.
  Bytes binary() {
    runtime::ProgramBinary binary;
    binary.options = request_.options;
    binary.mayBeNonUniform = runtime::allowsNonUniformGroups(options_);
    binary.image = generate();
    if (runtime::needsIr(binary.image))
      binary.ir = ir_;
    return encode(binary, runtime::originFor(target_, runtime::CompilerLibrary::get().identity()));
  }

private:
  static void report(bool ok, const std::string& log) {
    std::fputs(log.c_str(), stderr);
    if (!ok)
      throw Failure("");
  }

  const Request& request_;
  compiler::Compiler* compiler_ = nullptr;
  compiler::Target target_;
  compiler::Options options_;
  const compiler::DumpRequest dump_ = {config().get(Option::Dump), "quern-compile"};
  Bytes ir_;
};

void run(const Request& request) {
  setEnvironment(request);
  Compilation compilation(request);
  if (request.listSteps) {
    for (const std::string& step : compilation.compiler().steps(compilation.target()))
      std::printf("%s\n", step.c_str());
    return;
  }
  if (request.file.empty())
    throw Failure("there is no file to compile; try --help", 2);
  const bool hasFacts = factsOf(request) != abi::LaunchFacts();
  const bool isBinary =
      request.emit == "binary" || (request.emit.empty() && !request.output.empty());
  if (hasFacts && isBinary)
    throw Failure("a binary must run all launches: --local-size, --whole-groups, --most-columns, "
                  "--zero-offset, --disjoint-buffers and --argument are for reports, IR, assembly "
                  "and objects",
                  2);
  compilation.compile();
  if (request.report) {
    if (hasFacts)
      std::printf("code%s:\n", device::describe(factsOf(request)).c_str());
    std::fputs(compilation.print("report").c_str(), stdout);
    if (request.emit.empty() && request.output.empty())
      return;
  }
  if (request.emit == "llvm" || request.emit == "asm" || request.emit == "spirv")
    writeOutput(request.output, compilation.print(request.emit));
  else if (request.emit == "obj")
    writeOutput(request.output, asText(compilation.generate().code));
  else if (isBinary)
    writeOutput(request.output, asText(compilation.binary()));
  else
    compilation.generate();
}

} // namespace

void addCompile(CLI::App& app) {
  CLI::App* compile =
      app.add_subcommand("compile", "Compile a file of OpenCL C offline: print its diagnostics, or "
                                    "what the compiler makes of it.");
  auto request = std::make_shared<Request>();
  compile->add_option("FILE", request->file, "The source; - is standard input.");
  compile->add_option("--options", request->options, "Options of clBuildProgram, in one string.");
  compile->add_option("-o,--output", request->output,
                      "File to write; without it text goes to standard output.");
  CLI::Option* emit =
      compile
          ->add_option(
              "--emit", request->emit,
              "What to write: binary (for clCreateProgramWithBinary; the default with -o), obj "
              "(the "
              "relocatable object), asm, llvm or spirv (for clCreateProgramWithIL). Without it and "
              "-o only diagnostics are printed.")
          ->check(CLI::IsMember({"binary", "obj", "asm", "llvm", "spirv"}));
  compile
      ->add_option("--step", request->step,
                   "With --emit llvm: the IR after this step instead of the last.")
      ->needs(emit);
  compile
      ->add_option("--isa", request->isa,
                   "Instruction set to compile for instead of this machine's.")
      ->check(CLI::IsMember({"native", "avx512", "avx2", "sse42"}));
  compile->add_option(
      "--target", request->target,
      "Description of the target to compile for instead of the first device's, with "
      "the same language features: nvptx64;cpu=sm_90;features=+ptx78;sub-group=32");
  compile->add_flag(
      "--report", request->report,
      "Print for each kernel, and each part of it between barriers, how it runs several "
      "work-items at once, or why it does not.");
  compile
      ->add_option("--local-size", request->localSize,
                   "Compile for launches with this local size, as in 16,16: what kernels that take "
                   "long become while they run.")
      ->delimiter(',')
      ->expected(1, 3)
      ->check(CLI::Range(1, 1 << 16));
  compile->add_flag("--whole-groups", request->wholeGroups,
                    "Compile for launches whose local size divides their global size.");
  compile->add_option("--most-columns", request->mostColumns,
                      "Compile for launches with no more work-items than this in dimension 0, a "
                      "power of two.");
  compile->add_flag("--zero-offset", request->zeroOffset,
                    "Compile for launches whose global ids begin at 0.");
  compile->add_option("--stored-bytes", request->storedBytes,
                      "Compile for launches that store at least so much in buffers that they do "
                      "not read, and more than the caches hold.");
  compile->add_flag("--disjoint-buffers", request->disjointBuffers,
                    "Compile for launches whose buffers do not overlap.");
  compile
      ->add_option("--argument", request->constants,
                   "Compile for launches with this integer as an argument, as in 2=1000 for the "
                   "third one.")
      ->delimiter(',');
  compile->add_option("--llvm", request->llvmOptions,
                      "Options of LLVM for its passes and ours, in one string: "
                      "-print-after=form-packets, -time-passes, -opt-bisect-limit=100.");
  compile->add_flag("--verify", request->isVerified,
                    "Check the IR, and what passes promise each other of it, after each pass.");
  compile->add_flag("--list-steps", request->listSteps, "Print the names of the steps.");
  compile->callback([request] { run(*request); });
}

} // namespace quern::tool
