#pragma once

#include <span>
#include <string>
#include <vector>

#include "base/bytes.h"
#include "compiler/interface/compiler.h"

namespace quern::runtime {

/// What on disk a compile depended on: the files that #include opened, and the files that did not
/// exist but would have been opened instead of them.
struct IncludeRecord {
  std::vector<compiler::Dependency> opened;
  std::vector<std::string> absent;

  /// Whether the same compile would read the same today.
  bool isCurrent() const;
};

/// The record of a compile that just ended, with the folders of its -I options.
IncludeRecord recordIncludes(std::vector<compiler::Dependency> opened,
                             std::span<const std::string> includeFolders);

void put(ByteWriter& out, const IncludeRecord& record);
IncludeRecord getIncludeRecord(ByteReader& in);

} // namespace quern::runtime
