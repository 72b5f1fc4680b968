#include "runtime/compile_steps.h"

#include <algorithm>
#include <vector>

#include "abi/program_image_fields.h"
#include "base/config.h"
#include "base/fields.h"
#include "runtime/build_options.h"
#include "runtime/compiler_library.h"
#include "runtime/process.h"
#include "runtime/program_cache.h"
#include "trace/trace.h"

namespace quern::runtime {

namespace {

using compiler::Compiler;
using compiler::DumpRequest;
using compiler::Header;

/// Enough of a key's digits to keep the programs of one folder apart.
constexpr size_t dumpPrefixLength = 12;

Hash128 hashText(std::string_view step, const ProgramText& text) {
  Hasher hasher;
  hasher.add(step);
  hasher.add(text.source);
  for (const Header& header : text.headers) {
    hasher.add(header.name);
    hasher.add(header.text);
  }
  if (!text.il.empty())
    hasher.add(text.il);
  for (const compiler::SpecializationValue& constant : text.specialization) {
    hasher.add(uint64_t{constant.specId});
    hasher.add(constant.value);
  }
  return hasher.finish();
}

} // namespace

/// A binary in the making. `ok` false ends it; the log says why.
struct CompileSteps::Product {
  bool ok = true;
  std::string log;
  ProgramBinary binary;
  std::vector<compiler::Dependency> includes;

  void addLog(const std::string& text) {
    if (!log.empty() && log.back() != '\n' && !text.empty())
      log += '\n';
    log += text;
  }
};

Result<BuildOutcome> CompileSteps::build(const ProgramText& text) const {
  return cachedOrMade(hashText("build", text), [&](Compiler& compiler, const DumpRequest& dump) {
    Product product;
    compileInto(product, compiler, text, dump);
    const Bytes compiled = std::move(product.binary.ir);
    const std::span<const std::byte> inputs[] = {compiled};
    linkInto(product, compiler, inputs);
    generateInto(product, compiler, dump);
    return product;
  });
}

Result<BuildOutcome> CompileSteps::compile(const ProgramText& text) const {
  return cachedOrMade(hashText("compile", text), [&](Compiler& compiler, const DumpRequest& dump) {
    Product product;
    compileInto(product, compiler, text, dump);
    product.binary.kind = ProgramBinary::Kind::CompiledObject;
    return product;
  });
}

Result<BuildOutcome>
CompileSteps::link(std::span<const std::shared_ptr<const ProgramBinary>> inputs) const {
  Hasher hasher;
  hasher.add("link");
  std::vector<std::span<const std::byte>> irs;
  for (const auto& input : inputs) {
    hasher.add(input->ir);
    hasher.add(uint64_t{input->mayBeNonUniform});
    irs.emplace_back(input->ir);
  }
  return cachedOrMade(hasher.finish(), [&](Compiler& compiler, const DumpRequest& dump) {
    Product product;
    linkInto(product, compiler, irs);
    // All inputs must support non-uniform work-groups (5.10 "Executing Kernels").
    product.binary.mayBeNonUniform =
        std::ranges::all_of(inputs, [](const auto& input) { return input->mayBeNonUniform; });
    if (options_.createLibrary)
      product.binary.kind = ProgramBinary::Kind::Library;
    else
      generateInto(product, compiler, dump);
    return product;
  });
}

Hash128 CompileSteps::hashGenerated(const ProgramBinary& executable) const {
  Hasher hasher;
  hasher.add("generate");
  hasher.add(uint64_t{options_.anyRange});
  hasher.add(options_.onlyKernel);
  FieldWriter facts;
  facts(options_.facts);
  hasher.add(facts.take());
  hasher.add(executable.ir);
  return hasher.finish();
}

Result<BuildOutcome> CompileSteps::findGenerated(const ProgramBinary& executable) const {
  return cachedOrMade(hashGenerated(executable), nullptr);
}

Result<BuildOutcome> CompileSteps::generate(const ProgramBinary& executable) const {
  const auto make = [&](Compiler& compiler, const DumpRequest& dump) {
    Product product;
    product.binary.ir = executable.ir;
    product.binary.mayBeNonUniform = executable.mayBeNonUniform;
    generateInto(product, compiler, dump);
    product.binary.ir.clear(); // The cache need not have it for each kernel.
    return product;
  };
  QUERN_ASSIGN(BuildOutcome outcome, cachedOrMade(hashGenerated(executable), make));
  if (outcome.binary && needsIr(outcome.binary->image)) {
    auto binary = std::make_shared<ProgramBinary>(*outcome.binary);
    binary->ir = executable.ir;
    outcome.binary = std::move(binary);
  }
  return outcome;
}

std::optional<BuildOutcome> CompileSteps::findInCache(const ProgramCache& cache, const Hash128& key,
                                                      const BinaryOrigin& origin) const {
  trace::Scope scope("cache", "cache: miss", options_.onlyKernel);
  std::optional<ProgramCache::Entry> entry = cache.find(key);
  if (!entry)
    return std::nullopt;
  Result<ProgramBinary> binary = decodeProgramBinary(entry->binary, origin);
  if (!binary.ok())
    return std::nullopt;
  scope.setName("cache: hit");
  Process::current().compilers().endPrepared();
  binary->options = optionsText_;
  return BuildOutcome{std::move(entry->log),
                      std::make_shared<const ProgramBinary>(*std::move(binary))};
}

Result<BuildOutcome> CompileSteps::cachedOrMade(const Hash128& inputs, const Make& make) const {
  CompilerLibrary& library = CompilerLibrary::get();
  const BinaryOrigin origin = originFor(target_, library.identity());
  Hasher hasher;
  hasher.add(library.driverIdentity());
  hasher.add(origin.compiler);
  hasher.add(origin.target);
  hasher.add(canonicalText(options_));
  hasher.add(uint64_t{options_.firstVersion});
  hasher.add(uint64_t{options_.kernelsOnDemand});
  hasher.add(uint64_t{config().isOn(Option::Spirv)});
  hasher.add(inputs.high);
  hasher.add(inputs.low);
  const Hash128 key = hasher.finish();
  const DumpRequest dump = {config().get(Option::Dump), toHex(key).substr(0, dumpPrefixLength)};

  // Without its identity a compiler cannot be told from the one that made an entry. A dump wants
  // every step to run.
  ProgramCache& cache = ProgramCache::configured();
  const bool mayCache = !origin.compiler.empty();
  if (mayCache && dump.folder.empty())
    if (std::optional<BuildOutcome> outcome = findInCache(cache, key, origin))
      return *std::move(outcome);

  if (!make)
    return BuildOutcome{};
  QUERN_ASSIGN(Compiler * compiler, library.compiler());
  Product product = make(*compiler, dump);
  if (!product.ok)
    return BuildOutcome{std::move(product.log), nullptr};
  product.binary.options = optionsText_;
  if (mayCache)
    cache.store(key, {recordIncludes(std::move(product.includes), options_.includeFolders),
                      product.log, encode(product.binary, origin)});
  return BuildOutcome{std::move(product.log),
                      std::make_shared<const ProgramBinary>(std::move(product.binary))};
}

void CompileSteps::compileInto(Product& product, Compiler& compiler, const ProgramText& text,
                               const DumpRequest& dump) const {
  compiler::Compiled compiled =
      text.il.empty() ? compiler.compile(text.source, text.headers, options_, target_, dump)
                      : compiler.compileIl(text.il, text.specialization, options_, target_, dump);
  product.ok = compiled.ok;
  product.addLog(compiled.log);
  product.binary.ir = std::move(compiled.ir);
  product.binary.mayBeNonUniform = allowsNonUniformGroups(options_);
  product.includes = std::move(compiled.dependencies);
}

void CompileSteps::linkInto(Product& product, Compiler& compiler,
                            std::span<const std::span<const std::byte>> inputs) const {
  if (!product.ok)
    return;
  compiler::Compiled linked = compiler.link(inputs, options_, target_);
  product.ok = linked.ok;
  product.addLog(linked.log);
  product.binary.ir = std::move(linked.ir);
}

void CompileSteps::generateInto(Product& product, Compiler& compiler,
                                const DumpRequest& dump) const {
  if (!product.ok)
    return;
  compiler::Generated generated = compiler.generate(product.binary.ir, options_, target_, dump);
  product.ok = generated.ok;
  product.addLog(generated.log);
  product.binary.kind = ProgramBinary::Kind::Executable;
  product.binary.image = std::move(generated.image);
  if (!needsIr(product.binary.image))
    product.binary.ir.clear();
}

} // namespace quern::runtime
