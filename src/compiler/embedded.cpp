#include "compiler/embedded.h"

extern "C" {
extern const char quern_clang_header[], quern_clang_header_end[];
extern const char quern_own_header[], quern_own_header_end[];
extern const char quern_builtins[], quern_builtins_end[];
}

namespace quern::compiler::embedded {

std::string_view clangHeader() {
  return {quern_clang_header, quern_clang_header_end};
}
std::string_view ownHeader() {
  return {quern_own_header, quern_own_header_end};
}
std::string_view builtins() {
  return {quern_builtins, quern_builtins_end};
}

} // namespace quern::compiler::embedded
