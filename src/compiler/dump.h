#pragma once

#include <string>
#include <string_view>

#include <llvm/IR/Module.h>

#include "compiler/interface/compiler.h"

namespace quern::compiler {

/// Writes the stages of a compile to files, where the request names a folder. Failures are ignored:
/// a dump is a convenience.
class Dump {
public:
  explicit Dump(const DumpRequest& request) : request_(request) {}

  bool isOn() const { return !request_.folder.empty(); }
  /// The file for `suffix`, e.g. "03-clean-up.ll".
  std::string path(std::string_view suffix) const;
  void write(std::string_view suffix, std::string_view text) const;
  void write(std::string_view suffix, const llvm::Module& module) const;

private:
  const DumpRequest& request_;
};

std::string printModule(const llvm::Module& module);

} // namespace quern::compiler
