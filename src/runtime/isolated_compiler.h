#pragma once

#include "compiler/interface/messages.h"

namespace quern::runtime {

/// The compiler in processes of its own (runtime/compiler_processes.h): a compile that ends its
/// process is one that failed, with a log that says why.
class IsolatedCompiler final : public compiler::Compiler {
public:
  compiler::Compiled compile(std::string_view source, std::span<const compiler::Header> headers,
                             const compiler::Options& options, const compiler::Target& target,
                             const compiler::DumpRequest& dump) override;
  compiler::Compiled compileIl(std::span<const std::byte> il,
                               std::span<const compiler::SpecializationValue> constants,
                               const compiler::Options& options, const compiler::Target& target,
                               const compiler::DumpRequest& dump) override;
  compiler::Compiled link(std::span<const std::span<const std::byte>> programs,
                          const compiler::Options& options,
                          const compiler::Target& target) override;
  compiler::Generated generate(std::span<const std::byte> ir, const compiler::Options& options,
                               const compiler::Target& target,
                               const compiler::DumpRequest& dump) override;
  Result<std::string> print(std::span<const std::byte> ir, const compiler::Options& options,
                            const compiler::Target& target, std::string_view form,
                            std::string_view step) override;
  std::vector<std::string> steps(const compiler::Target& target) const override;
  /// Nothing ends this process.
  void onFailure(compiler::FailureHandler) override {}
};

} // namespace quern::runtime
