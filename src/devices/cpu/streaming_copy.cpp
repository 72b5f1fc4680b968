#include "devices/cpu/streaming_copy.h"

#include <algorithm>
#include <cstring>
#include <emmintrin.h>

namespace quern::cpu {

namespace {

/// Stores leave the processor as whole lines of this many bytes.
constexpr uint64_t lineBytes = 64;

} // namespace

void copyStreaming(std::byte* destination, const std::byte* source, uint64_t bytes) {
  const uint64_t misplaced = reinterpret_cast<uint64_t>(destination) % lineBytes;
  const uint64_t head = std::min((lineBytes - misplaced) % lineBytes, bytes);
  const uint64_t lines = (bytes - head) / lineBytes;
  std::memcpy(destination, source, head);
  auto* to = reinterpret_cast<__m128i*>(destination + head);
  auto* from = reinterpret_cast<const __m128i*>(source + head);
  for (uint64_t i = 0; i < lines; ++i, to += 4, from += 4) {
    const __m128i a = _mm_loadu_si128(from), b = _mm_loadu_si128(from + 1);
    const __m128i c = _mm_loadu_si128(from + 2), d = _mm_loadu_si128(from + 3);
    _mm_stream_si128(to, a);
    _mm_stream_si128(to + 1, b);
    _mm_stream_si128(to + 2, c);
    _mm_stream_si128(to + 3, d);
  }
  const uint64_t copied = head + lines * lineBytes;
  std::memcpy(destination + copied, source + copied, bytes - copied);
  _mm_sfence(); // streaming stores are not ordered with those that say that the copy is complete
}

} // namespace quern::cpu
