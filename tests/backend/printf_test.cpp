// Formatting of printf records.
#include <bit>
#include <cmath>
#include <limits>
#include <locale.h>

#include <gtest/gtest.h>

#include "abi/printf_record.h"
#include "base/bytes.h"
#include "device/printf.h"

namespace quern::test {
namespace {

/// A record as compiled code would make it.
class Record {
public:
  explicit Record(const char* format) : format_(format) {}

  template <typename T> Record& add(std::initializer_list<T> elements) {
    constexpr auto kind = std::is_pointer_v<T>          ? abi::PrintfKind::Pointer
                          : std::is_floating_point_v<T> ? abi::PrintfKind::Float
                                                        : abi::PrintfKind::Integer;
    addField(kind, sizeof(T), elements.begin(), elements.size());
    return *this;
  }
  template <typename T> Record& add(T value) { return add<T>({value}); }
  Record& addHalves(std::initializer_list<uint16_t> bits) {
    addField(abi::PrintfKind::Float, 2, bits.begin(), bits.size());
    return *this;
  }

  Bytes bytes() const {
    ByteWriter writer;
    writer.put(abi::PrintfHeader{reinterpret_cast<uint64_t>(format_),
                                 static_cast<uint32_t>(sizeof(abi::PrintfHeader) + fields_.size()),
                                 count_});
    Bytes bytes = writer.take();
    bytes.insert(bytes.end(), fields_.begin(), fields_.end());
    return bytes;
  }
  std::string text() const {
    std::string text;
    EXPECT_TRUE(device::formatPrintf(bytes(), text));
    return text;
  }

private:
  void addField(abi::PrintfKind kind, size_t elementBytes, const void* elements, size_t count) {
    const std::byte head[] = {std::byte(kind), std::byte(elementBytes), std::byte(count)};
    const auto* data = static_cast<const std::byte*>(elements);
    fields_.insert(fields_.end(), std::begin(head), std::end(head));
    fields_.insert(fields_.end(), data, data + elementBytes * count);
    ++count_;
  }

  const char* format_;
  Bytes fields_;
  uint32_t count_ = 0;
};

template <typename T> std::string format(const char* text, T value) {
  return Record(text).add(value).text();
}

TEST(PrintfTest, TextAndPercentSigns) {
  EXPECT_EQ(Record("").text(), "");
  EXPECT_EQ(Record("plain\ttext\n").text(), "plain\ttext\n");
  EXPECT_EQ(Record("100%% of %%").text(), "100% of %");
  EXPECT_EQ(format("%%%d%%", 5), "%5%");
}

TEST(PrintfTest, IntegersWithFlagsWidthAndPrecision) {
  EXPECT_EQ(format("%5d|", 10), "   10|");
  EXPECT_EQ(format("%-5d|", 10), "10   |");
  EXPECT_EQ(format("%05d", 10), "00010");
  EXPECT_EQ(format("%+5d", 10), "  +10");
  EXPECT_EQ(format("%-+5d|", 10), "+10  |");
  EXPECT_EQ(format("%6.5i", 100), " 00100");
  EXPECT_EQ(format("%06.5i", 100), " 00100");
  EXPECT_EQ(format("%-06i|", 100), "100   |");
  EXPECT_EQ(format("% d", 42), " 42");
  EXPECT_EQ(format("%.0u", 0), "");
  EXPECT_EQ(format("%#o", 100000000), "0575360400");
  EXPECT_EQ(format("%#x", 0xABCDEF), "0xabcdef");
  EXPECT_EQ(format("%#X", 0), "0");
  EXPECT_EQ(format("%u", -1), "4294967295");
  EXPECT_EQ(format("%d", INT32_MIN), "-2147483648");
}

TEST(PrintfTest, LengthModifiersCutIntegers) {
  EXPECT_EQ(format("%hhd", 384), "-128");
  EXPECT_EQ(format("%hhx", -128), "80");
  EXPECT_EQ(format("%hd", 0x18001), "-32767");
  EXPECT_EQ(format("%ho", -32767), "100001");
  EXPECT_EQ(format("%ld", int64_t(-9223372036854775807)), "-9223372036854775807");
  EXPECT_EQ(format("%lx", int64_t(-9223372036854775807)), "8000000000000001");
  EXPECT_EQ(format("%zu", uint64_t(10000000000)), "10000000000");
  EXPECT_EQ(format("%+15td", int64_t(-10000000000)), "   -10000000000");
}

TEST(PrintfTest, FloatingPoint) {
  EXPECT_EQ(format("%f", 10.3456), "10.345600");
  EXPECT_EQ(format("%f", 0.5f), "0.500000");
  EXPECT_EQ(format("%08.2f", 3.14), "00003.14");
  EXPECT_EQ(format("%4.2g", 12345.6789), "1.2e+04");
  EXPECT_EQ(format("%4G", 0.0000023), "2.3E-06");
  EXPECT_EQ(format("%-#20.15e|", 789456123.0), "7.894561230000000e+08|");
  EXPECT_EQ(format("%.6a", 0.5), "0x1.000000p-1");
  EXPECT_EQ(format("%f", INFINITY), "inf");
  EXPECT_EQ(format("%F", -INFINITY), "-INF");
  EXPECT_EQ(format("%e", std::numeric_limits<double>::quiet_NaN()), "nan");
  EXPECT_EQ(format("%A", std::numeric_limits<double>::quiet_NaN()), "NAN");
  EXPECT_EQ(format("%010f", INFINITY), "       inf");
  EXPECT_EQ(format("%.300f", 1.0).size(), 302u);
}

TEST(PrintfTest, Vectors) {
  EXPECT_EQ(Record("f4 = %2.2v4hlf\n").add({1.f, 2.f, 3.f, 4.f}).text(),
            "f4 = 1.00,2.00,3.00,4.00\n");
  EXPECT_EQ(Record("%#v2hhx").add<uint8_t>({0xfa, 0xfb}).text(), "0xfa,0xfb");
  EXPECT_EQ(Record("%#v2hx").add<uint16_t>({0x1234, 0x8765}).text(), "0x1234,0x8765");
  EXPECT_EQ(Record("%#v2hlx").add({0x12345678u, 0x87654321u}).text(), "0x12345678,0x87654321");
  EXPECT_EQ(Record("%v2ld").add<int64_t>({12345678, -98765432}).text(), "12345678,-98765432");
  EXPECT_EQ(Record("%v3hhd").add<int8_t>({-1, 2, -128}).text(), "-1,2,-128");
  EXPECT_EQ(Record("%.2v3hle").add({1234.25f, 987654.5f, 0.0005f}).text(),
            "1.23e+03,9.88e+05,5.00e-04");
  EXPECT_EQ(Record("%v2la").add({0.25, 1.5}).text(), "0x1p-2,0x1.8p+0");
  EXPECT_EQ(Record("%05v4hlu").add({512u, 1024u, 262144u, 1048576u}).text(),
            "00512,01024,262144,1048576");
  EXPECT_EQ(Record("%+v2hli|%d").add({1, -2}).add(7).text(), "+1,-2|7");
}

TEST(PrintfTest, Halves) {
  EXPECT_EQ(Record("%2.2v4hf").addHalves({0x3c00, 0x4000, 0x4200, 0x4400}).text(),
            "1.00,2.00,3.00,4.00");
  EXPECT_EQ(Record("%v4hg").addHalves({0x8000, 0x0001, 0x7c00, 0x83ff}).text(),
            "-0,5.96046e-08,inf,-6.09756e-05");
}

TEST(PrintfTest, CharactersStringsAndPointers) {
  EXPECT_EQ(format("%4c|", int('1')), "   1|");
  EXPECT_EQ(format("%-4c|", int('1')), "1   |");
  EXPECT_EQ(format("%c", 0x100 + 66), "B");
  EXPECT_EQ(format("%4s|", static_cast<const char*>("foo")), " foo|");
  EXPECT_EQ(format("%-4s|", static_cast<const char*>("foo")), "foo |");
  EXPECT_EQ(format("%.1s", static_cast<const char*>("foo")), "f");
  EXPECT_EQ(format("%s", static_cast<const char*>("a%%b")), "a%%b");
  EXPECT_EQ(format("%s", static_cast<const char*>(nullptr)), "(null)");
  EXPECT_EQ(format("%p", reinterpret_cast<void*>(0x1234)), "0x1234");
  EXPECT_EQ(format("%8p|", static_cast<void*>(nullptr)), "     0x0|");
}

TEST(PrintfTest, UndefinedConversionsDoNoHarm) {
  EXPECT_EQ(Record("%d and %d").add(1).text(), "1 and %d");
  EXPECT_EQ(Record("%y %n").add(1).text(), "%y %n");
  EXPECT_EQ(Record("50%").text(), "50%");
  EXPECT_EQ(format("%v16hlf", 1.0f), "1.000000");
  EXPECT_EQ(format("%d", 2.5), "2");
  EXPECT_EQ(format("%.1f", 3), "3.0");
  EXPECT_LE(format("%999999999999d", 1).size(), 70'000u);
}

TEST(PrintfTest, TheHostsLocaleDoesNotMatter) {
  const char* const names[] = {"de_DE.UTF-8", "fr_FR.UTF-8", "C.UTF-8"};
  for (const char* name : names)
    if (const locale_t locale = newlocale(LC_ALL_MASK, name, nullptr)) {
      const locale_t previous = uselocale(locale);
      EXPECT_EQ(format("%.1f", 1.5), "1.5");
      EXPECT_EQ(uselocale(previous), locale) << "the caller's locale is put back";
      freelocale(locale);
    }
}

TEST(PrintfTest, BrokenRecordsAreRefused) {
  const Bytes whole = Record("%d").add(1).bytes();
  std::string text;
  for (size_t size = 0; size < whole.size(); ++size)
    EXPECT_FALSE(device::formatPrintf(std::span(whole).first(size), text));
  EXPECT_EQ(text, "");
}

} // namespace
} // namespace quern::test
