// image/normalized.cl for NVIDIA's GPUs: rounded correctly, as by the hardware that reads textures,
// so that all reads of an element give the same.
#include "types.h"

BUILTIN float4 __nvptx___quern_normalized(float4 x, float steps, float inverse) {
  const float4 quotient = x * inverse;
  const float4 rest = __builtin_elementwise_fma(-quotient, (float4)steps, x);
  return __builtin_elementwise_fma(rest, (float4)inverse, quotient);
}
