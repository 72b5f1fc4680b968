#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/hash.h"
#include "base/result.h"
#include "compiler/interface/compiler.h"
#include "runtime/program_binary.h"

namespace quern::runtime {

class ProgramCache;

/// What compiling or linking for one target gave: a binary, or none and a log that says why. The
/// log may hold warnings beside a binary.
struct BuildOutcome {
  std::string log;
  std::shared_ptr<const ProgramBinary> binary;
};

/// What a program is compiled from: a source and the headers that the call gives, or SPIR-V and
/// values of its specialisation constants.
struct ProgramText {
  std::string_view source;
  std::span<const compiler::Header> headers;
  std::span<const std::byte> il; ///< empty where there is a source
  std::span<const compiler::SpecializationValue> specialization;
};

/// The work of clBuildProgram, clCompileProgram and clLinkProgram for one target, with the program
/// cache in front of the compiler. Takes long; hold no lock. Thread-safe. Each function fails with
/// CL_COMPILER_NOT_AVAILABLE when the compiler is needed and cannot be loaded; a program that does
/// not compile is an outcome without a binary, not a failure.
class CompileSteps {
public:
  /// `optionsText` is what the program gave and `options` what it means. The arguments must outlive
  /// the object.
  CompileSteps(const compiler::Options& options, std::string_view optionsText,
               const compiler::Target& target)
      : options_(options), optionsText_(optionsText), target_(target) {}

  /// Text to executable.
  Result<BuildOutcome> build(const ProgramText& text) const;
  /// Text to compiled object.
  Result<BuildOutcome> compile(const ProgramText& text) const;
  /// Compiled objects and libraries to an executable or, with -create-library, a library.
  Result<BuildOutcome> link(std::span<const std::shared_ptr<const ProgramBinary>> inputs) const;
  /// An executable's IR to other code: for another target, for NDRanges of any size
  /// (compiler::Options::anyRange), or of one kernel alone (compiler::Options::onlyKernel).
  Result<BuildOutcome> generate(const ProgramBinary& executable) const;
  /// What `generate` would give, without IR, if the cache has it; else an outcome without a binary.
  Result<BuildOutcome> findGenerated(const ProgramBinary& executable) const;

private:
  struct Product;
  using Make = std::function<Product(compiler::Compiler&, const compiler::DumpRequest&)>;

  std::optional<BuildOutcome> findInCache(const ProgramCache& cache, const Hash128& key,
                                          const BinaryOrigin& origin) const;
  /// Without `make` only what the cache has.
  Result<BuildOutcome> cachedOrMade(const Hash128& inputs, const Make& make) const;
  Hash128 hashGenerated(const ProgramBinary& executable) const;
  void compileInto(Product& product, compiler::Compiler& compiler, const ProgramText& text,
                   const compiler::DumpRequest& dump) const;
  void linkInto(Product& product, compiler::Compiler& compiler,
                std::span<const std::span<const std::byte>> inputs) const;
  void generateInto(Product& product, compiler::Compiler& compiler,
                    const compiler::DumpRequest& dump) const;

  const compiler::Options& options_;
  const std::string_view optionsText_;
  const compiler::Target& target_;
};

} // namespace quern::runtime
