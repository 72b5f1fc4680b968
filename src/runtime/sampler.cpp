#include "runtime/sampler.h"

#include "abi/sampler_bits.h"

namespace quern::runtime {

namespace {

uint64_t addressingBits(cl_addressing_mode mode) {
  switch (mode) {
  case CL_ADDRESS_CLAMP_TO_EDGE:
    return abi::samplerAddressClampToEdge;
  case CL_ADDRESS_CLAMP:
    return abi::samplerAddressClamp;
  case CL_ADDRESS_REPEAT:
    return abi::samplerAddressRepeat;
  case CL_ADDRESS_MIRRORED_REPEAT:
    return abi::samplerAddressMirroredRepeat;
  default:
    return abi::samplerAddressNone;
  }
}

} // namespace

uint64_t Sampler::bits() const {
  return (creation_.normalizedCoords ? abi::samplerNormalizedCoords : 0) |
         addressingBits(creation_.addressingMode) |
         (creation_.filterMode == CL_FILTER_LINEAR ? abi::samplerFilterLinear
                                                   : abi::samplerFilterNearest);
}

} // namespace quern::runtime
