#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace quern::compiler {

/// Reads the file that builtin_index/format.h describes. Immutable, so safe from any thread.
class BuiltinIndex {
public:
  /// `file` stays alive as long as the index.
  explicit BuiltinIndex(std::string_view file) : file_(file) {}

  /// The module that defines `symbol`.
  std::optional<uint32_t> find(std::string_view symbol) const;
  /// A module's bitcode.
  std::string_view module(uint32_t number) const;

private:
  template <typename T> T read(size_t offset) const;
  std::string_view file_;
};

} // namespace quern::compiler
