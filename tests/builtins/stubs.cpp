// What the library expects from the compiler, for a group of one work-item.
#include <cstddef>

#include "stubs.h"

namespace quern::builtins {
std::size_t localId = 0;
int barrierCount = 0;
const void* localMemory = nullptr;
const void* privateMemory = nullptr;
} // namespace quern::builtins

using namespace quern::builtins;

extern "C" {
std::size_t _Z12get_local_idj(unsigned dimension) {
  return dimension == 0 ? localId : 0;
}
void _Z7barrierj(unsigned) {
  ++barrierCount;
}
int __quern_address_space_of(const void* p) {
  return p == localMemory ? 3 : p == privateMemory ? 0 : 1;
}
}
