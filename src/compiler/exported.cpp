#include "compiler/library.h"

extern "C" __attribute__((visibility("default"))) quern::compiler::Compiler*
quernCompiler(uint32_t version) {
  // Never destroyed: the program may still compile while static objects go away.
  static auto& library = *new quern::compiler::Library;
  return version == quern::compiler::interfaceVersion ? &library : nullptr;
}
