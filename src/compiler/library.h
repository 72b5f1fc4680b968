#pragma once

#include "compiler/interface/compiler.h"

namespace quern::compiler {

/// The compiler behind the interface: each call works in an LLVM context of its own.
class Library final : public Compiler {
public:
  Compiled compile(std::string_view source, std::span<const Header> headers, const Options& options,
                   const Target& target, const DumpRequest& dump) override;
  Compiled compileIl(std::span<const std::byte> il, std::span<const SpecializationValue> constants,
                     const Options& options, const Target& target,
                     const DumpRequest& dump) override;
  Compiled link(std::span<const std::span<const std::byte>> programs, const Options& options,
                const Target& target) override;
  Generated generate(std::span<const std::byte> ir, const Options& options, const Target& target,
                     const DumpRequest& dump) override;
  Result<std::string> print(std::span<const std::byte> ir, const Options& options,
                            const Target& target, std::string_view form,
                            std::string_view step) override;
  std::vector<std::string> steps(const Target& target) const override;
  void onFailure(FailureHandler handler) override;
};

} // namespace quern::compiler
