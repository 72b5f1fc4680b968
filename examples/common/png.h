// Writes pictures in the format PNG (ISO/IEC 15948), without compression: stored blocks of a zlib
// stream (RFC 1950, RFC 1951).
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <fstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace png {

using Bytes = std::vector<uint8_t>;

inline void putBigEndian(Bytes& out, uint32_t value) {
  for (int shift = 24; shift >= 0; shift -= 8)
    out.push_back(static_cast<uint8_t>(value >> shift));
}

/// The cyclic redundancy check of PNG's chunks.
inline uint32_t crc(const Bytes& bytes) {
  uint32_t rest = ~0u;
  for (const uint8_t byte : bytes) {
    rest ^= byte;
    for (int bit = 0; bit < 8; ++bit)
      rest = rest >> 1 ^ (rest & 1 ? 0xedb88320u : 0);
  }
  return ~rest;
}

inline void putChunk(Bytes& out, const std::string& type, const Bytes& content) {
  putBigEndian(out, static_cast<uint32_t>(content.size()));
  Bytes checked(type.begin(), type.end());
  checked.insert(checked.end(), content.begin(), content.end());
  out.insert(out.end(), checked.begin(), checked.end());
  putBigEndian(out, crc(checked));
}

/// A zlib stream that holds `bytes` as they are.
inline Bytes stored(const Bytes& bytes) {
  constexpr size_t largestBlock = 65535;
  Bytes out = {0x78, 0x01};
  uint32_t a = 1, b = 0; // the checksum Adler-32
  for (size_t begin = 0; begin < bytes.size(); begin += largestBlock) {
    const size_t length = std::min(bytes.size() - begin, largestBlock);
    const bool isLast = begin + length == bytes.size();
    const auto low = static_cast<uint8_t>(length), high = static_cast<uint8_t>(length >> 8);
    for (const uint8_t byte : {static_cast<uint8_t>(isLast), low, high, static_cast<uint8_t>(~low),
                               static_cast<uint8_t>(~high)})
      out.push_back(byte);
    for (size_t i = begin; i < begin + length; ++i) {
      out.push_back(bytes[i]);
      a = (a + bytes[i]) % 65521;
      b = (b + a) % 65521;
    }
  }
  putBigEndian(out, b << 16 | a);
  return out;
}

/// Writes a picture of red, green, blue and alpha, a byte each, row after row from the top.
inline void write(const std::string& fileName, const Bytes& pixels, uint32_t width,
                  uint32_t height) {
  Bytes header;
  putBigEndian(header, width);
  putBigEndian(header, height);
  for (const uint8_t value : {8, 6, 0, 0, 0}) // bits, red green blue alpha, and no choices
    header.push_back(value);
  Bytes rows;
  for (uint32_t y = 0; y < height; ++y) {
    rows.push_back(0); // not filtered
    const auto row = pixels.begin() + static_cast<ptrdiff_t>(size_t{4} * width * y);
    rows.insert(rows.end(), row, row + static_cast<ptrdiff_t>(size_t{4} * width));
  }
  Bytes out = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};
  putChunk(out, "IHDR", header);
  putChunk(out, "IDAT", stored(rows));
  putChunk(out, "IEND", {});
  std::ofstream file(fileName, std::ios::binary);
  file.write(reinterpret_cast<const char*>(out.data()), static_cast<std::streamsize>(out.size()));
  if (!file)
    throw std::runtime_error("cannot write the picture " + fileName);
}

} // namespace png
