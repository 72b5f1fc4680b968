#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>

namespace quern::device {

/// The zero-terminated string at an address of the kernel; valid as long as the record is being
/// formatted.
using ReadString = std::function<const char*(uint64_t address)>;

/// Formats one printf record (abi/printf_record.h) as OpenCL C 3.0, section 6.15.14, says and
/// appends the text to `output`. Always in the C locale, whatever the host's is. `readString` reads
/// the format string and the %s arguments; without it their addresses must be readable. False, with
/// nothing appended, when the record is malformed. Thread-safe.
///
/// What the language leaves undefined does no harm: a conversion that is not known or has no
/// argument is printed as it stands in the format, and a value of the wrong kind is converted.
bool formatPrintf(std::span<const std::byte> record, std::string& output,
                  const ReadString& readString = {});

} // namespace quern::device
