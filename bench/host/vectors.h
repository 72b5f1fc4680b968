// Vector registers of the machine that the host's side is compiled for, of any element type.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <immintrin.h>
#include <unistd.h>
#include <utility>

namespace quern::bench::host {

#ifdef __AVX512F__
constexpr size_t vectorBytes = 64;
constexpr size_t vectorRegisters = 32;
#elif defined(__AVX__)
constexpr size_t vectorBytes = 32;
constexpr size_t vectorRegisters = 16;
#else
constexpr size_t vectorBytes = 16;
constexpr size_t vectorRegisters = 16;
#endif

template <typename T> struct VectorOf {
  typedef T Type __attribute__((vector_size(vectorBytes)));
};
template <typename T> using Vector = typename VectorOf<T>::Type;
template <typename T> constexpr size_t lanes = vectorBytes / sizeof(T);

template <typename T> Vector<T> load(const T* from) {
  Vector<T> value;
  std::memcpy(&value, from, sizeof value);
  return value;
}

template <typename T> void store(T* to, Vector<T> value) {
  std::memcpy(to, &value, sizeof value);
}

template <typename T> Vector<T> broadcast(T value) {
  return value - Vector<T>{};
}

/// 1 / sqrt: the processor's approximation, and a step of Newton's method.
inline Vector<float> inverseRoot(Vector<float> value) {
#ifdef __AVX512F__
  const Vector<float> guess = _mm512_rsqrt14_ps(value);
#elif defined(__AVX__)
  const Vector<float> guess = _mm256_rsqrt_ps(value);
#else
  const Vector<float> guess = _mm_rsqrt_ps(value);
#endif
  return guess * (1.5f - 0.5f * value * guess * guess);
}

/// Stores past the caches; `to` is aligned for a vector.
template <typename T> void stream(T* to, Vector<T> value) {
#ifdef __AVX512F__
  _mm512_stream_si512(reinterpret_cast<__m512i*>(to), reinterpret_cast<__m512i>(value));
#elif defined(__AVX__)
  _mm256_stream_si256(reinterpret_cast<__m256i*>(to), reinterpret_cast<__m256i>(value));
#else
  _mm_stream_si128(reinterpret_cast<__m128i*>(to), reinterpret_cast<__m128i>(value));
#endif
}

/// Whether so many bytes are more than the last cache holds.
inline bool exceedsCaches(size_t bytes) {
  static const long size = sysconf(_SC_LEVEL3_CACHE_SIZE);
  return size > 0 && bytes > static_cast<size_t>(size);
}

/// out[i] = vectorAt(i), or elementAt(i) where no whole vector is left, for begin <= i < end. Past
/// the caches if `streams`.
template <typename T, typename VectorAt, typename ElementAt>
void fill(T* out, size_t begin, size_t end, bool streams, VectorAt vectorAt, ElementAt elementAt) {
  size_t i = begin;
  const auto isAligned = [&] { return reinterpret_cast<uintptr_t>(out + i) % vectorBytes == 0; };
  for (; i < end && streams && !isAligned(); ++i)
    out[i] = elementAt(i);
  if (streams) {
    for (; i + lanes<T> <= end; i += lanes<T>)
      stream(out + i, vectorAt(i));
    _mm_sfence();
  }
  for (; i + lanes<T> <= end; i += lanes<T>)
    store(out + i, vectorAt(i));
  for (; i < end; ++i)
    out[i] = elementAt(i);
}

/// The elements of two vectors, those of `second` counted from lanes<T> on, in the order of an
/// array of indices.
template <typename T, typename Index, size_t count>
Vector<T> picked(Vector<T> first, Vector<T> second, const std::array<Index, count>& order) {
  typedef Index Mask __attribute__((vector_size(vectorBytes)));
  Mask mask;
  std::memcpy(&mask, order.data(), sizeof mask);
  return __builtin_shuffle(first, second, mask);
}

} // namespace quern::bench::host
