#include "common.cuh"

// Functions are overloaded for float and double.
KERNEL apply(const TYPE* a, const TYPE* b, TYPE* result) {
  const uint i = globalId();
#ifdef BINARY
  result[i] = FUNCTION(a[i], b[i]);
#else
  result[i] = FUNCTION(a[i]);
#endif
}
