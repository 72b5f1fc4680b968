#pragma once

#include <llvm/ADT/StringRef.h>

#include <optional>
#include <string>

namespace quern::compiler {

/// The symbol of a function of OpenCL C that can be overloaded, in its two parts.
struct FunctionName {
  llvm::StringRef name;
  llvm::StringRef parameters; ///< their types, as the symbol encodes them

  /// Nothing for symbols that name no such function. Refers to `symbol`.
  static std::optional<FunctionName> parse(llvm::StringRef symbol) {
    size_t length = 0;
    if (!symbol.consume_front("_Z") || symbol.consumeInteger(10, length) || length > symbol.size())
      return std::nullopt;
    return FunctionName{symbol.take_front(length), symbol.drop_front(length)};
  }

  /// The symbol of the function that has `prefix` in front of the name, and the same parameters.
  std::string withPrefix(llvm::StringRef prefix) const {
    return ("_Z" + llvm::Twine(prefix.size() + name.size()) + prefix + name + parameters).str();
  }
};

} // namespace quern::compiler
