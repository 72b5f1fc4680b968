#pragma once

#include <cstddef>
#include <span>
#include <string>

namespace quern::device {

/// Formats one printf record (abi/printf_record.h) as OpenCL C 3.0, section 6.15.14, says and
/// appends the text to `output`. Always in the C locale, whatever the host's is. The addresses of
/// the format string and of %s arguments must be readable. False, with nothing appended, when the
/// record is malformed. Thread-safe.
///
/// What the language leaves undefined does no harm: a conversion that is not known or has no
/// argument is printed as it stands in the format, and a value of the wrong kind is converted.
bool formatPrintf(std::span<const std::byte> record, std::string& output);

} // namespace quern::device
