// Channels of normalized integers as numbers: x / steps, at most an ulp off.
#include "types.h"

BUILTIN float4 __quern_normalized(float4 x, float steps, float inverse) {
  return x * inverse;
}
