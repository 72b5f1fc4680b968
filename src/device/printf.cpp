#include "device/printf.h"

#include <algorithm>
#include <bit>
#include <clocale>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <optional>
#include <string_view>

#include <locale.h>

#include "abi/printf_record.h"

namespace quern::device {

namespace {

/// Larger widths and precisions are cut: one conversion must not be able to eat the host's memory.
constexpr uint32_t maxWidth = 1 << 16;

/// A conversion specification, split into its parts.
struct Conversion {
  std::string flags;
  uint32_t width = 0;
  std::optional<uint32_t> precision;
  uint32_t vectorSize = 0;   ///< 0: scalar
  uint32_t integerBytes = 4; ///< of an integer argument, as the length modifier says
  char specifier = 0;

  bool leftJustified() const { return flags.find('-') != std::string::npos; }
};

/// One argument of the record.
struct PrintedArgument {
  abi::PrintfField field;
  const std::byte* value;

  uint64_t bits(uint32_t element) const {
    uint64_t bits = 0;
    std::memcpy(&bits, value + element * field.elementBytes, field.elementBytes);
    return bits;
  }
};

class ArgumentReader {
public:
  explicit ArgumentReader(std::span<const std::byte> fields) : rest_(fields) {}

  std::optional<PrintedArgument> next() {
    PrintedArgument argument;
    if (rest_.size() < sizeof(argument.field))
      return std::nullopt;
    std::memcpy(&argument.field, rest_.data(), sizeof(argument.field));
    const size_t bytes = size_t(argument.field.elementBytes) * argument.field.elementCount;
    if (argument.field.elementBytes > 8 || bytes == 0 ||
        rest_.size() - sizeof(argument.field) < bytes)
      return std::nullopt;
    argument.value = rest_.data() + sizeof(argument.field);
    rest_ = rest_.subspan(sizeof(argument.field) + bytes);
    return argument;
  }

private:
  std::span<const std::byte> rest_;
};

/// Makes the C locale the calling thread's for its lifetime: the decimal point is a point.
class CLocale {
public:
  CLocale() : previous_(uselocale(cLocale())) {}
  ~CLocale() { uselocale(previous_); }
  CLocale(const CLocale&) = delete;
  CLocale& operator=(const CLocale&) = delete;

private:
  static locale_t cLocale() {
    static const locale_t locale = newlocale(LC_ALL_MASK, "C", nullptr);
    return locale;
  }
  locale_t previous_;
};

float halfToFloat(uint16_t half) {
  const uint32_t sign = uint32_t(half & 0x8000) << 16;
  const uint32_t exponent = (half >> 10) & 0x1f;
  const uint32_t mantissa = half & 0x3ff;
  if (exponent == 0) { // zero and denormals: mantissa * 2^-24 is exact in float
    const float magnitude = static_cast<float>(mantissa) * 0x1p-24f;
    return sign ? -magnitude : magnitude;
  }
  const uint32_t widened = exponent == 31 ? 255 : exponent - 15 + 127;
  return std::bit_cast<float>(sign | widened << 23 | mantissa << 13);
}

int64_t signExtend(uint64_t bits, uint32_t bytes) {
  const uint32_t unused = 64 - 8 * bytes;
  return static_cast<int64_t>(bits << unused) >> unused;
}

double asDouble(const PrintedArgument& argument, uint32_t element) {
  const uint64_t bits = argument.bits(element);
  if (argument.field.kind != abi::PrintfKind::Float)
    return static_cast<double>(signExtend(bits, argument.field.elementBytes));
  switch (argument.field.elementBytes) {
  case 2:
    return halfToFloat(static_cast<uint16_t>(bits));
  case 4:
    return std::bit_cast<float>(static_cast<uint32_t>(bits));
  default:
    return std::bit_cast<double>(bits);
  }
}

uint64_t asInteger(const PrintedArgument& argument, uint32_t element) {
  if (argument.field.kind == abi::PrintfKind::Float)
    return static_cast<uint64_t>(static_cast<int64_t>(asDouble(argument, element)));
  return static_cast<uint64_t>(signExtend(argument.bits(element), argument.field.elementBytes));
}

void appendPadded(std::string& output, const Conversion& conversion, std::string_view text) {
  const size_t padding = conversion.width > text.size() ? conversion.width - text.size() : 0;
  if (!conversion.leftJustified())
    output.append(padding, ' ');
  output.append(text);
  if (conversion.leftJustified())
    output.append(padding, ' ');
}

template <typename T>
void appendNumber(std::string& output, const Conversion& conversion, const char* length, T value) {
  std::string format = "%" + conversion.flags;
  if (conversion.width > 0)
    format += std::to_string(conversion.width);
  if (conversion.precision)
    format += "." + std::to_string(*conversion.precision);
  format += length;
  format += conversion.specifier;
  const size_t start = output.size();
  output.resize(start + 64);
  const int wanted = std::snprintf(output.data() + start, 64, format.c_str(), value);
  output.resize(start + static_cast<size_t>(std::max(wanted, 0)) + 1);
  if (wanted >= 64)
    std::snprintf(output.data() + start, static_cast<size_t>(wanted) + 1, format.c_str(), value);
  output.pop_back(); // the terminating zero
}

const char* stringAt(uint64_t address, const ReadString& readString) {
  return readString ? readString(address) : reinterpret_cast<const char*>(address);
}

void appendString(std::string& output, const Conversion& conversion,
                  const PrintedArgument& argument, const ReadString& readString) {
  const char* text = "(null)";
  if (const uint64_t address = argument.bits(0); address != 0)
    text = stringAt(address, readString);
  const size_t length =
      conversion.precision ? strnlen(text, *conversion.precision) : std::strlen(text);
  appendPadded(output, conversion, std::string_view(text, length));
}

void appendElement(std::string& output, const Conversion& conversion,
                   const PrintedArgument& argument, uint32_t element) {
  switch (conversion.specifier) {
  case 'd':
  case 'i':
    return appendNumber(output, conversion, "l",
                        signExtend(asInteger(argument, element), conversion.integerBytes));
  case 'o':
  case 'u':
  case 'x':
  case 'X': {
    const uint64_t mask = ~uint64_t(0) >> (64 - 8 * conversion.integerBytes);
    return appendNumber(output, conversion, "l", asInteger(argument, element) & mask);
  }
  case 'c': {
    const char character = static_cast<char>(asInteger(argument, element));
    return appendPadded(output, conversion, std::string_view(&character, 1));
  }
  case 'p': {
    char digits[24];
    std::snprintf(digits, sizeof(digits), "0x%lx", argument.bits(element));
    return appendPadded(output, conversion, digits);
  }
  default:
    return appendNumber(output, conversion, "", asDouble(argument, element));
  }
}

/// Reads a decimal number at `text`, which it advances.
uint32_t parseNumber(const char*& text) {
  uint32_t number = 0;
  for (; *text >= '0' && *text <= '9'; ++text)
    number = std::min(number * 10 + static_cast<uint32_t>(*text - '0'), maxWidth);
  return number;
}

void parseLength(const char*& text, Conversion& conversion) {
  const auto accept = [&](std::string_view modifier, uint32_t bytes) {
    if (std::strncmp(text, modifier.data(), modifier.size()) != 0)
      return false;
    text += modifier.size();
    conversion.integerBytes = bytes;
    return true;
  };
  // Longer modifiers first. ll, j, z and t are reserved or newer than the language version; they
  // all mean 64 bits.
  accept("hh", 1) || accept("hl", 4) || accept("h", 2) || accept("ll", 8) || accept("l", 8) ||
      accept("j", 8) || accept("z", 8) || accept("t", 8);
}

/// Parses what follows a '%' at `text`, which it advances behind the specification. Empty when that
/// is not a conversion.
std::optional<Conversion> parseConversion(const char*& text) {
  Conversion conversion;
  for (; *text != 0 && std::strchr("-+ #0", *text); ++text)
    conversion.flags += *text;
  conversion.width = parseNumber(text);
  if (*text == '.')
    conversion.precision = parseNumber(++text);
  if (*text == 'v')
    conversion.vectorSize = parseNumber(++text);
  parseLength(text, conversion);
  if (*text == 0 || !std::strchr("diouxXfFeEgGaAcsp", *text))
    return std::nullopt;
  conversion.specifier = *text++;
  return conversion;
}

void appendConversion(std::string& output, const Conversion& conversion,
                      const PrintedArgument& argument, const ReadString& readString) {
  if (conversion.specifier == 's')
    return appendString(output, conversion, argument, readString);
  const uint32_t elements =
      conversion.vectorSize == 0
          ? 1
          : std::min<uint32_t>(conversion.vectorSize, argument.field.elementCount);
  for (uint32_t i = 0; i < elements; ++i) {
    if (i > 0)
      output += ',';
    appendElement(output, conversion, argument, i);
  }
}

} // namespace

bool formatPrintf(std::span<const std::byte> record, std::string& output,
                  const ReadString& readString) {
  abi::PrintfHeader header;
  if (record.size() < sizeof(header))
    return false;
  std::memcpy(&header, record.data(), sizeof(header));
  if (header.format == 0 || header.recordBytes < sizeof(header) ||
      header.recordBytes > record.size())
    return false;
  ArgumentReader arguments(record.subspan(sizeof(header), header.recordBytes - sizeof(header)));
  const CLocale locale;

  const char* text = stringAt(header.format, readString);
  while (*text != 0) {
    const char* percent = strchrnul(text, '%');
    output.append(text, percent);
    text = percent;
    if (*text == 0)
      break;
    const char* specification = text++;
    if (*text == '%') {
      output += '%';
      ++text;
      continue;
    }
    const std::optional<Conversion> conversion = parseConversion(text);
    const std::optional<PrintedArgument> argument = conversion ? arguments.next() : std::nullopt;
    if (argument)
      appendConversion(output, *conversion, *argument, readString);
    else
      output.append(specification, text);
  }
  return true;
}

} // namespace quern::device
