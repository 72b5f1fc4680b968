#include <cstdint>

#include <sys/random.h>

/// Takes the place of the C library's function for everything linked with the compiler. LLVM asks
/// it for the names of temporary files; C libraries before version 2.36 lack it, and nothing else
/// here needs one as new.
extern "C" __attribute__((visibility("hidden"))) uint32_t arc4random() {
  uint32_t number = 0;
  // Never interrupted, nor short, for so few bytes.
  static_cast<void>(getrandom(&number, sizeof(number), 0));
  return number;
}
