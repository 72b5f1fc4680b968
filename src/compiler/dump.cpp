#include "compiler/dump.h"

#include <llvm/Support/FileSystem.h>
#include <llvm/Support/Path.h>
#include <llvm/Support/raw_ostream.h>

namespace quern::compiler {

std::string Dump::path(std::string_view suffix) const {
  llvm::SmallString<128> path(request_.folder);
  llvm::sys::path::append(path, request_.prefix + "." + std::string(suffix));
  return std::string(path);
}

void Dump::write(std::string_view suffix, std::string_view text) const {
  if (!isOn())
    return;
  std::error_code error = llvm::sys::fs::create_directories(request_.folder);
  llvm::raw_fd_ostream stream(path(suffix), error);
  if (!error)
    stream << text;
  stream.clear_error();
}

void Dump::write(std::string_view suffix, const llvm::Module& module) const {
  if (isOn())
    write(suffix, printModule(module));
}

std::string printModule(const llvm::Module& module) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  module.print(stream, nullptr);
  return text;
}

} // namespace quern::compiler
